-- findGroup
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
when g.id is not null then json_build_object( 'id', g.id, 'name', g.name, 'project_selection', g.project_selection, 'language_selection', g.language_selection, 'roles', g.roles, 'defining_project', (
    select case
    when ( case
      when p.private then p.id end is null or (
        select access.principal_superuser
        from access) or understudy.is_open_to((
          select "access"."sandbox_id"
          from access), (
          select "access"."principal_id"
          from access), case
        when p.private then p.id end)) then p.slug end
    from understudy.projects p
    where p.sandbox_id = g.sandbox_id and p.id = g.defining_project_id offset 0), 'projects', array(
    select s.slug
    from understudy.group_projects l
    join lateral (
      select case
      when ( case
        when p.private then p.id end is null or (
          select access.principal_superuser
          from access) or understudy.is_open_to((
            select "access"."sandbox_id"
            from access), (
            select "access"."principal_id"
            from access), case
          when p.private then p.id end)) then p.slug end as slug
      from understudy.projects p
      where p.sandbox_id = l.sandbox_id and p.id = l.project_id offset 0 ) s on s.slug is not null
    where l.sandbox_id = g.sandbox_id and l.group_id = g.id order by l.project_id + 0)) end as "found"
from "access"
left join "understudy"."groups" as "g" on "g"."sandbox_id" = (
  select "access"."sandbox_id"
  from access) and "g"."id" = $5::int4 and ((
    select may_view_users
    from access) or g.id = any(array(
      select m.group_id
      from understudy.user_groups m
      where m.sandbox_id = (
        select "access"."sandbox_id"
        from access) and m.user_id = coalesce((
          select "access"."principal_id"
          from access), (
          select u.id
          from understudy.users u
          where u.sandbox_id = (
            select "access"."sandbox_id"
            from access) and u.username_key = 'anonymous' and u.is_internal offset 0)))))

-- listGroups
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
  select "g"."id"
  from "understudy"."groups" as "g"
  where "g"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and ((
      select may_view_users
      from access) or g.id = any(array(
        select m.group_id
        from understudy.user_groups m
        where m.sandbox_id = (
          select "access"."sandbox_id"
          from access) and m.user_id = coalesce((
            select "access"."principal_id"
            from access), (
            select u.id
            from understudy.users u
            where u.sandbox_id = (
              select "access"."sandbox_id"
              from access) and u.username_key = 'anonymous' and u.is_internal offset 0))))))
select "access".*, "page"."total", "page"."items"
from "access"
inner join lateral (
  select n.total, (
    select coalesce(json_agg(json_build_object( 'id', g.id, 'name', g.name, 'project_selection', g.project_selection, 'language_selection', g.language_selection, 'roles', g.roles, 'defining_project', (
            select case
            when ( case
              when p.private then p.id end is null or (
                select access.principal_superuser
                from access) or understudy.is_open_to((
                  select "access"."sandbox_id"
                  from access), (
                  select "access"."principal_id"
                  from access), case
                when p.private then p.id end)) then p.slug end
            from understudy.projects p
            where p.sandbox_id = g.sandbox_id and p.id = g.defining_project_id offset 0), 'projects', array(
            select s.slug
            from understudy.group_projects l
            join lateral (
              select case
              when ( case
                when p.private then p.id end is null or (
                  select access.principal_superuser
                  from access) or understudy.is_open_to((
                    select "access"."sandbox_id"
                    from access), (
                    select "access"."principal_id"
                    from access), case
                  when p.private then p.id end)) then p.slug end as slug
              from understudy.projects p
              where p.sandbox_id = l.sandbox_id and p.id = l.project_id offset 0 ) s on s.slug is not null
            where l.sandbox_id = g.sandbox_id and l.group_id = g.id order by l.project_id + 0)) order by x.id), '[]')
    from (
      select f.id
      from found f order by f.id limit $5::int4 offset o.start) x
    join lateral (
      select t.*
      from "understudy"."groups" t
      where t.sandbox_id = (
        select "access"."sandbox_id"
        from access) and t.id = x.id offset 0) "g" on true) as items
  from (
    select count(*)::int4 as total
    from found) n cross
  join lateral (
    select case
    when $6::int4 > 0 then ($7::int4 - 1) * $8::int4
    else greatest(n.total - 1, 0) / $9::int4 * $10::int4 end as start offset 0) o) as "page" on true
