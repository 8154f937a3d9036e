select "id" from "understudy"."sandboxes" where "name" = $1::text

start transaction isolation level read committed

select set_config('understudy.counts_ids', 'on', true), set_config('statement_timeout', '0', true), set_config('plan_cache_mode', 'force_generic_plan', true)

select * from "understudy"."counters" where "sandbox_id" = $1 for update

select id, slug from understudy.projects where sandbox_id = $1 and (slug = any($2::text[]) or id = any($3::int4[])) order by id

select c.id, p.slug || '/' || c.slug as path from understudy.components c join understudy.projects p on p.sandbox_id = c.sandbox_id and p.id = c.project_id where c.sandbox_id = $1 and (c.id = any($2::int4[]) or (p.slug, c.slug) in (select split_part(path, '/', 1), split_part(path, '/', 2) from unnest($3::text[]) path)) order by c.id

select id, username, username_key, email_key from understudy.users where sandbox_id = $1 and (id = any($2::int4[]) or username_key = any(array(select understudy.username_key(name) from unnest($3::text[]) name)) or email_key = any(array(select understudy.username_key(email) from unnest($4::text[]) email))) order by id

select id, name, automatic, defining_project_id from understudy.groups where sandbox_id = $1 order by id

select group_id as owner, project_id as other from understudy.group_projects where sandbox_id = $1 and group_id = any($2::int4[]) order by group_id, project_id

select encode(hash, 'hex') as hash, user_id from understudy.tokens where sandbox_id = $1 and hash = any(array(select decode(hex, 'hex') from unnest($2::text[]) hex)) order by hash

select user_id as owner, group_id as other from understudy.user_groups where sandbox_id = $1 and user_id = any($2::int4[]) order by user_id, group_id

select id, user_id, notification, scope, project_id, component_id from understudy.subscriptions where sandbox_id = $1 and (user_id = any($2::int4[]) or id = any($3::int4[])) order by id

insert into "understudy"."projects" (sandbox_id, "id", "slug", "name", "web", "private") select $1::int4, r."id", r."slug", r."name", r."web", r."private" from jsonb_populate_recordset(null::"understudy"."projects", $2::jsonb) r order by r.id

insert into "understudy"."components" (sandbox_id, "id", "project_id", "slug", "name") select $1::int4, r."id", r."project_id", r."slug", r."name" from jsonb_populate_recordset(null::"understudy"."components", $2::jsonb) r order by r.id

insert into "understudy"."groups" (sandbox_id, "id", "name", "automatic", "project_selection", "language_selection", "defining_project_id", "roles", "permissions") select $1::int4, r."id", r."name", r."automatic", r."project_selection", r."language_selection", r."defining_project_id", r."roles", r."permissions" from jsonb_populate_recordset(null::"understudy"."groups", $2::jsonb) r order by r.id

insert into "understudy"."users" (sandbox_id, "id", "username", "full_name", "email", "is_superuser", "is_active", "is_bot", "is_internal", "date_joined", "date_expires", "last_login", "profile") select $1::int4, r."id", r."username", r."full_name", r."email", r."is_superuser", r."is_active", r."is_bot", r."is_internal", r."date_joined", r."date_expires", r."last_login", r."profile" from jsonb_populate_recordset(null::"understudy"."users", $2::jsonb) r order by r.id

insert into "understudy"."subscriptions" (sandbox_id, "id", "user_id", "notification", "scope", "project_id", "component_id", "frequency") select $1::int4, r."id", r."user_id", r."notification", r."scope", r."project_id", r."component_id", r."frequency" from jsonb_populate_recordset(null::"understudy"."subscriptions", $2::jsonb) r order by r.id

insert into "understudy"."user_groups" (sandbox_id, "user_id", "group_id") select $1::int4, l.owner, l.other from unnest($2::int4[], $3::int4[]) l(owner, other)

insert into "understudy"."group_projects" (sandbox_id, "group_id", "project_id") select $1::int4, l.owner, l.other from unnest($2::int4[], $3::int4[]) l(owner, other)

insert into understudy.tokens (sandbox_id, hash, user_id) select $1::int4, decode(t.hex, 'hex'), t.user_id from unnest($2::text[], $3::int4[]) t(hex, user_id)

update understudy.counters set next_user_id = $1, next_group_id = $2, next_project_id = $3, next_component_id = $4, next_subscription_id = $5 where sandbox_id = $6 and (next_user_id, next_group_id, next_project_id, next_component_id, next_subscription_id) is distinct from ($7::int4, $8::int4, $9::int4, $10::int4, $11::int4)

