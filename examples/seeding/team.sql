-- Writes the same data as each script of this folder: a project, its testers, and their subscriptions. For an empty sandbox:
--
--   weblate-understudy sql team.sql
--   psql "$DATABASE_URL" -1 -f team.sql
--
-- Adds the rows that are missing and changes nothing else. The ids are given, so they are the same in every database, and a second run,
-- which writes no row, uses up no ids.

insert into understudy.projects (id, slug, name)
values (1, 'website', 'Website')
on conflict (sandbox_id, slug) do nothing;

insert into understudy.components (id, project_id, slug, name)
values (1, 1, 'pages', 'Pages')
on conflict (sandbox_id, project_id, slug) do nothing;

insert into understudy.users (id, username, full_name, is_superuser, date_joined)
values (1, 'ada', 'Ada Example', true, '2026-01-01T00:00:00Z')
on conflict (sandbox_id, username_key) do nothing;

insert into understudy.users (id, username, full_name, date_joined)
select 1 + n, 'tester-' || n, 'Tester ' || n, '2026-01-01T00:00:00Z' from generate_series(1, 5) n
on conflict (sandbox_id, username_key) do nothing;

select understudy.add_token('ada', 'wlu_ada_public_sample_token_000000000000');

-- Users inserted with SQL don't join the groups that new users join automatically, so this statement adds them.
insert into understudy.user_groups (user_id, group_id)
select u.id, g.id
from understudy.users u, understudy.groups g
where u.sandbox_id = 1 and u.id <= 6 and g.sandbox_id = 1 and g.automatic
on conflict do nothing;

-- Scope 40 stands for a component, 10 for watched projects; frequency 1 stands for instant, 2 for daily.
insert into understudy.subscriptions (id, user_id, notification, scope, frequency, component_id)
values (1, 1, 'NewStringNotificaton', 40, 1, 1)
on conflict on constraint subscriptions_unique do nothing;

insert into understudy.subscriptions (id, user_id, notification, scope, frequency)
select 1 + n, 1 + n, 'NewAnnouncementNotificaton', 10, 2 from generate_series(1, 5) n
on conflict on constraint subscriptions_unique do nothing;
