-- findPage
select case
when s.id is null then 'sandbox_not_found'
when r.hash is not null and p.id is null then 'invalid_token'
when not p.is_active then 'user_inactive'
when t.id is null or (r.hash is null and not a.may_manage) then 'not_found'
when not a.may_manage then 'permission_denied' end as "refused", "l"."lines", case
when not a.may_manage then null
when l.returned < r.size and (l.returned > 0 or o.start = 0) then o.start + l.returned
else understudy.count_visible(t.sandbox_id, t.id, p.id, p.is_superuser) end as "total"
from (
  select $1::text as sandbox, $2::bytea as hash, $3::text as username, $4::boolean as open, $5::int4 as page, $6::int4 as size) as "r"
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
  when r.hash is null then r.open
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
select case
when s.id is null then 'sandbox_not_found'
when r.hash is not null and p.id is null then 'invalid_token'
when not p.is_active then 'user_inactive'
when t.id is null or (r.hash is null and not a.may_manage) then 'not_found'
when not a.may_manage then 'permission_denied' end as "refused", "l"."lines", case
when not a.may_manage then null
when l.returned < r.size and (l.returned > 0 or o.start = 0) then o.start + l.returned
else understudy.count_visible(t.sandbox_id, t.id, p.id, p.is_superuser) end as "total", "r"."n"
from (
  select generate_series(1, $1::int4) as n, unnest($2::text[]) as sandbox, unnest($3::bytea[]) as hash, unnest($4::text[]) as username, unnest($5::int4[]) as page, unnest($6::int4[]) as size, $7::boolean as open) as "r"
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
  when r.hash is null then r.open
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