update understudy.sandboxes set seed_name = $1, seed_digest = $2, seeded_at = now() where id = $3 and ($4::boolean or seed_name is null or seed_name = $5) and (seed_name, seed_digest, seeded_at is null) is distinct from ($6::text, $7::text, false)

commit

update "understudy"."projects" t set "name" = (w.r)."name", "web" = (w.r)."web", "private" = (w.r)."private" from ( select old.id, jsonb_populate_record(old, said) as r from jsonb_array_elements($1::jsonb) said join "understudy"."projects" old on old.sandbox_id = $2 and old.id = (said->>'id')::int4 offset 0 ) w where t.sandbox_id = $3 and t.id = w.id and (t."name", t."web", t."private") is distinct from ((w.r)."name", (w.r)."web", (w.r)."private")

update "understudy"."components" t set "name" = (w.r)."name" from ( select old.id, jsonb_populate_record(old, said) as r from jsonb_array_elements($1::jsonb) said join "understudy"."components" old on old.sandbox_id = $2 and old.id = (said->>'id')::int4 offset 0 ) w where t.sandbox_id = $3 and t.id = w.id and (t."name") is distinct from ((w.r)."name")

update "understudy"."groups" t set "name" = (w.r)."name", "automatic" = (w.r)."automatic", "project_selection" = (w.r)."project_selection", "language_selection" = (w.r)."language_selection", "defining_project_id" = (w.r)."defining_project_id", "roles" = (w.r)."roles", "permissions" = (w.r)."permissions" from ( select old.id, jsonb_populate_record(old, said) as r from jsonb_array_elements($1::jsonb) said join "understudy"."groups" old on old.sandbox_id = $2 and old.id = (said->>'id')::int4 offset 0 ) w where t.sandbox_id = $3 and t.id = w.id and (t."name", t."automatic", t."project_selection", t."language_selection", t."defining_project_id", t."roles", t."permissions") is distinct from ((w.r)."name", (w.r)."automatic", (w.r)."project_selection", (w.r)."language_selection", (w.r)."defining_project_id", (w.r)."roles", (w.r)."permissions")

update "understudy"."users" t set "username" = (w.r)."username", "full_name" = (w.r)."full_name", "email" = (w.r)."email", "is_superuser" = (w.r)."is_superuser", "is_active" = (w.r)."is_active", "is_bot" = (w.r)."is_bot", "is_internal" = (w.r)."is_internal", "date_joined" = (w.r)."date_joined", "date_expires" = (w.r)."date_expires", "last_login" = (w.r)."last_login", "profile" = (w.r)."profile" from ( select old.id, jsonb_populate_record(old, said) as r from jsonb_array_elements($1::jsonb) said join "understudy"."users" old on old.sandbox_id = $2 and old.id = (said->>'id')::int4 offset 0 ) w where t.sandbox_id = $3 and t.id = w.id and (t."username", t."full_name", t."email", t."is_superuser", t."is_active", t."is_bot", t."is_internal", t."date_joined", t."date_expires", t."last_login", t."profile") is distinct from ((w.r)."username", (w.r)."full_name", (w.r)."email", (w.r)."is_superuser", (w.r)."is_active", (w.r)."is_bot", (w.r)."is_internal", (w.r)."date_joined", (w.r)."date_expires", (w.r)."last_login", (w.r)."profile")

update "understudy"."subscriptions" t set "frequency" = (w.r)."frequency" from ( select old.id, jsonb_populate_record(old, said) as r from jsonb_array_elements($1::jsonb) said join "understudy"."subscriptions" old on old.sandbox_id = $2 and old.id = (said->>'id')::int4 offset 0 ) w where t.sandbox_id = $3 and t.id = w.id and (t."frequency") is distinct from ((w.r)."frequency")

delete from "understudy"."group_projects" t using unnest($1::int4[], $2::int4[]) l(owner, other) where t.sandbox_id = $3 and t."group_id" = l.owner and t."project_id" = l.other

delete from "understudy"."subscriptions" where sandbox_id = $1

delete from "understudy"."tokens" where sandbox_id = $1

delete from "understudy"."user_groups" where sandbox_id = $1

delete from "understudy"."group_projects" where sandbox_id = $1

delete from "understudy"."users" where sandbox_id = $1

delete from "understudy"."groups" where sandbox_id = $1

delete from "understudy"."components" where sandbox_id = $1

delete from "understudy"."projects" where sandbox_id = $1

analyze "understudy"."subscriptions", "understudy"."tokens", "understudy"."user_groups", "understudy"."group_projects", "understudy"."users", "understudy"."groups", "understudy"."components", "understudy"."projects"
