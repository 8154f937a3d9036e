-- findCaller
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
  where x.sandbox_id = s.id and x.username_key = understudy.username_key("r"."username") offset 0) as "t" on true
