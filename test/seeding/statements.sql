select "id" from "understudy"."sandboxes" where "name" = $1

start transaction isolation level read committed

select set_config('understudy.counts_ids', 'on', true), set_config('statement_timeout', '0', true), set_config('plan_cache_mode', 'force_generic_plan', true)

select "next_project_id" as "projects", "next_component_id" as "components", "next_group_id" as "groups", "next_user_id" as "users", "next_subscription_id" as "subscriptions" from understudy.counters where sandbox_id = $1 for update

select g.id, g.name, g.automatic, p.slug as defining_project from understudy.groups g left join understudy.projects p on p.sandbox_id = g.sandbox_id and p.id = g.defining_project_id where g.sandbox_id = $1 order by g.id

select id, slug from understudy.projects where sandbox_id = $1 and (slug = any($2::text[]) or id = any($3::int4[])) order by id

select c.id, p.slug as project, c.slug from understudy.components c join understudy.projects p on p.sandbox_id = c.sandbox_id and p.id = c.project_id where c.sandbox_id = $1 and (c.id = any($2::int4[]) or (p.slug, c.slug) in (select split_part(path, '/', 1), split_part(path, '/', 2) from unnest($3::text[]) path)) order by c.id

select encode(hash, 'hex') as hash, user_id from understudy.tokens where sandbox_id = $1 and hash = any(array(select decode(hex, 'hex') from unnest($2::text[]) hex)) order by hash

select id, username, email from understudy.users where sandbox_id = $1 and (id = any($2::int4[]) or username_key = any(array(select understudy.username_key(name) from unnest($3::text[]) name)) or email_key = any(array(select understudy.username_key(email) from unnest($4::text[]) email))) order by id

select s.id, u.username as user, s.notification, s.scope, s.frequency, case s.scope when 30 then s.target_path end as project, case s.scope when 40 then s.target_path end as component from understudy.subscriptions s join understudy.users u on u.sandbox_id = s.sandbox_id and u.id = s.user_id where s.sandbox_id = $1 and (s.id = any($2::int4[]) or s.user_id = any(array( select o.id from understudy.users o where o.sandbox_id = $3 and o.username_key = any(array(select understudy.username_key(name) from unnest($4::text[]) name))))) order by s.id

insert into "understudy"."projects" (sandbox_id, id, "slug", "name", "web", "private") select $1::int4, r.id, "r"."slug", "r"."name", "r"."web", "r"."private" from jsonb_array_elements($2::jsonb) given left join lateral (select t as former from "understudy"."projects" t where t.sandbox_id = $3 and t.id = (given->>'id')::int4 offset 0) old on true cross join lateral jsonb_populate_record(old.former, given) r where (old.former).id is null or ((old.former)."name", (old.former)."web", (old.former)."private") is distinct from ("r"."name", "r"."web", "r"."private") order by r.id on conflict (sandbox_id, id) do update set "name" = excluded."name", "web" = excluded."web", "private" = excluded."private"

insert into "understudy"."components" (sandbox_id, id, "project_id", "slug", "name") select $1::int4, r.id, "r"."project_id", "r"."slug", "r"."name" from jsonb_array_elements($2::jsonb) given left join lateral (select t as former from "understudy"."components" t where t.sandbox_id = $3 and t.id = (given->>'id')::int4 offset 0) old on true cross join lateral jsonb_populate_record(old.former, given) r where (old.former).id is null or ((old.former)."name") is distinct from ("r"."name") order by r.id on conflict (sandbox_id, id) do update set "name" = excluded."name"

insert into "understudy"."groups" (sandbox_id, id, "name", "automatic", "project_selection", "language_selection", "roles", "permissions", "defining_project_id") select $1::int4, r.id, "r"."name", "r"."automatic", "r"."project_selection", "r"."language_selection", "r"."roles", "r"."permissions", "r"."defining_project_id" from jsonb_array_elements($2::jsonb) given left join lateral (select t as former from "understudy"."groups" t where t.sandbox_id = $3 and t.id = (given->>'id')::int4 offset 0) old on true cross join lateral jsonb_populate_record(old.former, given) r where (old.former).id is null or ((old.former)."name", (old.former)."automatic", (old.former)."project_selection", (old.former)."language_selection", (old.former)."roles", (old.former)."permissions", (old.former)."defining_project_id") is distinct from ("r"."name", "r"."automatic", "r"."project_selection", "r"."language_selection", "r"."roles", "r"."permissions", "r"."defining_project_id") order by r.id on conflict (sandbox_id, id) do update set "name" = excluded."name", "automatic" = excluded."automatic", "project_selection" = excluded."project_selection", "language_selection" = excluded."language_selection", "roles" = excluded."roles", "permissions" = excluded."permissions", "defining_project_id" = excluded."defining_project_id"

