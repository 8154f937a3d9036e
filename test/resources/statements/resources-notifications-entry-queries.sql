-- changeEntry
with "access" as (
  select "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_superuser" as "principal_superuser", "t"."id" as "target_id", case
  when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive'
  when r.hash is null and not r.open then 'not_authenticated'
  when t.id is null or (r.hash is null and not a.may_manage) then 'not_found'
  when not a.may_manage then 'permission_denied'
  when t.is_internal then 'internal_user' end as "refused"
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
    where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true
  left join lateral (
    select case
    when t.id is null then false
    when p.id = t.id or p.is_superuser then p.is_active
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and understudy.is_granted(p.sandbox_id, p.id, array['user.edit']) end as may_manage offset 0) as "a" on true),
"locked" as (
  select "c"."sandbox_id"
  from "understudy"."counters" as "c"
  where "c"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and (
    select access.refused is null
    from access) for key share),
"changed" as (update "understudy"."subscriptions" as "x"
  set "notification" = coalesce($5::text, x.notification), "frequency" = coalesce($6::int2, x.frequency)
  where "x"."sandbox_id" = (
    select locked.sandbox_id
    from locked) and "x"."user_id" = (
    select "access"."target_id"
    from access) and "x"."id" = $7::int4 and ( "x"."private_project_id" is null or (
      select access.principal_superuser
      from access) or understudy.is_open_to((
        select "access"."sandbox_id"
        from access), (
        select "access"."principal_id"
        from access), "x"."private_project_id")) and coalesce($8::int2, x.scope) = x.scope
  returning "x"."id", "x"."notification", "x"."scope", "x"."frequency", "x"."target_path")
select "access"."refused", "changed"."id", "changed"."notification", "changed"."scope", "changed"."frequency", "changed"."target_path", (
  select "x"."scope"
  from "understudy"."subscriptions" as "x"
  where "x"."sandbox_id" = "access"."sandbox_id" and "x"."user_id" = "access"."target_id" and "x"."id" = $9::int4 and ( "x"."private_project_id" is null or (
      select access.principal_superuser
      from access) or understudy.is_open_to((
        select "access"."sandbox_id"
        from access), (
        select "access"."principal_id"
        from access), "x"."private_project_id"))) as "found_scope"
from "access"
left join "changed" on true

-- createEntry
with "access" as (
  select "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_superuser" as "principal_superuser", "t"."id" as "target_id", case
  when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive'
  when r.hash is null and not r.open then 'not_authenticated'
  when t.id is null or (r.hash is null and not a.may_manage) then 'not_found'
  when not a.may_manage then 'permission_denied'
  when t.is_internal then 'internal_user' end as "refused"
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
    where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true
  left join lateral (
    select case
    when t.id is null then false
    when p.id = t.id or p.is_superuser then p.is_active
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and understudy.is_granted(p.sandbox_id, p.id, array['user.edit']) end as may_manage offset 0) as "a" on true),
"counted" as (update "understudy"."counters" as "c"
  set "next_subscription_id" = c.next_subscription_id + 1
  where "c"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and (
    select access.refused is null
    from access)
  returning "c"."sandbox_id", c.next_subscription_id - 1 as "id"),
"owner" as (
  select "u"."id"
  from "understudy"."users" as "u"
  where "u"."sandbox_id" = (
    select counted.sandbox_id
    from counted) and "u"."id" = (
    select "access"."target_id"
    from access) and "u"."username_key" = understudy.username_key($5::text) for key share),
"created" as (insert into "understudy"."subscriptions" ("sandbox_id", "id", "user_id", "notification", "scope", "frequency")
  select "counted"."sandbox_id", "counted"."id", "owner"."id" as "user_id", $6::text as "notification", $7::int2 as "scope", $8::int2 as "frequency"
  from "counted", "owner"
  returning "id", "notification", "scope", "frequency", "target_path")
