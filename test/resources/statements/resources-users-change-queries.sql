-- changeUser
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
    select not access.target_internal and (access.may_edit_users or access.principal_active and access.principal_id = access.target_id)
    from access) for update),
"changed" as (update "understudy"."users" as "u"
  set "username" = coalesce($5::text, u.username), "full_name" = coalesce($6::text, u.full_name), "email" = case
  when $7::boolean then $8::text
  else u.email end, "is_superuser" = case
  when (
    select access.may_edit_users
    from access) then coalesce($9::boolean, u.is_superuser)
  else "u"."is_superuser" end, "is_active" = case
  when (
    select access.may_edit_users
    from access) then coalesce($10::boolean, u.is_active)
  else "u"."is_active" end, "is_bot" = case
  when (
    select access.may_edit_users
    from access) then coalesce($11::boolean, u.is_bot)
  else "u"."is_bot" end, "date_expires" = case
  when (
    select access.may_edit_users
    from access) then case
  when $12::boolean then $13::timestamptz
  else u.date_expires end
  else "u"."date_expires" end
  where "u"."sandbox_id" = (
    select locked.sandbox_id
    from locked) and "u"."id" = (
    select "access"."target_id"
    from access) and "u"."username_key" = understudy.username_key($14::text)
  returning "u".*)
select "access".*, case
when u.id is not null then json_build_object( 'id', u.id, 'username', u.username, 'full_name', u.full_name, 'email', u.email, 'is_superuser', u.is_superuser, 'is_active', u.is_active, 'is_bot', u.is_bot, 'date_joined', to_char("u"."date_joined" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'date_expires', to_char("u"."date_expires" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'last_login', to_char("u"."last_login" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'profile', u.profile, 'groups', array(
    select m.group_id
    from understudy.user_groups m
    where m.sandbox_id = u.sandbox_id and m.user_id = u.id order by 1)) end as "found"
from "access"
left join "changed" as "u" on true

-- findTaken
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
select "access".*, exists (
  select
  from understudy.users u
  where u.sandbox_id = (
    select "access"."sandbox_id"
    from access) and "u"."username_key" = understudy.username_key($5::text) and u.id is distinct
  from (
    select "access"."target_id"
    from access) offset 0) as "taken_username", exists (
  select
  from understudy.users u
  where u.sandbox_id = (
    select "access"."sandbox_id"
    from access) and "u"."email_key" = understudy.username_key($6::text) and u.id is distinct
  from (
    select "access"."target_id"
    from access) offset 0) as "taken_email"
from "access"

-- removeUser
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
"removed" as (update "understudy"."users" as "u"
  set "username" = 'deleted-' || u.id || $5::text, "email" = 'noreply+' || u.id || $6::text || '@weblate.org', "full_name" = 'Deleted User', "is_active" = false, "is_superuser" = false, "profile" = '{}'
  where "u"."sandbox_id" = (
    select locked.sandbox_id
    from locked) and "u"."id" = (
    select "access"."target_id"
    from access) and "u"."username_key" = understudy.username_key($7::text)
  returning "u"."sandbox_id", "u"."id")
select "access".*, case
when removed.id is not null then understudy.empty_user(removed.sandbox_id, removed.id) end as "removed_id"
from "access"
left join "removed" on true