insert into "understudy"."users" (sandbox_id, id, "username", "full_name", "email", "is_superuser", "is_active", "is_bot", "is_internal", "date_joined", "date_expires", "last_login", "profile") select $1::int4, r.id, "r"."username", "r"."full_name", "r"."email", "r"."is_superuser", "r"."is_active", "r"."is_bot", "r"."is_internal", "r"."date_joined", "r"."date_expires", "r"."last_login", "r"."profile" from jsonb_array_elements($2::jsonb) given left join lateral (select t as former from "understudy"."users" t where t.sandbox_id = $3 and t.id = (given->>'id')::int4 offset 0) old on true cross join lateral jsonb_populate_record(old.former, given) r where (old.former).id is null or ((old.former)."username", (old.former)."full_name", (old.former)."email", (old.former)."is_superuser", (old.former)."is_active", (old.former)."is_bot", (old.former)."is_internal", (old.former)."date_joined", (old.former)."date_expires", (old.former)."last_login", (old.former)."profile") is distinct from ("r"."username", "r"."full_name", "r"."email", "r"."is_superuser", "r"."is_active", "r"."is_bot", "r"."is_internal", "r"."date_joined", "r"."date_expires", "r"."last_login", "r"."profile") order by r.id on conflict (sandbox_id, id) do update set "username" = excluded."username", "full_name" = excluded."full_name", "email" = excluded."email", "is_superuser" = excluded."is_superuser", "is_active" = excluded."is_active", "is_bot" = excluded."is_bot", "is_internal" = excluded."is_internal", "date_joined" = excluded."date_joined", "date_expires" = excluded."date_expires", "last_login" = excluded."last_login", "profile" = excluded."profile"

insert into "understudy"."subscriptions" (sandbox_id, id, "user_id", "notification", "scope", "frequency", "project_id", "component_id") select $1::int4, r.id, "r"."user_id", "r"."notification", "r"."scope", "r"."frequency", "r"."project_id", "r"."component_id" from jsonb_array_elements($2::jsonb) given left join lateral (select t as former from "understudy"."subscriptions" t where t.sandbox_id = $3 and t.id = (given->>'id')::int4 offset 0) old on true cross join lateral jsonb_populate_record(old.former, given) r where (old.former).id is null or ((old.former)."frequency") is distinct from ("r"."frequency") order by r.id on conflict (sandbox_id, id) do update set "frequency" = excluded."frequency"

insert into "understudy"."user_groups" (sandbox_id, "user_id", "group_id") select $1::int4, w.owner, unnest(w.others) from jsonb_to_recordset($2::jsonb) as w(owner int4, others int4[]) on conflict do nothing

insert into "understudy"."group_projects" (sandbox_id, "group_id", "project_id") select $1::int4, w.owner, unnest(w.others) from jsonb_to_recordset($2::jsonb) as w(owner int4, others int4[]) on conflict do nothing

insert into understudy.tokens (sandbox_id, hash, user_id) select $1::int4, decode(t.hex, 'hex'), t.user_id from unnest($2::text[], $3::int4[]) t(hex, user_id) on conflict do nothing

update understudy.counters set ("next_project_id", "next_component_id", "next_group_id", "next_user_id", "next_subscription_id") = row($1::int4, $2::int4, $3::int4, $4::int4, $5::int4) where sandbox_id = $6 and ("next_project_id", "next_component_id", "next_group_id", "next_user_id", "next_subscription_id") is distinct from ($7::int4, $8::int4, $9::int4, $10::int4, $11::int4)

update understudy.sandboxes set seed_name = $1, seed_digest = $2, seeded_at = now() where id = $3 and ($4::boolean or seed_name is null or seed_name = $5) and (seed_name, seed_digest, seeded_at is null) is distinct from ($6::text, $7::text, false)

commit

delete from "understudy"."user_groups" t using jsonb_to_recordset($1::jsonb) as w(owner int4, others int4[]) where t.sandbox_id = $2 and t."user_id" = w.owner and t."group_id" <> all(w.others)

delete from "understudy"."group_projects" t using jsonb_to_recordset($1::jsonb) as w(owner int4, others int4[]) where t.sandbox_id = $2 and t."group_id" = w.owner and t."project_id" <> all(w.others)

select "id" from "understudy"."sandboxes" where "template_key" = $1 for key share

with made as (insert into understudy.sandboxes default values returning id) insert into understudy.counters (sandbox_id) select id from made returning sandbox_id as id

select 'subscriptions' as "table", count(*)::int as rows, count(*) filter (where xmin = pg_current_xact_id()::xid)::int as written from "understudy"."subscriptions" where sandbox_id = $1 union all select 'tokens' as "table", count(*)::int as rows, count(*) filter (where xmin = pg_current_xact_id()::xid)::int as written from "understudy"."tokens" where sandbox_id = $2 union all select 'user_groups' as "table", count(*)::int as rows, count(*) filter (where xmin = pg_current_xact_id()::xid)::int as written from "understudy"."user_groups" where sandbox_id = $3 union all select 'group_projects' as "table", count(*)::int as rows, count(*) filter (where xmin = pg_current_xact_id()::xid)::int as written from "understudy"."group_projects" where sandbox_id = $4 union all select 'users' as "table", count(*)::int as rows, count(*) filter (where xmin = pg_current_xact_id()::xid)::int as written from "understudy"."users" where sandbox_id = $5 union all select 'groups' as "table", count(*)::int as rows, count(*) filter (where xmin = pg_current_xact_id()::xid)::int as written from "understudy"."groups" where sandbox_id = $6 union all select 'components' as "table", count(*)::int as rows, count(*) filter (where xmin = pg_current_xact_id()::xid)::int as written from "understudy"."components" where sandbox_id = $7 union all select 'projects' as "table", count(*)::int as rows, count(*) filter (where xmin = pg_current_xact_id()::xid)::int as written from "understudy"."projects" where sandbox_id = $8

select understudy.sync_rows($1::int4, $2::int4)

select understudy.name_template($1::int4, $2) as id

select understudy.set_baseline($1::int4, $2::int4)

analyze "understudy"."subscriptions", "understudy"."tokens", "understudy"."user_groups", "understudy"."group_projects", "understudy"."users", "understudy"."groups", "understudy"."components", "understudy"."projects"
