-- addMember
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
"locked" as (
  select "c"."sandbox_id"
  from "understudy"."counters" as "c"
  where "c"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and (
    select access.may_edit_users and not access.target_internal
    from access) for update),
"owner" as (
  select "u"."id"
  from "understudy"."users" as "u"
  where "u"."sandbox_id" = (
    select locked.sandbox_id
    from locked) and "u"."id" = (
    select "access"."target_id"
    from access) and "u"."username_key" = understudy.username_key($5::text) for key share),
"chosen" as (
  select "g"."sandbox_id", "g"."id"
  from "understudy"."groups" as "g"
  where "g"."sandbox_id" = (
    select locked.sandbox_id
    from locked) and "g"."id" = $6::int4),
"added" as (insert into "understudy"."user_groups" ("sandbox_id", "user_id", "group_id")
  select "chosen"."sandbox_id", "owner"."id" as "user_id", "chosen"."id"
  from "chosen", "owner" on conflict do nothing
  returning "group_id")
select "access".*, exists (
  select
  from chosen) as "group_found", case
when u.id is not null then json_build_object( 'id', u.id, 'username', u.username, 'full_name', u.full_name, 'email', u.email, 'is_superuser', u.is_superuser, 'is_active', u.is_active, 'is_bot', u.is_bot, 'date_joined', to_char("u"."date_joined" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'date_expires', to_char("u"."date_expires" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'last_login', to_char("u"."last_login" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'profile', u.profile, 'groups', array(
    select m.group_id
    from understudy.user_groups m
    where m.sandbox_id = u.sandbox_id and m.user_id = u.id union select added.group_id
    from added order by 1)) end as "found"
from "access"
left join "understudy"."users" as "u" on "u"."sandbox_id" = (
  select locked.sandbox_id
  from locked) and "u"."id" = (
  select owner.id
  from owner)

-- lockSandbox
select "c"."sandbox_id"
from "understudy"."counters" as "c"
inner join "understudy"."sandboxes" as "s" on "s"."id" = "c"."sandbox_id"
where "s"."name" = $1::text for update of "c"

-- removeMember
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
"chosen" as (
  select "g"."sandbox_id", "g"."id"
  from "understudy"."groups" as "g"
  where "g"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and "g"."id" = $5::int4 and (
    select access.may_edit_users and not access.target_internal
    from access)),
"removed" as (delete
  from "understudy"."user_groups" as "m"
  where "m"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and "m"."user_id" = (
    select "access"."target_id"
    from access) and m.group_id + 0 = (
    select chosen.id
    from chosen)
  returning "m"."sandbox_id", "m"."user_id", "m"."group_id"),
"closed" as (delete
  from "understudy"."subscriptions" as "x"
  where "x"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and "x"."user_id" = (
    select "access"."target_id"
    from access) and x.private_project_id is not null and not (
    select u.is_superuser
    from understudy.users u
    where u.sandbox_id = (
      select "access"."sandbox_id"
      from access) and u.id = (
      select "access"."target_id"
      from access)) and exists (
    select
    from removed m
    where (exists (
        select
        from understudy.group_projects o
        where o.sandbox_id = m.sandbox_id and o.group_id = m.group_id and o.project_id = "x"."private_project_id" offset 0) or exists (
        select
        from understudy.groups g
        where g.sandbox_id = m.sandbox_id and g.id = m.group_id and g.project_selection = 1 offset 0))) and not exists (
    select
    from understudy.user_groups m
    where m.sandbox_id = x.sandbox_id and m.user_id = x.user_id and m.group_id <> (
      select removed.group_id
      from removed) and (exists (
        select
        from understudy.group_projects o
        where o.sandbox_id = m.sandbox_id and o.group_id = m.group_id and o.project_id = "x"."private_project_id" offset 0) or exists (
        select
        from understudy.groups g
        where g.sandbox_id = m.sandbox_id and g.id = m.group_id and g.project_selection = 1 offset 0)) offset 0))
select "access".*, exists (
  select
  from chosen) as "group_found", case
when u.id is not null then json_build_object( 'id', u.id, 'username', u.username, 'full_name', u.full_name, 'email', u.email, 'is_superuser', u.is_superuser, 'is_active', u.is_active, 'is_bot', u.is_bot, 'date_joined', to_char("u"."date_joined" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'date_expires', to_char("u"."date_expires" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'last_login', to_char("u"."last_login" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'profile', u.profile, 'groups', array(
    select m.group_id
    from understudy.user_groups m
    where m.sandbox_id = u.sandbox_id and m.user_id = u.id except select removed.group_id
    from removed order by 1)) end as "found"
from "access"
left join "understudy"."users" as "u" on "u"."sandbox_id" = (
  select "access"."sandbox_id"
  from access) and "u"."id" = (
  select "access"."target_id"
  from access)
