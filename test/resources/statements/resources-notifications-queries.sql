-- findPage
select "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_active" as "principal_active", "t"."id" as "target_id", "a"."may_manage", "o"."start", "l"."lines", case
when not a.may_manage then null
when l.returned < r.size and (l.returned > 0 or o.start = 0) then o.start + l.returned
else understudy.count_visible(t.sandbox_id, t.id, p.id, p.is_superuser) end as "total"
from (
  select $1::text as sandbox, $2::bytea as hash, $3::text as username, $4::int4 as page, $5::int4 as size) as r
left join lateral (
  select x.id
  from understudy.sandboxes x
  where x.name = r.sandbox offset 0) as "s" on true
left join lateral (
  select x.user_id
  from understudy.tokens x
  where x.sandbox_id = s.id and x.hash = r.hash offset 0) as "k" on true
left join lateral (
  select x.sandbox_id, x.id, x.is_active, x.is_superuser
  from understudy.users x
  where x.sandbox_id = s.id and x.id = k.user_id offset 0) as "p" on true
left join lateral (
  select x.sandbox_id, x.id, x.is_internal
  from understudy.users x
  where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true
left join lateral (
  select case
  when t.id is null then false
  when p.id = t.id or p.is_superuser then p.is_active
  when r.hash is null then $6::boolean
  when p.id is null then false
  else p.is_active and understudy.is_granted(p.sandbox_id, p.id, array['user.edit']) end as may_manage offset 0) as "a" on true
left join lateral (
  select case
  when r.page > 0 then (r.page - 1) * r.size
  when a.may_manage then greatest(understudy.count_visible(t.sandbox_id, t.id, p.id, p.is_superuser) - 1, 0) / r.size * r.size
  else 0 end as start offset 0) as "o" on true
left join lateral (
  select count(*)::int4 as returned, string_agg(concat_ws(E'\t', y.id, y.notification, y.scope, y.frequency, y.target_path), E'\n' order by y.id) as lines
  from (
    select x.id, x.notification, x.scope, x.frequency, x.target_path
    from understudy.subscriptions x
    where a.may_manage and x.sandbox_id = t.sandbox_id and x.user_id = t.id and ( "x"."private_project_id" is null or "p"."is_superuser" or understudy.is_open_to("p"."sandbox_id", "p"."id", "x"."private_project_id")) order by x.id limit r.size offset o.start) y) as "l" on true

-- findPages
select "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_active" as "principal_active", "t"."id" as "target_id", "a"."may_manage", "o"."start", "l"."lines", case
when not a.may_manage then null
when l.returned < r.size and (l.returned > 0 or o.start = 0) then o.start + l.returned
else understudy.count_visible(t.sandbox_id, t.id, p.id, p.is_superuser) end as "total", r.n::int4 as "n"
from unnest($1::text[], $2::bytea[], $3::text[], $4::int4[], $5::int4[]) with ordinality as r(sandbox, hash, username, page, size, n)
left join lateral (
  select x.id
  from understudy.sandboxes x
  where x.name = r.sandbox offset 0) as "s" on true
left join lateral (
  select x.user_id
  from understudy.tokens x
  where x.sandbox_id = s.id and x.hash = r.hash offset 0) as "k" on true
left join lateral (
  select x.sandbox_id, x.id, x.is_active, x.is_superuser
  from understudy.users x
  where x.sandbox_id = s.id and x.id = k.user_id offset 0) as "p" on true
left join lateral (
  select x.sandbox_id, x.id, x.is_internal
  from understudy.users x
  where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true
left join lateral (
  select case
  when t.id is null then false
  when p.id = t.id or p.is_superuser then p.is_active
  when r.hash is null then $6::boolean
  when p.id is null then false
  else p.is_active and understudy.is_granted(p.sandbox_id, p.id, array['user.edit']) end as may_manage offset 0) as "a" on true
left join lateral (
  select case
  when r.page > 0 then (r.page - 1) * r.size
  when a.may_manage then greatest(understudy.count_visible(t.sandbox_id, t.id, p.id, p.is_superuser) - 1, 0) / r.size * r.size
  else 0 end as start offset 0) as "o" on true
left join lateral (
  select count(*)::int4 as returned, string_agg(concat_ws(E'\t', y.id, y.notification, y.scope, y.frequency, y.target_path), E'\n' order by y.id) as lines
  from (
    select x.id, x.notification, x.scope, x.frequency, x.target_path
    from understudy.subscriptions x
    where a.may_manage and x.sandbox_id = t.sandbox_id and x.user_id = t.id and ( "x"."private_project_id" is null or "p"."is_superuser" or understudy.is_open_to("p"."sandbox_id", "p"."id", "x"."private_project_id")) order by x.id limit r.size offset o.start) y) as "l" on true
