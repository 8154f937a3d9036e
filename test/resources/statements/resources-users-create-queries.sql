-- createUser
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
"counted" as (update "understudy"."counters" as "c"
  set "next_user_id" = c.next_user_id + 1, "next_subscription_id" = c.next_subscription_id + cardinality($5::text[])
  where "c"."sandbox_id" = (
    select "access"."sandbox_id"
    from access) and (
    select access.may_edit_users
    from access)
  returning "c"."sandbox_id", c.next_user_id - 1 as "user_id", c.next_subscription_id - cardinality($6::text[]) as "first_subscription"),
"created" as (insert into "understudy"."users" ("sandbox_id", "id", "username", "full_name", "email", "is_superuser", "is_active", "is_bot", "date_expires")
  select "sandbox_id", "user_id", $7::text as "username", $8::text as "full_name", $9::text as "email", $10::boolean as "is_superuser", $11::boolean as "is_active", $12::boolean as "is_bot", $13::timestamptz as "date_expires"
  from "counted"
  returning *),
"joined" as (insert into "understudy"."user_groups" ("sandbox_id", "user_id", "group_id")
  select "counted"."sandbox_id", "counted"."user_id", "g"."id"
  from "counted"
  inner join lateral understudy.automatic_groups(counted.sandbox_id) as g(id) on true
  returning "group_id"),
"subscribed" as (insert into "understudy"."subscriptions" ("sandbox_id", "id", "user_id", "notification", "scope", "frequency")
  select "counted"."sandbox_id", counted.first_subscription + d.n - 1 as "id", "counted"."user_id", "d"."notification", "d"."scope", "d"."frequency"
  from "counted"
  inner join lateral unnest( $14::text[], $15::int2[], $16::int2[]) with ordinality as d(notification, scope, frequency, n) on true)
select "access".*, case
when u.id is not null then json_build_object( 'id', u.id, 'username', u.username, 'full_name', u.full_name, 'email', u.email, 'is_superuser', u.is_superuser, 'is_active', u.is_active, 'is_bot', u.is_bot, 'date_joined', to_char("u"."date_joined" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'date_expires', to_char("u"."date_expires" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'last_login', to_char("u"."last_login" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), 'profile', u.profile, 'groups', array(
    select joined.group_id
    from joined order by 1)) end as "found"
from "access"
left join "created" as "u" on true