select "access"."refused", "created"."id", "created"."notification", "created"."scope", "created"."frequency", "created"."target_path"
from "access"
left join "created" on true

-- deleteEntry
with "access" as (
  select "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_superuser" as "principal_superuser", "t"."id" as "target_id", case
  when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive'
  when r.hash is null and not r.open then 'not_authenticated'
  when t.id is null or (r.hash is null and not a.may_manage) then 'not_found'
  when not a.may_manage then 'permission_denied'
  when t.is_internal then 'internal_user' end as "refused"
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
    where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true
  left join lateral (
    select case
    when t.id is null then false
    when p.id = t.id or p.is_superuser then p.is_active
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and understudy.is_granted(p.sandbox_id, p.id, array['user.edit']) end as may_manage offset 0) as "a" on true),
"locked" as (
  select "c"."sandbox_id"
  from "understudy"."counters" as "c"
  where "c"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and (
    select access.refused is null
    from access) for key share),
"deleted" as (delete
  from "understudy"."subscriptions" as "x"
  where "x"."sandbox_id" = (
    select locked.sandbox_id
    from locked) and "x"."user_id" = (
    select "access"."target_id"
    from access) and "x"."id" = $5::int4
  returning "x"."id")
select "access"."refused", "deleted"."id"
from "access"
left join "deleted" on true

-- findEntry
with "access" as (
  select "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_superuser" as "principal_superuser", "t"."id" as "target_id", case
  when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive'
  when t.id is null or (r.hash is null and not a.may_manage) then 'not_found'
  when not a.may_manage then 'permission_denied' end as "refused"
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
    where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true
  left join lateral (
    select case
    when t.id is null then false
    when p.id = t.id or p.is_superuser then p.is_active
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and understudy.is_granted(p.sandbox_id, p.id, array['user.edit']) end as may_manage offset 0) as "a" on true)
select "access"."refused", "x"."id", "x"."notification", "x"."scope", "x"."frequency", "x"."target_path"
from "access"
left join "understudy"."subscriptions" as "x" on "x"."sandbox_id" = (
  select "access"."sandbox_id"
  from access) and "x"."user_id" = (
  select "access"."target_id"
  from access) and "x"."id" = $5::int4 and (
  select access.refused is null
  from access) and ( "x"."private_project_id" is null or (
    select access.principal_superuser
    from access) or understudy.is_open_to((
      select "access"."sandbox_id"
      from access), (
      select "access"."principal_id"
      from access), "x"."private_project_id"))

-- findEntryToWrite
with "access" as (
  select "s"."id" as "sandbox_id", "p"."id" as "principal_id", "p"."is_superuser" as "principal_superuser", "t"."id" as "target_id", case
  when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive'
  when r.hash is null and not r.open then 'not_authenticated'
  when t.id is null or (r.hash is null and not a.may_manage) then 'not_found'
  when not a.may_manage then 'permission_denied'
  when t.is_internal then 'internal_user' end as "refused"
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
    where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true
  left join lateral (
    select case
    when t.id is null then false
    when p.id = t.id or p.is_superuser then p.is_active
    when r.hash is null then r.open
    when p.id is null then false
    else p.is_active and understudy.is_granted(p.sandbox_id, p.id, array['user.edit']) end as may_manage offset 0) as "a" on true)
select "access"."refused", "x"."id", "x"."notification", "x"."scope", "x"."frequency", "x"."target_path"
from "access"
left join "understudy"."subscriptions" as "x" on "x"."sandbox_id" = (
  select "access"."sandbox_id"
  from access) and "x"."user_id" = (
  select "access"."target_id"
  from access) and "x"."id" = $5::int4 and (
  select access.refused is null
  from access) and ( "x"."private_project_id" is null or (
    select access.principal_superuser
    from access) or understudy.is_open_to((
      select "access"."sandbox_id"
      from access), (
      select "access"."principal_id"
      from access), "x"."private_project_id"))
