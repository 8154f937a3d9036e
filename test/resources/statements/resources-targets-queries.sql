-- findComponent
with "access" as (
  select case
  when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive' end as "refused", "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_superuser" as "principal_superuser", "t"."id" as "target_id", "p"."is_active" as "principal_active", "t"."is_internal" as "target_internal", (case
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and (p.is_superuser or understudy.is_granted(p.sandbox_id, p.id, array['user.view', 'user.edit'])) end) as "may_view_users", (case
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and (p.is_superuser or understudy.is_granted(p.sandbox_id, p.id, array['user.edit'])) end) as "may_edit_users"
  from (
    select $1::text as sandbox, $2::bytea as hash, $3::text as username, $4::boolean as open) as "r"
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
    where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true)
select "access".*, case
when c.id is not null then json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'project', json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'web', p.web)) end as "found"
from "access"
left join "understudy"."projects" as "p" on "p"."sandbox_id" = (
  select "access"."sandbox_id"
  from access) and "p"."slug" = $5::text and ( case
  when p.private then p.id end is null or (
    select access.principal_superuser
    from access) or understudy.is_open_to((
      select "access"."sandbox_id"
      from access), (
      select "access"."principal_id"
      from access), case
    when p.private then p.id end))
left join lateral (
  select c.id, c.name, c.slug
  from understudy.components c
  where c.sandbox_id = (
    select "access"."sandbox_id"
    from access) and c.project_id = p.id and c.slug = $6::text offset 0) as "c" on true

-- findProject
with "access" as (
  select case
  when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive' end as "refused", "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_superuser" as "principal_superuser", "t"."id" as "target_id", "p"."is_active" as "principal_active", "t"."is_internal" as "target_internal", (case
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and (p.is_superuser or understudy.is_granted(p.sandbox_id, p.id, array['user.view', 'user.edit'])) end) as "may_view_users", (case
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and (p.is_superuser or understudy.is_granted(p.sandbox_id, p.id, array['user.edit'])) end) as "may_edit_users"
  from (
    select $1::text as sandbox, $2::bytea as hash, $3::text as username, $4::boolean as open) as "r"
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
    where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true)
select "access".*, case
when p.id is not null then json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'web', p.web) end as "found"
from "access"
left join "understudy"."projects" as "p" on "p"."sandbox_id" = (
  select "access"."sandbox_id"
  from access) and "p"."slug" = $5::text and ( case
  when p.private then p.id end is null or (
    select access.principal_superuser
    from access) or understudy.is_open_to((
      select "access"."sandbox_id"
      from access), (
      select "access"."principal_id"
      from access), case
    when p.private then p.id end))

-- listComponents
with "access" as (
  select case
  when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive' end as "refused", "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_superuser" as "principal_superuser", "t"."id" as "target_id", "p"."is_active" as "principal_active", "t"."is_internal" as "target_internal", (case
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and (p.is_superuser or understudy.is_granted(p.sandbox_id, p.id, array['user.view', 'user.edit'])) end) as "may_view_users", (case
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and (p.is_superuser or understudy.is_granted(p.sandbox_id, p.id, array['user.edit'])) end) as "may_edit_users"
  from (
    select $1::text as sandbox, $2::bytea as hash, $3::text as username, $4::boolean as open) as "r"
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
    where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true),
"found" as (
  select "c"."id"
  from "understudy"."components" as "c"
  inner join lateral (
    select p.id, p.name, p.slug, p.web, p.private
    from understudy.projects p
    where p.sandbox_id = c.sandbox_id and p.id = c.project_id offset 0) as "p" on true
  where "c"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and ( case
    when p.private then p.id end is null or (
      select access.principal_superuser
      from access) or understudy.is_open_to((
        select "access"."sandbox_id"
        from access), (
        select "access"."principal_id"
        from access), case
      when p.private then p.id end)))
select "access".*, "page"."total", "page"."items"
from "access"
inner join lateral (
  select n.total, (
    select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'project', json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'web', p.web)) order by x.id), '[]')
    from (
      select f.id
      from found f order by f.id limit $5::int4 offset o.start) x
    join lateral (
      select t.*
      from "understudy"."components" t
      where t.sandbox_id = (
        select "access"."sandbox_id"
        from access) and t.id = x.id offset 0) "c" on true
    join lateral (
      select p.id, p.name, p.slug, p.web, p.private
      from understudy.projects p
      where p.sandbox_id = c.sandbox_id and p.id = c.project_id offset 0) p on true) as items
  from (
    select count(*)::int4 as total
    from found) n cross
  join lateral (
    select case
    when $6::int4 > 0 then ($7::int4 - 1) * $8::int4
    else greatest(n.total - 1, 0) / $9::int4 * $10::int4 end as start offset 0) o) as "page" on true

-- listProjects
with "access" as (
  select case
  when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive' end as "refused", "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_superuser" as "principal_superuser", "t"."id" as "target_id", "p"."is_active" as "principal_active", "t"."is_internal" as "target_internal", (case
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and (p.is_superuser or understudy.is_granted(p.sandbox_id, p.id, array['user.view', 'user.edit'])) end) as "may_view_users", (case
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and (p.is_superuser or understudy.is_granted(p.sandbox_id, p.id, array['user.edit'])) end) as "may_edit_users"
  from (
    select $1::text as sandbox, $2::bytea as hash, $3::text as username, $4::boolean as open) as "r"
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
    where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true),
"found" as (
  select "p"."id"
  from "understudy"."projects" as "p"
  where "p"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and ( case
    when p.private then p.id end is null or (
      select access.principal_superuser
      from access) or understudy.is_open_to((
        select "access"."sandbox_id"
        from access), (
        select "access"."principal_id"
        from access), case
      when p.private then p.id end)))
select "access".*, "page"."total", "page"."items"
from "access"
inner join lateral (
  select n.total, (
    select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'web', p.web) order by x.id), '[]')
    from (
      select f.id
      from found f order by f.id limit $5::int4 offset o.start) x
    join lateral (
      select t.*
      from "understudy"."projects" t
      where t.sandbox_id = (
        select "access"."sandbox_id"
        from access) and t.id = x.id offset 0) "p" on true) as items
  from (
    select count(*)::int4 as total
    from found) n cross
  join lateral (
    select case
    when $6::int4 > 0 then ($7::int4 - 1) * $8::int4
    else greatest(n.total - 1, 0) / $9::int4 * $10::int4 end as start offset 0) o) as "page" on true
