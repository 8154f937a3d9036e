
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA understudy;

CREATE FUNCTION understudy.add_hidden_copy(source integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
   declare
     copy integer;
   begin
     insert into understudy.sandboxes (seed_name, seed_digest, seeded_at)
       select seed_name, seed_digest, seeded_at from understudy.sandboxes where id = source returning id into copy;
     if copy is not null and not understudy.copy_rows(source, copy) then
       delete from understudy.sandboxes where id = copy;
       return null;
     end if;
     return copy;
   end $$;

CREATE FUNCTION understudy.add_own_tokens(target integer) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    AS $$
   begin
     insert into understudy.tokens (sandbox_id, hash, user_id)
       select target, o.hash, u.id
       from understudy.sandbox_tokens o
       join understudy.users u on u.sandbox_id = target and u.username_key = o.username_key
       where o.sandbox_id = target
       on conflict do nothing;
   end $$;

CREATE FUNCTION understudy.add_sandbox_tokens(target integer, at_most integer, usernames text[] DEFAULT NULL::text[]) RETURNS TABLE(username text, is_superuser boolean, token text)
    LANGUAGE plpgsql
    AS $$
   declare
     sandbox text;
   begin
     perform from understudy.counters c where c.sandbox_id = target for key share;
     select s.name into sandbox from understudy.sandboxes s where s.id = target;
     return query
       with fresh as materialized (
         select u.id, u.username, u.username_key, u.is_superuser,
           'wlu_sandbox_' || sandbox || '_' || replace(gen_random_uuid()::text, '-', '') as token
         from understudy.users u
         where u.sandbox_id = target and case when usernames is null then u.is_active and not u.is_internal
           else u.username_key = any(array(select understudy.username_key(name) from unnest(usernames) name)) end
         order by u.id limit at_most),
       own as (
         insert into understudy.sandbox_tokens (sandbox_id, hash, username_key)
           select target, sha256(convert_to(f.token, 'UTF8')), f.username_key from fresh f),
       usable as (
         insert into understudy.tokens (sandbox_id, hash, user_id)
           select target, sha256(convert_to(f.token, 'UTF8')), f.id from fresh f)
       select f.username, f.is_superuser, f.token from fresh f order by f.id;
   end $$;

CREATE FUNCTION understudy.add_token(username text, key text, sandbox_id integer DEFAULT 1) RETURNS void
    LANGUAGE plpgsql
    AS $$
   declare
     owner integer;
   begin
     perform from understudy.counters c where c.sandbox_id = add_token.sandbox_id for key share;
     select u.id into owner from understudy.users u
       where u.sandbox_id = add_token.sandbox_id and u.username_key = understudy.username_key(add_token.username);
     if owner is null then
       raise exception 'no user % in sandbox %', add_token.username, add_token.sandbox_id using errcode = 'foreign_key_violation';
     end if;
     insert into understudy.tokens (sandbox_id, hash, user_id)
       values (add_token.sandbox_id, sha256(convert_to(add_token.key, 'UTF8')), owner)
       on conflict on constraint tokens_pkey do update set user_id = excluded.user_id;
   end $$;

CREATE FUNCTION understudy.add_waiting_copy(template integer, at_most integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
   declare
     copy integer;
   begin
     perform from understudy.sandboxes s where s.id = template and s.template_key is not null for key share;
     if not found or not pg_try_advisory_xact_lock(736201153, template) or exists (
       select from understudy.sandboxes s where s.baseline_id = template and s.name is null and s.snapshot_of is null)
       or (select count(*) from (select from understudy.users u where u.sandbox_id = template
         union all select from understudy.subscriptions n where n.sandbox_id = template limit at_most + 1) counted) > at_most then
       return false;
     end if;
     copy := understudy.add_hidden_copy(template);
     update understudy.sandboxes set baseline_id = template where id = copy;
     return true;
   end $$;

CREATE FUNCTION understudy.automatic_groups(sandbox integer) RETURNS SETOF integer
    LANGUAGE plpgsql
    AS $$
   begin
     return query select g.id from understudy.groups g where g.sandbox_id = sandbox and g.automatic order by g.id;
   end $$;

CREATE FUNCTION understudy.change_membership(sandbox integer, member integer, target integer, joins boolean, OUT outcome text, OUT groups integer[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
   declare
     found_user understudy.users;
   begin
     select u.* into found_user from understudy.users u where u.sandbox_id = sandbox and u.id = member;
     if not exists (select from understudy.groups g where g.sandbox_id = sandbox and g.id = target) then
       outcome := 'no group';
     elsif joins and not found_user.is_active then
       outcome := 'inactive';
     elsif joins then
       insert into understudy.user_groups (sandbox_id, user_id, group_id) values (sandbox, member, target) on conflict do nothing;
     elsif found_user.is_bot and not exists (select from understudy.user_groups m
       where m.sandbox_id = sandbox and m.user_id = member and m.group_id <> target) then
       outcome := 'last of bot';
     else
       delete from understudy.user_groups m where m.sandbox_id = sandbox and m.user_id = member and m.group_id + 0 = target;
       if found then
         perform understudy.drop_closed(sandbox, array[member]);
       end if;
     end if;
     groups := array(select m.group_id from understudy.user_groups m where m.sandbox_id = sandbox and m.user_id = member order by 1);
   end $$;

CREATE FUNCTION understudy.change_part(sandbox integer, changed integer, part text, adds boolean, value text, OUT outcome text, OUT group_id integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
   declare
     named integer := case when part <> 'languages' then value::integer end;
     project integer;
     member understudy.users;
   begin
     select g.defining_project_id into project from understudy.groups g where g.sandbox_id = sandbox and g.id = changed;
     if not found then
       outcome := 'gone';
       return;
     elsif part = 'languages' then
       update understudy.groups g set languages = array(
           select v from unnest(g.languages || value) v where adds or v <> value group by v order by v collate "C")
         where g.sandbox_id = sandbox and g.id = changed and (adds or value = any(g.languages));
     elsif part = 'roles' then
       update understudy.groups g set roles = array(
           select v from unnest(g.roles || named) v where adds or v <> named group by v order by v)
         where g.sandbox_id = sandbox and g.id = changed and (adds or named = any(g.roles));
     elsif part = 'projects' and adds then
       insert into understudy.group_projects as o select sandbox, changed, t.id from understudy.projects t
         where t.sandbox_id = sandbox and t.id = named 
         on conflict on constraint group_projects_pkey do update set project_id = o.project_id;
     elsif part = 'projects' then
       delete from understudy.group_projects o where o.sandbox_id = sandbox and o.group_id = changed and o.project_id = named;
     elsif part = 'components' and adds then
       insert into understudy.group_components as o select sandbox, changed, t.id from understudy.components t
         where t.sandbox_id = sandbox and t.id = named and t.project_id = coalesce(project, t.project_id)
         on conflict on constraint group_components_pkey do update set component_id = o.component_id;
     elsif part = 'components' then
       delete from understudy.group_components o where o.sandbox_id = sandbox and o.group_id = changed and o.component_id = named;
     elsif part = 'admins' and adds then
       select u.* into member from understudy.users u where u.sandbox_id = sandbox and u.id = named;
       if member.username_key = 'anonymous' or not member.is_active then
         outcome := case when member.username_key = 'anonymous' then 'anonymous' else 'inactive' end;
         return;
       end if;
       insert into understudy.user_groups select sandbox, member.id, changed where member.id is not null on conflict do nothing;
       insert into understudy.group_admins as o select sandbox, changed, member.id where member.id is not null
         on conflict on constraint group_admins_pkey do update set user_id = o.user_id;
     elsif part = 'admins' then
       delete from understudy.group_admins o where o.sandbox_id = sandbox and o.group_id = changed and o.user_id = named;
     end if;
     outcome := case when found then 'done' else 'unknown' end;
   end $$;

CREATE FUNCTION understudy.copy_rows(source integer, target integer) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    AS $$
   begin
     perform set_config('understudy.counts_ids', 'on', true);
     with copied_projects as (insert into understudy.projects (sandbox_id, id, slug, name, web, private)
     select target, s.id, s.slug, s.name, s.web, s.private
     from understudy.projects s
     where s.sandbox_id = source ),
copied_components as (insert into understudy.components (sandbox_id, id, project_id, slug, name)
     select target, s.id, s.project_id, s.slug, s.name
     from understudy.components s
     where s.sandbox_id = source ),
copied_groups as (insert into understudy.groups (sandbox_id, id, name, automatic, internal, enforced_2fa, project_selection, language_selection, roles, languages, permissions, defining_project_id)
     select target, s.id, s.name, s.automatic, s.internal, s.enforced_2fa, s.project_selection, s.language_selection, s.roles, s.languages, s.permissions, s.defining_project_id
     from understudy.groups s
     where s.sandbox_id = source ),
copied_users as (insert into understudy.users (sandbox_id, id, username, full_name, email, is_superuser, is_active, is_bot, is_internal, date_joined, date_expires, last_login, profile)
     select target, s.id, s.username, s.full_name, s.email, s.is_superuser, s.is_active, s.is_bot, s.is_internal, s.date_joined, s.date_expires, s.last_login, s.profile
     from understudy.users s
     where s.sandbox_id = source ),
copied_subscriptions as (insert into understudy.subscriptions (sandbox_id, id, user_id, notification, scope, project_id, component_id, frequency, project, component, private_project_id)
     select target, s.id, s.user_id, s.notification, s.scope, s.project_id, s.component_id, s.frequency, s.project, s.component, s.private_project_id
     from understudy.subscriptions s
     where s.sandbox_id = source ),
copied_tokens as (insert into understudy.tokens (sandbox_id, hash, user_id)
     select target, s.hash, s.user_id
     from understudy.tokens s
     where s.sandbox_id = source and not exists (
  select from understudy.sandbox_tokens o where o.sandbox_id = s.sandbox_id and o.hash = s.hash)),
copied_user_groups as (insert into understudy.user_groups (sandbox_id, user_id, group_id)
     select target, s.user_id, s.group_id
     from understudy.user_groups s
     where s.sandbox_id = source ),
copied_group_projects as (insert into understudy.group_projects (sandbox_id, group_id, project_id)
     select target, s.group_id, s.project_id
     from understudy.group_projects s
     where s.sandbox_id = source ),
copied_group_components as (insert into understudy.group_components (sandbox_id, group_id, component_id)
     select target, s.group_id, s.component_id
     from understudy.group_components s
     where s.sandbox_id = source ),
copied_group_admins as (insert into understudy.group_admins (sandbox_id, group_id, user_id)
     select target, s.group_id, s.user_id
     from understudy.group_admins s
     where s.sandbox_id = source )
     insert into understudy.counters (sandbox_id, next_project_id, next_component_id, next_group_id, next_user_id, next_subscription_id, clock)
       select target, next_project_id, next_component_id, next_group_id, next_user_id, next_subscription_id, clock
       from understudy.counters
       where sandbox_id = source;
     return found;
   end $$;

CREATE FUNCTION understudy.drop_closed(sandbox integer, leavers integer[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
   declare
     leaver integer;
   begin
     for leaver in select u.id from understudy.users u where u.sandbox_id = sandbox and u.id = any(leavers) and not u.is_superuser loop
       delete from understudy.subscriptions x where x.sandbox_id = sandbox and x.user_id = leaver
         and x.private_project_id is not null and not understudy.is_open_to(sandbox, leaver, x.private_project_id);
     end loop;
   end $$;

CREATE FUNCTION understudy.drop_group(sandbox integer, former integer, OUT outcome text, OUT group_id integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
   declare
     members integer[] := array(select m.user_id from understudy.user_groups m where m.sandbox_id = sandbox and m.group_id = former);
   begin
     delete from understudy.groups g where g.sandbox_id = sandbox and g.id = former;
     outcome := case when found then 'done' else 'gone' end;
     perform understudy.drop_closed(sandbox, members);
   end $$;

CREATE FUNCTION understudy.drop_rows(target integer) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    AS $$
   begin
     delete from understudy.group_admins where sandbox_id = target;
delete from understudy.group_components where sandbox_id = target;
delete from understudy.group_projects where sandbox_id = target;
delete from understudy.user_groups where sandbox_id = target;
delete from understudy.tokens where sandbox_id = target;
delete from understudy.subscriptions where sandbox_id = target;
delete from understudy.users where sandbox_id = target;
delete from understudy.groups where sandbox_id = target;
delete from understudy.components where sandbox_id = target;
delete from understudy.projects where sandbox_id = target;
     delete from understudy.sandboxes where id = target;
   end $$;

CREATE FUNCTION understudy.drop_sandbox(target integer, only_expired_before timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
   begin
     perform from understudy.counters c where c.sandbox_id = target for update;
     if not exists (select from understudy.sandboxes s where s.id = target
       and (only_expired_before is null or s.expires_at < only_expired_before)) then
       return false;
     end if;
     perform understudy.drop_snapshots(target);
     perform understudy.set_baseline(target, null);
     perform understudy.drop_rows(target);
     return true;
   end $$;

CREATE FUNCTION understudy.drop_snapshots(target integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
   declare
     snapshot integer;
   begin
     for snapshot in select id from understudy.sandboxes where snapshot_of = target order by id loop
       perform understudy.set_baseline(snapshot, null);
       perform understudy.drop_rows(snapshot);
     end loop;
   end $$;

CREATE FUNCTION understudy.drop_undo(target integer, older_than interval DEFAULT NULL::interval) RETURNS void
    LANGUAGE plpgsql
    AS $$
   declare
     kept integer;
   begin
     perform from understudy.counters c where c.sandbox_id = target for update;
     select s.id into kept from understudy.sandboxes s where s.snapshot_of = target and s.snapshot_name is null
       and (older_than is null or s.created_at < now() - older_than);
     if found then
       perform understudy.set_baseline(kept, null);
       perform understudy.drop_rows(kept);
     end if;
   end $$;

CREATE FUNCTION understudy.drop_unused_template(template integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
   begin
     perform from understudy.sandboxes s where s.id = template and s.name is null and s.snapshot_of is null for update;
     if not found or exists (
       select from understudy.sandboxes s where s.baseline_id = template and (s.name is not null or s.snapshot_of is not null)) then
       return false;
     end if;
     perform understudy.drop_rows(s.id) from understudy.sandboxes s where s.baseline_id = template;
     perform understudy.drop_rows(template);
     return true;
   end $$;

CREATE FUNCTION understudy.empty_user(sandbox integer, owner integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
   begin
     delete from understudy.tokens k where k.sandbox_id = sandbox and k.user_id = owner;
     delete from understudy.user_groups m where m.sandbox_id = sandbox and m.user_id = owner;
     delete from understudy.subscriptions x where x.sandbox_id = sandbox and x.user_id = owner;
     return owner;
   end $$;

CREATE FUNCTION understudy.fill_date_joined() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     new.date_joined := coalesce((select c.clock from understudy.counters c where c.sandbox_id = new.sandbox_id), now());
     return new;
   end $$;

CREATE FUNCTION understudy.fill_target() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     new.project := null;
     new.component := null;
     if new.component_id is not null then
       select p.slug || '/' || c.slug, case when p.private then p.id end into new.component, new.private_project_id
         from understudy.components c join understudy.projects p on p.sandbox_id = c.sandbox_id and p.id = c.project_id
         where c.sandbox_id = new.sandbox_id and c.id = new.component_id;
     else
       select p.slug, case when p.private then p.id end into new.project, new.private_project_id
         from understudy.projects p where p.sandbox_id = new.sandbox_id and p.id = new.project_id;
     end if;
     return new;
   end $$;

CREATE FUNCTION understudy.follow_component() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     update understudy.subscriptions s set component_id = s.component_id
       where s.sandbox_id = new.sandbox_id and s.component_id = new.id;
     return null;
   end $$;

CREATE FUNCTION understudy.follow_project() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     update understudy.subscriptions s set project_id = s.project_id
       where s.sandbox_id = new.sandbox_id and (s.project_id = new.id or s.component_id in
         (select c.id from understudy.components c where c.sandbox_id = new.sandbox_id and c.project_id = new.id));
     return null;
   end $$;

CREATE FUNCTION understudy.forget_next_component_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform set_config('understudy.next_component_id', '', true);
      return null;
    end $$;

CREATE FUNCTION understudy.forget_next_group_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform set_config('understudy.next_group_id', '', true);
      return null;
    end $$;

CREATE FUNCTION understudy.forget_next_project_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform set_config('understudy.next_project_id', '', true);
      return null;
    end $$;

CREATE FUNCTION understudy.forget_next_subscription_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform set_config('understudy.next_subscription_id', '', true);
      return null;
    end $$;

CREATE FUNCTION understudy.forget_next_user_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform set_config('understudy.next_user_id', '', true);
      return null;
    end $$;

CREATE FUNCTION understudy.is_granted(sandbox integer, principal integer, any_of text[]) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
   begin
     return exists (select from understudy.user_groups m
       where m.sandbox_id = sandbox and m.user_id = principal and exists (
         select from understudy.groups g
         where g.sandbox_id = m.sandbox_id and g.id = m.group_id and g.permissions && any_of offset 0) offset 0);
   end $$;

CREATE FUNCTION understudy.is_open_to(sandbox integer, principal integer, project integer) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
   begin
     return exists (select from understudy.user_groups m
       where m.sandbox_id = sandbox and m.user_id = principal and exists (
         select from understudy.groups g
         where g.sandbox_id = m.sandbox_id and g.id = m.group_id and not g.enforced_2fa and case
           when exists (select from understudy.group_components n where n.sandbox_id = g.sandbox_id and n.group_id = g.id offset 0)
             then exists (select from understudy.group_components n, lateral (
               select from understudy.components c
               where c.sandbox_id = n.sandbox_id and c.id = n.component_id and c.project_id = project offset 0) c
               where n.sandbox_id = g.sandbox_id and n.group_id = g.id offset 0)
           when g.project_selection in (0, 2) then exists (select from understudy.group_projects o
             where o.sandbox_id = g.sandbox_id and o.group_id = g.id and o.project_id = project offset 0)
           else g.project_selection = 1 end offset 0) offset 0);
   end $$;

CREATE FUNCTION understudy.keep_undo(target integer, at_most integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
   declare
     kept integer;
     held bigint;
   begin
     perform understudy.drop_undo(target);
     select count(*) into held from (select from understudy.users u where u.sandbox_id = target
       union all select from understudy.subscriptions n where n.sandbox_id = target limit at_most + 1) counted;
     if held <= at_most then
       kept := understudy.add_hidden_copy(target);
       update understudy.sandboxes s set snapshot_of = target, baseline_id = t.baseline_id
         from understudy.sandboxes t where s.id = kept and t.id = target;
     end if;
   end $$;

CREATE FUNCTION understudy.name_template(hidden integer, template text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
   declare
     shared integer;
   begin
     perform pg_advisory_xact_lock(736201151, hashtext(template));
     select s.id into shared from understudy.sandboxes s where s.template_key = template;
     if not found then
       update understudy.sandboxes s set template_key = template where s.id = hidden;
     end if;
     return coalesce(shared, hidden);
   end $$;

CREATE FUNCTION understudy.next_component_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    declare
      kept integer[] := string_to_array(nullif(current_setting('understudy.next_component_id', true), ''), ' ');
    begin
      if kept[1] is distinct from new.sandbox_id then
        update understudy.counters set next_component_id = kept[2] where sandbox_id = kept[1] and next_component_id < kept[2];
        select array[sandbox_id, next_component_id] into kept
          from understudy.counters where sandbox_id = new.sandbox_id for no key update;
      end if;
      if new.id is null then
        new.id := kept[2];
        kept[2] := kept[2] + 1;
      end if;
      perform set_config('understudy.next_component_id', array_to_string(kept, ' '), true);
      return new;
    end $$;

CREATE FUNCTION understudy.next_group_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    declare
      kept integer[] := string_to_array(nullif(current_setting('understudy.next_group_id', true), ''), ' ');
    begin
      if kept[1] is distinct from new.sandbox_id then
        update understudy.counters set next_group_id = kept[2] where sandbox_id = kept[1] and next_group_id < kept[2];
        select array[sandbox_id, next_group_id] into kept
          from understudy.counters where sandbox_id = new.sandbox_id for no key update;
      end if;
      if new.id is null then
        new.id := kept[2];
        kept[2] := kept[2] + 1;
      end if;
      perform set_config('understudy.next_group_id', array_to_string(kept, ' '), true);
      return new;
    end $$;

CREATE FUNCTION understudy.next_project_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    declare
      kept integer[] := string_to_array(nullif(current_setting('understudy.next_project_id', true), ''), ' ');
    begin
      if kept[1] is distinct from new.sandbox_id then
        update understudy.counters set next_project_id = kept[2] where sandbox_id = kept[1] and next_project_id < kept[2];
        select array[sandbox_id, next_project_id] into kept
          from understudy.counters where sandbox_id = new.sandbox_id for no key update;
      end if;
      if new.id is null then
        new.id := kept[2];
        kept[2] := kept[2] + 1;
      end if;
      perform set_config('understudy.next_project_id', array_to_string(kept, ' '), true);
      return new;
    end $$;

CREATE FUNCTION understudy.next_subscription_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    declare
      kept integer[] := string_to_array(nullif(current_setting('understudy.next_subscription_id', true), ''), ' ');
    begin
      if kept[1] is distinct from new.sandbox_id then
        update understudy.counters set next_subscription_id = kept[2] where sandbox_id = kept[1] and next_subscription_id < kept[2];
        select array[sandbox_id, next_subscription_id] into kept
          from understudy.counters where sandbox_id = new.sandbox_id for no key update;
      end if;
      if new.id is null then
        new.id := kept[2];
        kept[2] := kept[2] + 1;
      end if;
      perform set_config('understudy.next_subscription_id', array_to_string(kept, ' '), true);
      return new;
    end $$;

CREATE FUNCTION understudy.next_user_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    declare
      kept integer[] := string_to_array(nullif(current_setting('understudy.next_user_id', true), ''), ' ');
    begin
      if kept[1] is distinct from new.sandbox_id then
        update understudy.counters set next_user_id = kept[2] where sandbox_id = kept[1] and next_user_id < kept[2];
        select array[sandbox_id, next_user_id] into kept
          from understudy.counters where sandbox_id = new.sandbox_id for no key update;
      end if;
      if new.id is null then
        new.id := kept[2];
        kept[2] := kept[2] + 1;
      end if;
      perform set_config('understudy.next_user_id', array_to_string(kept, ' '), true);
      return new;
    end $$;

CREATE FUNCTION understudy.put_group(sandbox integer, target integer, given jsonb, OUT outcome text, OUT group_id integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
   declare
     former understudy.groups;
     put understudy.groups;
   begin
     select g.* into former from understudy.groups g where g.sandbox_id = sandbox and g.id = target;
     put := jsonb_populate_record(former, given);
     if target is null and given->>'defining_project' <> '' then
       select p.id into put.defining_project_id from understudy.projects p
         where p.sandbox_id = sandbox and p.slug = given->>'defining_project';
     end if;
     if former.id is distinct from target or given->>'defining_project' <> '' and put.defining_project_id is null then
       outcome := 'gone';
     elsif exists (select from understudy.groups g where g.sandbox_id = sandbox and g.name = put.name
       and g.defining_project_id = put.defining_project_id and g.id is distinct from target) then
       outcome := 'taken';
     elsif former.defining_project_id is not null and former.project_selection <> put.project_selection then
       outcome := 'scoped';
     elsif target is null then
       update understudy.counters c set next_group_id = next_group_id + 1 where c.sandbox_id = sandbox
         returning next_group_id - 1 into put.id;
       put.sandbox_id := sandbox;
       insert into understudy.groups select put.*;
       insert into understudy.group_projects select sandbox, put.id, put.defining_project_id where put.defining_project_id is not null;
     else
       update understudy.groups g set (name, project_selection, language_selection, enforced_2fa) =
         row(put.name, put.project_selection, put.language_selection, put.enforced_2fa) where g.sandbox_id = sandbox and g.id = target;
       delete from understudy.group_projects o where o.sandbox_id = sandbox and o.group_id = target and put.project_selection <> 0;
     end if;
     outcome := coalesce(outcome, 'done');
     group_id := case outcome when 'done' then put.id end;
   end $$;

CREATE FUNCTION understudy.put_sandbox(wanted text, source integer, lifetime integer, maximum integer, replaces boolean, OUT sandbox_id integer, OUT outcome text) RETURNS record
    LANGUAGE plpgsql
    AS $$
   declare
     baseline integer := source;
     named bigint;
   begin
     perform pg_advisory_xact_lock(736201150, hashtext(wanted));
     select c.sandbox_id into sandbox_id from understudy.sandboxes s join understudy.counters c on c.sandbox_id = s.id
       where s.name = wanted for update of c;
     if sandbox_id is null then
       select count(*) into named from understudy.sandboxes s where s.name is not null;
       if named + 100 > maximum then
         -- One after the other, each seeing what the one before made, or those of the same moment pass the maximum together.
         perform pg_advisory_xact_lock(736201152, 0);
         select count(*) into named from understudy.sandboxes s where s.name is not null;
       end if;
       if named >= maximum then
         outcome := 'full';
         return;
       end if;
     elsif not replaces then
       sandbox_id := null;
       outcome := 'taken';
       return;
     elsif current_setting('session_replication_role') = 'replica' then
       -- Without triggers nothing may be changed that others see.
       sandbox_id := null;
       outcome := 'there';
       return;
     end if;
     -- The share keeps the sweep from taking an unused template away meanwhile.
     perform from understudy.sandboxes s where s.id = source and s.template_key is not null for key share;
     if not found then
       baseline := understudy.add_hidden_copy(source);
     end if;
     if baseline is null then
       sandbox_id := null;
       outcome := 'source gone';
       return;
     end if;
     if sandbox_id is null then
       outcome := 'created';
       select s.id into sandbox_id from understudy.sandboxes s
         where s.baseline_id = baseline and s.name is null and s.snapshot_of is null limit 1 for update skip locked;
       if not found then
         sandbox_id := understudy.add_hidden_copy(baseline);
       end if;
       update understudy.sandboxes s set name = wanted, baseline_id = baseline, seeded_at = now(), created_at = now(),
         expires_at = now() + make_interval(secs => lifetime), lifetime_seconds = lifetime where s.id = sandbox_id;
     else
       outcome := 'replaced';
       delete from understudy.sandbox_tokens o where o.sandbox_id = put_sandbox.sandbox_id;
       perform understudy.sync_rows(baseline, sandbox_id);
       perform understudy.drop_snapshots(sandbox_id);
       perform understudy.set_baseline(sandbox_id, baseline);
       update understudy.sandboxes t set seed_name = s.seed_name, seed_digest = s.seed_digest, seeded_at = now(),
           created_at = now(), expires_at = now() + make_interval(secs => lifetime), lifetime_seconds = lifetime
         from understudy.sandboxes s where t.id = put_sandbox.sandbox_id and s.id = baseline;
     end if;
   end $$;

CREATE FUNCTION understudy.put_snapshot(wanted text, snapshot text, maximum integer) RETURNS text
    LANGUAGE plpgsql
    AS $$
   declare
     source integer;
     former integer;
     copy integer;
   begin
     select c.sandbox_id into source from understudy.sandboxes s join understudy.counters c on c.sandbox_id = s.id
       where s.name = wanted for update of c;
     if not found then
       return 'no sandbox';
     end if;
     select s.id into former from understudy.sandboxes s where s.snapshot_of = source and s.snapshot_name = snapshot;
     if former is not null then
       perform understudy.drop_rows(former);
     elsif (select count(s.snapshot_name) from understudy.sandboxes s where s.snapshot_of = source) >= maximum then
       return 'full';
     end if;
     copy := understudy.add_hidden_copy(source);
     update understudy.sandboxes set snapshot_of = source, snapshot_name = snapshot where id = copy;
     return case when former is null then 'created' else 'replaced' end;
   end $$;

CREATE FUNCTION understudy.raise_next_component_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      update understudy.counters c set next_component_id = seen.highest + 1
        from (select sandbox_id, max(id) as highest from inserted group by sandbox_id) seen
        where c.sandbox_id = seen.sandbox_id and c.next_component_id <= seen.highest;
      return null;
    end $$;

CREATE FUNCTION understudy.raise_next_group_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      update understudy.counters c set next_group_id = seen.highest + 1
        from (select sandbox_id, max(id) as highest from inserted group by sandbox_id) seen
        where c.sandbox_id = seen.sandbox_id and c.next_group_id <= seen.highest;
      return null;
    end $$;

CREATE FUNCTION understudy.raise_next_project_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      update understudy.counters c set next_project_id = seen.highest + 1
        from (select sandbox_id, max(id) as highest from inserted group by sandbox_id) seen
        where c.sandbox_id = seen.sandbox_id and c.next_project_id <= seen.highest;
      return null;
    end $$;

CREATE FUNCTION understudy.raise_next_subscription_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      update understudy.counters c set next_subscription_id = seen.highest + 1
        from (select sandbox_id, max(id) as highest from inserted group by sandbox_id) seen
        where c.sandbox_id = seen.sandbox_id and c.next_subscription_id <= seen.highest;
      return null;
    end $$;

CREATE FUNCTION understudy.raise_next_user_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      update understudy.counters c set next_user_id = seen.highest + 1
        from (select sandbox_id, max(id) as highest from inserted group by sandbox_id) seen
        where c.sandbox_id = seen.sandbox_id and c.next_user_id <= seen.highest;
      return null;
    end $$;

CREATE FUNCTION understudy.reset_sandbox(wanted text, snapshot text DEFAULT NULL::text, undo_at_most integer DEFAULT NULL::integer) RETURNS text
    LANGUAGE plpgsql
    AS $$
   declare
     target integer;
     source integer;
   begin
     select c.sandbox_id into target from understudy.sandboxes s join understudy.counters c on c.sandbox_id = s.id
       where s.name = wanted for update of c;
     if not found then
       return 'no sandbox';
     end if;
     -- Looked up after the lock, so that it is what stands now.
     if snapshot is null then
       select s.baseline_id into source from understudy.sandboxes s where s.id = target;
     else
       select s.id into source from understudy.sandboxes s where s.snapshot_of = target and s.snapshot_name = snapshot;
     end if;
     if source is null then
       return 'no source';
     end if;
     if undo_at_most is not null then
       perform understudy.keep_undo(target, undo_at_most);
     end if;
     perform understudy.sync_rows(source, target);
     return 'done';
   end $$;

CREATE FUNCTION understudy.revoke_sandbox_token(target integer, wanted text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
   declare
     revoked bytea;
   begin
     perform from understudy.counters c where c.sandbox_id = target for key share;
     delete from understudy.sandbox_tokens o where o.sandbox_id = target and encode(substr(o.hash, 1, 8), 'hex') = wanted
       returning o.hash into revoked;
     delete from understudy.tokens t where t.sandbox_id = target and t.hash = revoked;
     return revoked is not null;
   end $$;

CREATE FUNCTION understudy.session_key() RETURNS bytea
    LANGUAGE sql
    AS $$
     insert into understudy.session_keys default values on conflict do nothing;
     select key from understudy.session_keys
   $$;

CREATE FUNCTION understudy.set_baseline(target integer, baseline integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
   declare
     former integer;
   begin
     select s.baseline_id into former from understudy.sandboxes s where s.id = target;
     update understudy.sandboxes set baseline_id = baseline where id = target;
     if former is distinct from baseline and exists (
       select from understudy.sandboxes where id = former and name is null and template_key is null)
       and not exists (select from understudy.sandboxes where baseline_id = former) then
       perform understudy.drop_rows(former);
     end if;
   end $$;

CREATE FUNCTION understudy.sync_rows(source integer, target integer) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    AS $$
   declare
     deleted boolean := false;
     differing_projects boolean;
differing_components boolean;
differing_groups boolean;
differing_users boolean;
differing_subscriptions boolean;
differing_user_groups boolean;
differing_group_projects boolean;
differing_group_components boolean;
differing_group_admins boolean;
   begin
     perform set_config('understudy.counts_ids', 'on', true);
     delete from understudy.tokens t
     where t.sandbox_id = target
       and not exists (
         select from understudy.tokens s
         where s.sandbox_id = source and s.hash = t.hash and s.user_id = t.user_id)
       and not exists (
         select from understudy.sandbox_tokens o
         join understudy.users u
           on u.sandbox_id = target and u.id = t.user_id and u.username_key = o.username_key
         where o.sandbox_id = target and o.hash = t.hash);
     differing_group_admins := exists (
     select from (select * from understudy.group_admins where sandbox_id = source) s
     full join (select * from understudy.group_admins where sandbox_id = target) t on s.group_id = t.group_id and s.user_id = t.user_id
     where (s.group_id, s.user_id) is distinct from (t.group_id, t.user_id));
           if differing_group_admins then
             delete from understudy.group_admins t
   where t.sandbox_id = target
     and not exists (
       select from understudy.group_admins s
       where s.sandbox_id = source
         and s.group_id = t.group_id and s.user_id = t.user_id
         and (s.group_id, s.user_id) is not distinct from (t.group_id, t.user_id));
             deleted := deleted or found;
           end if;
differing_group_components := exists (
     select from (select * from understudy.group_components where sandbox_id = source) s
     full join (select * from understudy.group_components where sandbox_id = target) t on s.group_id = t.group_id and s.component_id = t.component_id
     where (s.group_id, s.component_id) is distinct from (t.group_id, t.component_id));
           if differing_group_components then
             delete from understudy.group_components t
   where t.sandbox_id = target
     and not exists (
       select from understudy.group_components s
       where s.sandbox_id = source
         and s.group_id = t.group_id and s.component_id = t.component_id
         and (s.group_id, s.component_id) is not distinct from (t.group_id, t.component_id));
             deleted := deleted or found;
           end if;
differing_group_projects := exists (
     select from (select * from understudy.group_projects where sandbox_id = source) s
     full join (select * from understudy.group_projects where sandbox_id = target) t on s.group_id = t.group_id and s.project_id = t.project_id
     where (s.group_id, s.project_id) is distinct from (t.group_id, t.project_id));
           if differing_group_projects then
             delete from understudy.group_projects t
   where t.sandbox_id = target
     and not exists (
       select from understudy.group_projects s
       where s.sandbox_id = source
         and s.group_id = t.group_id and s.project_id = t.project_id
         and (s.group_id, s.project_id) is not distinct from (t.group_id, t.project_id));
             deleted := deleted or found;
           end if;
differing_user_groups := exists (
     select from (select * from understudy.user_groups where sandbox_id = source) s
     full join (select * from understudy.user_groups where sandbox_id = target) t on s.user_id = t.user_id and s.group_id = t.group_id
     where (s.user_id, s.group_id) is distinct from (t.user_id, t.group_id));
           if differing_user_groups then
             delete from understudy.user_groups t
   where t.sandbox_id = target
     and not exists (
       select from understudy.user_groups s
       where s.sandbox_id = source
         and s.user_id = t.user_id and s.group_id = t.group_id
         and (s.user_id, s.group_id) is not distinct from (t.user_id, t.group_id));
             deleted := deleted or found;
           end if;
differing_subscriptions := exists (
     select from (select * from understudy.subscriptions where sandbox_id = source) s
     full join (select * from understudy.subscriptions where sandbox_id = target) t on s.id = t.id
     where (s.id, s.user_id, s.notification, s.scope, s.project_id, s.component_id, s.frequency, s.project, s.component, s.private_project_id) is distinct from (t.id, t.user_id, t.notification, t.scope, t.project_id, t.component_id, t.frequency, t.project, t.component, t.private_project_id));
           if differing_subscriptions then
             delete from understudy.subscriptions t
   where t.sandbox_id = target
     and not exists (
       select from understudy.subscriptions s
       where s.sandbox_id = source
         and s.id = t.id
         and (s.id, s.user_id, s.notification, s.scope, s.project_id, s.component_id) is not distinct from (t.id, t.user_id, t.notification, t.scope, t.project_id, t.component_id));
             deleted := deleted or found;
           end if;
differing_users := exists (
     select from (select * from understudy.users where sandbox_id = source) s
     full join (select * from understudy.users where sandbox_id = target) t on s.id = t.id
     where (s.id, s.username, s.full_name, s.email, s.is_superuser, s.is_active, s.is_bot, s.is_internal, s.date_joined, s.date_expires, s.last_login, s.profile::text) is distinct from (t.id, t.username, t.full_name, t.email, t.is_superuser, t.is_active, t.is_bot, t.is_internal, t.date_joined, t.date_expires, t.last_login, t.profile::text));
           if differing_users then
             delete from understudy.users t
   where t.sandbox_id = target
     and not exists (
       select from understudy.users s
       where s.sandbox_id = source
         and s.id = t.id
         and (s.id, s.username, s.email) is not distinct from (t.id, t.username, t.email));
             deleted := deleted or found;
           end if;
differing_groups := exists (
     select from (select * from understudy.groups where sandbox_id = source) s
     full join (select * from understudy.groups where sandbox_id = target) t on s.id = t.id
     where (s.id, s.name, s.automatic, s.internal, s.enforced_2fa, s.project_selection, s.language_selection, s.roles, s.languages, s.permissions, s.defining_project_id) is distinct from (t.id, t.name, t.automatic, t.internal, t.enforced_2fa, t.project_selection, t.language_selection, t.roles, t.languages, t.permissions, t.defining_project_id));
           if differing_groups then
             delete from understudy.groups t
   where t.sandbox_id = target
     and not exists (
       select from understudy.groups s
       where s.sandbox_id = source
         and s.id = t.id
         and (s.id) is not distinct from (t.id));
             deleted := deleted or found;
           end if;
differing_components := exists (
     select from (select * from understudy.components where sandbox_id = source) s
     full join (select * from understudy.components where sandbox_id = target) t on s.id = t.id
     where (s.id, s.project_id, s.slug, s.name) is distinct from (t.id, t.project_id, t.slug, t.name));
           if differing_components then
             delete from understudy.components t
   where t.sandbox_id = target
     and not exists (
       select from understudy.components s
       where s.sandbox_id = source
         and s.id = t.id
         and (s.id, s.project_id, s.slug) is not distinct from (t.id, t.project_id, t.slug));
             deleted := deleted or found;
           end if;
differing_projects := exists (
     select from (select * from understudy.projects where sandbox_id = source) s
     full join (select * from understudy.projects where sandbox_id = target) t on s.id = t.id
     where (s.id, s.slug, s.name, s.web, s.private) is distinct from (t.id, t.slug, t.name, t.web, t.private));
           if differing_projects then
             delete from understudy.projects t
   where t.sandbox_id = target
     and not exists (
       select from understudy.projects s
       where s.sandbox_id = source
         and s.id = t.id
         and (s.id, s.slug, s.private) is not distinct from (t.id, t.slug, t.private));
             deleted := deleted or found;
           end if;
     if deleted or differing_projects then
                update understudy.projects t
       set (name, web) = row(s.name, s.web)
       from understudy.projects s
       where t.sandbox_id = target
         and s.sandbox_id = source
         and s.id = t.id
         and (s.id, s.slug, s.name, s.web, s.private) is distinct from (t.id, t.slug, t.name, t.web, t.private);
                insert into understudy.projects (sandbox_id, id, slug, name, web, private)
     select target, s.id, s.slug, s.name, s.web, s.private
     from understudy.projects s
     where s.sandbox_id = source
     and not exists (
       select from understudy.projects t
       where t.sandbox_id = target and s.id = t.id);
              end if;
if deleted or differing_components then
                update understudy.components t
       set (name) = row(s.name)
       from understudy.components s
       where t.sandbox_id = target
         and s.sandbox_id = source
         and s.id = t.id
         and (s.id, s.project_id, s.slug, s.name) is distinct from (t.id, t.project_id, t.slug, t.name);
                insert into understudy.components (sandbox_id, id, project_id, slug, name)
     select target, s.id, s.project_id, s.slug, s.name
     from understudy.components s
     where s.sandbox_id = source
     and not exists (
       select from understudy.components t
       where t.sandbox_id = target and s.id = t.id);
              end if;
if deleted or differing_groups then
                update understudy.groups t
       set (name, automatic, internal, enforced_2fa, project_selection, language_selection, roles, languages, permissions, defining_project_id) = row(s.name, s.automatic, s.internal, s.enforced_2fa, s.project_selection, s.language_selection, s.roles, s.languages, s.permissions, s.defining_project_id)
       from understudy.groups s
       where t.sandbox_id = target
         and s.sandbox_id = source
         and s.id = t.id
         and (s.id, s.name, s.automatic, s.internal, s.enforced_2fa, s.project_selection, s.language_selection, s.roles, s.languages, s.permissions, s.defining_project_id) is distinct from (t.id, t.name, t.automatic, t.internal, t.enforced_2fa, t.project_selection, t.language_selection, t.roles, t.languages, t.permissions, t.defining_project_id);
                insert into understudy.groups (sandbox_id, id, name, automatic, internal, enforced_2fa, project_selection, language_selection, roles, languages, permissions, defining_project_id)
     select target, s.id, s.name, s.automatic, s.internal, s.enforced_2fa, s.project_selection, s.language_selection, s.roles, s.languages, s.permissions, s.defining_project_id
     from understudy.groups s
     where s.sandbox_id = source
     and not exists (
       select from understudy.groups t
       where t.sandbox_id = target and s.id = t.id);
              end if;
if deleted or differing_users then
                update understudy.users t
       set (full_name, is_superuser, is_active, is_bot, is_internal, date_joined, date_expires, last_login, profile) = row(s.full_name, s.is_superuser, s.is_active, s.is_bot, s.is_internal, s.date_joined, s.date_expires, s.last_login, s.profile)
       from understudy.users s
       where t.sandbox_id = target
         and s.sandbox_id = source
         and s.id = t.id
         and (s.id, s.username, s.full_name, s.email, s.is_superuser, s.is_active, s.is_bot, s.is_internal, s.date_joined, s.date_expires, s.last_login, s.profile::text) is distinct from (t.id, t.username, t.full_name, t.email, t.is_superuser, t.is_active, t.is_bot, t.is_internal, t.date_joined, t.date_expires, t.last_login, t.profile::text);
                insert into understudy.users (sandbox_id, id, username, full_name, email, is_superuser, is_active, is_bot, is_internal, date_joined, date_expires, last_login, profile)
     select target, s.id, s.username, s.full_name, s.email, s.is_superuser, s.is_active, s.is_bot, s.is_internal, s.date_joined, s.date_expires, s.last_login, s.profile
     from understudy.users s
     where s.sandbox_id = source
     and not exists (
       select from understudy.users t
       where t.sandbox_id = target and s.id = t.id);
              end if;
if deleted or differing_subscriptions then
                update understudy.subscriptions t
       set (frequency, project, component, private_project_id) = row(s.frequency, s.project, s.component, s.private_project_id)
       from understudy.subscriptions s
       where t.sandbox_id = target
         and s.sandbox_id = source
         and s.id = t.id
         and (s.id, s.user_id, s.notification, s.scope, s.project_id, s.component_id, s.frequency, s.project, s.component, s.private_project_id) is distinct from (t.id, t.user_id, t.notification, t.scope, t.project_id, t.component_id, t.frequency, t.project, t.component, t.private_project_id);
                insert into understudy.subscriptions (sandbox_id, id, user_id, notification, scope, project_id, component_id, frequency, project, component, private_project_id)
     select target, s.id, s.user_id, s.notification, s.scope, s.project_id, s.component_id, s.frequency, s.project, s.component, s.private_project_id
     from understudy.subscriptions s
     where s.sandbox_id = source
     and not exists (
       select from understudy.subscriptions t
       where t.sandbox_id = target and s.id = t.id);
              end if;
insert into understudy.tokens (sandbox_id, hash, user_id)
     select target, s.hash, s.user_id
     from understudy.tokens s
     where s.sandbox_id = source
     and not exists (
       select from understudy.tokens t
       where t.sandbox_id = target and s.hash = t.hash);
if deleted or differing_user_groups then
                
                insert into understudy.user_groups (sandbox_id, user_id, group_id)
     select target, s.user_id, s.group_id
     from understudy.user_groups s
     where s.sandbox_id = source
     and not exists (
       select from understudy.user_groups t
       where t.sandbox_id = target and s.user_id = t.user_id and s.group_id = t.group_id);
              end if;
if deleted or differing_group_projects then
                
                insert into understudy.group_projects (sandbox_id, group_id, project_id)
     select target, s.group_id, s.project_id
     from understudy.group_projects s
     where s.sandbox_id = source
     and not exists (
       select from understudy.group_projects t
       where t.sandbox_id = target and s.group_id = t.group_id and s.project_id = t.project_id);
              end if;
if deleted or differing_group_components then
                
                insert into understudy.group_components (sandbox_id, group_id, component_id)
     select target, s.group_id, s.component_id
     from understudy.group_components s
     where s.sandbox_id = source
     and not exists (
       select from understudy.group_components t
       where t.sandbox_id = target and s.group_id = t.group_id and s.component_id = t.component_id);
              end if;
if deleted or differing_group_admins then
                
                insert into understudy.group_admins (sandbox_id, group_id, user_id)
     select target, s.group_id, s.user_id
     from understudy.group_admins s
     where s.sandbox_id = source
     and not exists (
       select from understudy.group_admins t
       where t.sandbox_id = target and s.group_id = t.group_id and s.user_id = t.user_id);
              end if;
     update understudy.counters t
     set (next_project_id, next_component_id, next_group_id, next_user_id, next_subscription_id, clock) = (s.next_project_id, s.next_component_id, s.next_group_id, s.next_user_id, s.next_subscription_id, s.clock)
     from understudy.counters s
     where s.sandbox_id = source
       and t.sandbox_id = target
       and (s.next_project_id, s.next_component_id, s.next_group_id, s.next_user_id, s.next_subscription_id, s.clock) is distinct from (t.next_project_id, t.next_component_id, t.next_group_id, t.next_user_id, t.next_subscription_id, t.clock);
     perform understudy.add_own_tokens(target);
   end $$;

CREATE FUNCTION understudy.undo_sandbox(wanted text, lifetime interval) RETURNS text
    LANGUAGE plpgsql
    AS $$
   declare
     target integer;
     kept understudy.sandboxes;
   begin
     select c.sandbox_id into target from understudy.sandboxes s join understudy.counters c on c.sandbox_id = s.id
       where s.name = wanted for update of c;
     if not found then
       return 'no sandbox';
     end if;
     select s.* into kept from understudy.sandboxes s
       where s.snapshot_of = target and s.snapshot_name is null and s.created_at > now() - lifetime;
     if not found then
       return 'no source';
     end if;
     perform understudy.sync_rows(kept.id, target);
     perform understudy.set_baseline(target, kept.baseline_id);
     update understudy.sandboxes s
       set seed_name = kept.seed_name, seed_digest = kept.seed_digest, seeded_at = kept.seeded_at where s.id = target;
     perform understudy.drop_undo(target);
     return 'done';
   end $$;

CREATE FUNCTION understudy.username_key(username text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (octet_length(username) = length(username)) THEN lower((username COLLATE "C")) ELSE (lower((translate(username, 'ıſςΣµͅιϐϵϑϰϖϱϕᲀᲁᲂᲃᲄᲅᲆᲇᲈẛİẞϴΩKÅᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿ'::text, 'isσσμιιβεθκπρφвдосттъѣꙋṡıſϑϖϰẛაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿ'::text) COLLATE "und-x-icu")) COLLATE "C") END;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE understudy.applied_migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE understudy.components (
    sandbox_id integer DEFAULT 1 NOT NULL,
    id integer NOT NULL,
    project_id integer NOT NULL,
    slug text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    CONSTRAINT components_id_check CHECK ((id > 0)),
    CONSTRAINT components_name_check CHECK ((name <> ''::text)),
    CONSTRAINT components_slug_check CHECK (((slug ~ '^[-A-Za-z0-9_]+$'::text) AND (length(slug) <= 100)))
);
ALTER TABLE ONLY understudy.components ALTER COLUMN sandbox_id SET (n_distinct=1);

CREATE TABLE understudy.counters (
    sandbox_id integer NOT NULL,
    next_user_id integer DEFAULT 1 NOT NULL,
    next_group_id integer DEFAULT 1 NOT NULL,
    next_project_id integer DEFAULT 1 NOT NULL,
    next_component_id integer DEFAULT 1 NOT NULL,
    next_subscription_id integer DEFAULT 1 NOT NULL,
    clock timestamp with time zone
);

CREATE TABLE understudy.group_admins (
    sandbox_id integer DEFAULT 1 NOT NULL,
    group_id integer NOT NULL,
    user_id integer NOT NULL
);
ALTER TABLE ONLY understudy.group_admins ALTER COLUMN sandbox_id SET (n_distinct=1);

CREATE TABLE understudy.group_components (
    sandbox_id integer DEFAULT 1 NOT NULL,
    group_id integer NOT NULL,
    component_id integer NOT NULL
);
ALTER TABLE ONLY understudy.group_components ALTER COLUMN sandbox_id SET (n_distinct=1);

CREATE TABLE understudy.group_projects (
    sandbox_id integer DEFAULT 1 NOT NULL,
    group_id integer NOT NULL,
    project_id integer NOT NULL
);
ALTER TABLE ONLY understudy.group_projects ALTER COLUMN sandbox_id SET (n_distinct=1);

CREATE TABLE understudy.groups (
    sandbox_id integer DEFAULT 1 NOT NULL,
    id integer NOT NULL,
    name text NOT NULL,
    automatic boolean DEFAULT false NOT NULL,
    internal boolean DEFAULT false NOT NULL,
    enforced_2fa boolean DEFAULT false NOT NULL,
    project_selection smallint DEFAULT 0 NOT NULL,
    language_selection smallint DEFAULT 0 NOT NULL,
    defining_project_id integer,
    roles integer[] DEFAULT '{}'::integer[] NOT NULL,
    languages text[] DEFAULT '{}'::text[] NOT NULL,
    permissions text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT groups_id_check CHECK ((id > 0)),
    CONSTRAINT groups_language_selection_check CHECK (((language_selection >= 0) AND (language_selection <= 1))),
    CONSTRAINT groups_name_check CHECK (((name <> ''::text) AND (length(name) <= 150))),
    CONSTRAINT groups_permissions_check CHECK ((permissions <@ ARRAY['user.view'::text, 'user.edit'::text])),
    CONSTRAINT groups_project_selection_check CHECK (((project_selection >= 0) AND (project_selection <= 4)))
);
ALTER TABLE ONLY understudy.groups ALTER COLUMN sandbox_id SET (n_distinct=1);

CREATE TABLE understudy.projects (
    sandbox_id integer DEFAULT 1 NOT NULL,
    id integer NOT NULL,
    slug text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    web text DEFAULT ''::text NOT NULL,
    private boolean DEFAULT false NOT NULL,
    CONSTRAINT projects_id_check CHECK ((id > 0)),
    CONSTRAINT projects_name_check CHECK ((name <> ''::text)),
    CONSTRAINT projects_slug_check CHECK (((slug ~ '^[-A-Za-z0-9_]+$'::text) AND (length(slug) <= 100)))
);
ALTER TABLE ONLY understudy.projects ALTER COLUMN sandbox_id SET (n_distinct=1);

CREATE TABLE understudy.sandbox_tokens (
    sandbox_id integer NOT NULL,
    hash bytea NOT NULL,
    username_key text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sandbox_tokens_hash_check CHECK ((octet_length(hash) = 32))
);

CREATE TABLE understudy.sandboxes (
    id integer NOT NULL,
    name text,
    baseline_id integer,
    seed_name text,
    seed_digest text,
    seeded_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    lifetime_seconds integer,
    template_key text,
    snapshot_of integer,
    snapshot_name text,
    CONSTRAINT sandboxes_check CHECK (((name IS NULL) OR ((template_key IS NULL) AND (snapshot_of IS NULL)))),
    CONSTRAINT sandboxes_lifetime_seconds_check CHECK ((lifetime_seconds > 0)),
    CONSTRAINT sandboxes_name_check CHECK ((name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text)),
    CONSTRAINT sandboxes_snapshot_name_check CHECK ((snapshot_name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text))
);

ALTER TABLE understudy.sandboxes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME understudy.sandboxes_id_seq
    START WITH 2
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE understudy.session_keys (
    is_only boolean DEFAULT true NOT NULL,
    key bytea DEFAULT sha256((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))) NOT NULL,
    CONSTRAINT session_keys_is_only_check CHECK (is_only)
);

CREATE TABLE understudy.subscriptions (
    sandbox_id integer DEFAULT 1 NOT NULL,
    id integer NOT NULL,
    user_id integer NOT NULL,
    notification text NOT NULL COLLATE pg_catalog."C",
    scope smallint NOT NULL,
    frequency smallint NOT NULL,
    project_id integer,
    component_id integer,
    project text COLLATE pg_catalog."C",
    component text COLLATE pg_catalog."C",
    private_project_id integer,
    CONSTRAINT subscriptions_check CHECK (((scope = 30) = (project_id IS NOT NULL))),
    CONSTRAINT subscriptions_check1 CHECK (((scope = 40) = (component_id IS NOT NULL))),
    CONSTRAINT subscriptions_check2 CHECK (((project IS NOT NULL) = (scope = 30))),
    CONSTRAINT subscriptions_check3 CHECK (((component IS NOT NULL) = (scope = 40))),
    CONSTRAINT subscriptions_frequency_check CHECK (((frequency >= 0) AND (frequency <= 4))),
    CONSTRAINT subscriptions_id_check CHECK ((id > 0)),
    CONSTRAINT subscriptions_notification_check CHECK (((notification ~ '^[A-Za-z]+$'::text) AND (length(notification) <= 100))),
    CONSTRAINT subscriptions_scope_check CHECK ((scope = ANY (ARRAY[0, 10, 20, 30, 40])))
);
ALTER TABLE ONLY understudy.subscriptions ALTER COLUMN sandbox_id SET (n_distinct=1);

CREATE TABLE understudy.tokens (
    sandbox_id integer DEFAULT 1 NOT NULL,
    hash bytea NOT NULL,
    user_id integer NOT NULL,
    CONSTRAINT tokens_hash_check CHECK ((octet_length(hash) = 32))
);
ALTER TABLE ONLY understudy.tokens ALTER COLUMN sandbox_id SET (n_distinct=1);

CREATE TABLE understudy.user_groups (
    sandbox_id integer DEFAULT 1 NOT NULL,
    user_id integer NOT NULL,
    group_id integer NOT NULL
);
ALTER TABLE ONLY understudy.user_groups ALTER COLUMN sandbox_id SET (n_distinct=1);

CREATE TABLE understudy.users (
    sandbox_id integer DEFAULT 1 NOT NULL,
    id integer NOT NULL,
    username text NOT NULL,
    username_key text GENERATED ALWAYS AS (understudy.username_key(username)) STORED NOT NULL COLLATE pg_catalog."C",
    full_name text DEFAULT ''::text NOT NULL,
    email text,
    email_key text GENERATED ALWAYS AS (understudy.username_key(email)) STORED COLLATE pg_catalog."C",
    is_superuser boolean DEFAULT false NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    is_bot boolean DEFAULT false NOT NULL,
    is_internal boolean DEFAULT false NOT NULL,
    date_joined timestamp with time zone NOT NULL,
    date_expires timestamp with time zone,
    last_login timestamp with time zone,
    profile jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT users_email_check CHECK ((length(email) <= 190)),
    CONSTRAINT users_full_name_check CHECK ((length(full_name) <= 150)),
    CONSTRAINT users_id_check CHECK ((id > 0)),
    CONSTRAINT users_profile_check CHECK ((jsonb_typeof(profile) = 'object'::text)),
    CONSTRAINT users_username_check CHECK (((username <> ''::text) AND (length(username) <= 150)))
);
ALTER TABLE ONLY understudy.users ALTER COLUMN sandbox_id SET (n_distinct=1);

INSERT INTO understudy.applied_migrations VALUES
	('0001-tables', '89b1460d9f69ad3a315ba71ae717248ac0b9b3666e2b82a619207290b569ca5c', '2026-11-27 16:40:33.951306+00'),
	('0002-plain-sql', '68f15b48ae232c90c14b218b826474f196568a015b77c36b8c9b14556c05f966', '2026-11-27 16:40:33.951306+00'),
	('0003-sandboxes', 'b0aa34f55ba8c8397895a6bccfdb16715e7b8a1589c4127ec16626ca5dc07236', '2026-11-27 16:40:33.951306+00'),
	('0004-lookups', '85ae529522b2910e709efdc793ded49394dfd8aa092e0a7666ef0ad279dd1c38', '2026-11-27 16:40:33.951306+00'),
	('sandbox-rows', 'e5b3aed9f1b82a5c5fdcdb9b003e359345b31b9abad110d877ee7c3efea4159a', '2026-11-27 16:40:33.951306+00');

INSERT INTO understudy.components VALUES
	(2, 2, 2, 'app', 'App'),
	(2, 3, 2, 'docs', 'Docs'),
	(2, 4, 3, 'core', 'Core'),
	(1, 2, 2, 'app', 'App'),
	(1, 3, 2, 'docs', 'Docs'),
	(1, 4, 3, 'core', 'Core');

INSERT INTO understudy.counters VALUES
	(2, 13, 19, 4, 5, 255, NULL),
	(1, 13, 19, 4, 5, 255, NULL);

INSERT INTO understudy.group_projects VALUES
	(2, 8, 2),
	(2, 9, 3),
	(2, 10, 3),
	(2, 11, 3),
	(2, 12, 3),
	(2, 13, 3),
	(2, 14, 3),
	(2, 15, 3),
	(2, 16, 3),
	(2, 17, 3),
	(2, 18, 3),
	(1, 8, 2),
	(1, 9, 3),
	(1, 10, 3),
	(1, 11, 3),
	(1, 12, 3),
	(1, 13, 3),
	(1, 14, 3),
	(1, 15, 3),
	(1, 16, 3),
	(1, 17, 3),
	(1, 18, 3);

INSERT INTO understudy.groups VALUES
	(2, 1, 'Guests', false, true, false, 3, 1, NULL, '{3,4}', '{}', '{}'),
	(2, 2, 'Viewers', true, true, false, 4, 1, NULL, '{}', '{}', '{}'),
	(2, 3, 'Users', true, true, false, 3, 1, NULL, '{6}', '{}', '{}'),
	(2, 4, 'Reviewers', false, true, false, 1, 1, NULL, '{8}', '{}', '{}'),
	(2, 5, 'Managers', false, true, false, 1, 1, NULL, '{1}', '{}', '{}'),
	(2, 6, 'Project creators', false, true, false, 1, 1, NULL, '{18}', '{}', '{}'),
	(2, 8, 'Administration', false, true, false, 0, 1, 2, '{1}', '{}', '{}'),
	(2, 9, 'Administration', false, true, false, 0, 1, 3, '{1}', '{}', '{}'),
	(2, 10, 'Automatic translation', false, true, false, 0, 1, 3, '{12}', '{}', '{}'),
	(2, 11, 'Bulk editing', false, true, false, 0, 1, 3, '{11}', '{}', '{}'),
	(2, 12, 'Glossary', false, true, false, 0, 1, 3, '{5}', '{}', '{}'),
	(2, 13, 'Languages', false, true, false, 0, 1, 3, '{10}', '{}', '{}'),
	(2, 14, 'Memory', false, true, false, 0, 1, 3, '{13}', '{}', '{}'),
	(2, 15, 'Screenshots', false, true, false, 0, 1, 3, '{14}', '{}', '{}'),
	(2, 16, 'Sources', false, true, false, 0, 1, 3, '{2}', '{}', '{}'),
	(2, 17, 'Translate', false, true, false, 0, 1, 3, '{9}', '{}', '{}'),
	(2, 18, 'VCS', false, true, false, 0, 1, 3, '{15}', '{}', '{}'),
	(1, 1, 'Guests', false, true, false, 3, 1, NULL, '{3,4}', '{}', '{}'),
	(1, 2, 'Viewers', true, true, false, 4, 1, NULL, '{}', '{}', '{}'),
	(1, 3, 'Users', true, true, false, 3, 1, NULL, '{6}', '{}', '{}'),
	(1, 4, 'Reviewers', false, true, false, 1, 1, NULL, '{8}', '{}', '{}'),
	(1, 5, 'Managers', false, true, false, 1, 1, NULL, '{1}', '{}', '{}'),
	(1, 6, 'Project creators', false, true, false, 1, 1, NULL, '{18}', '{}', '{}'),
	(1, 8, 'Administration', false, true, false, 0, 1, 2, '{1}', '{}', '{}'),
	(1, 9, 'Administration', false, true, false, 0, 1, 3, '{1}', '{}', '{}'),
	(1, 10, 'Automatic translation', false, true, false, 0, 1, 3, '{12}', '{}', '{}'),
	(1, 11, 'Bulk editing', false, true, false, 0, 1, 3, '{11}', '{}', '{}'),
	(1, 12, 'Glossary', false, true, false, 0, 1, 3, '{5}', '{}', '{}'),
	(1, 13, 'Languages', false, true, false, 0, 1, 3, '{10}', '{}', '{}'),
	(1, 14, 'Memory', false, true, false, 0, 1, 3, '{13}', '{}', '{}'),
	(1, 15, 'Screenshots', false, true, false, 0, 1, 3, '{14}', '{}', '{}'),
	(1, 16, 'Sources', false, true, false, 0, 1, 3, '{2}', '{}', '{}'),
	(1, 17, 'Translate', false, true, false, 0, 1, 3, '{9}', '{}', '{}'),
	(1, 18, 'VCS', false, true, false, 0, 1, 3, '{15}', '{}', '{}');

INSERT INTO understudy.projects VALUES
	(2, 2, 'demo', 'Demo', 'https://example.com/', false),
	(2, 3, 'secret', 'Secret', 'https://example.com/secret/', true),
	(1, 2, 'demo', 'Demo', 'https://example.com/', false),
	(1, 3, 'secret', 'Secret', 'https://example.com/secret/', true);

INSERT INTO understudy.sandboxes VALUES
	(2, NULL, NULL, 'seed', '4cd1dd4e0c14075f4688d20610894e41574496221a1e38761e632f51d0bf582d', '2026-11-27 16:40:34.485986+00', '2026-11-27 16:40:34.485986+00', NULL, NULL, '0.1.0 4cd1dd4e0c14075f4688d20610894e41574496221a1e38761e632f51d0bf582d', NULL, NULL),
	(1, 'default', 2, 'seed', '4cd1dd4e0c14075f4688d20610894e41574496221a1e38761e632f51d0bf582d', '2026-11-27 16:40:34.485986+00', '2026-11-27 16:40:34.485986+00', NULL, NULL, NULL, NULL, NULL);

INSERT INTO understudy.subscriptions VALUES
	(2, 33, 5, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 34, 5, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 35, 5, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 36, 5, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 37, 5, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(2, 38, 5, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 39, 5, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 40, 5, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 41, 5, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 42, 5, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 43, 6, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 44, 6, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 45, 6, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 46, 6, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 47, 6, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(2, 48, 6, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 49, 6, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 50, 6, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 51, 6, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 52, 6, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 53, 7, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 54, 7, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 55, 7, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 56, 7, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 57, 7, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(2, 58, 7, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 59, 7, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 60, 7, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 61, 7, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 62, 7, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 73, 9, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 74, 9, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 75, 9, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 76, 9, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 77, 9, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(2, 78, 9, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 79, 9, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 80, 9, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 81, 9, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 82, 9, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 93, 11, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 94, 11, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 95, 11, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 96, 11, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 97, 11, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(2, 98, 11, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 99, 11, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 100, 11, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 101, 11, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 102, 11, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 103, 12, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 104, 12, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 105, 12, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 106, 12, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 107, 12, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(2, 108, 12, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 109, 12, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 110, 12, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 111, 12, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 112, 12, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 113, 6, 'NewTranslationNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 114, 6, 'MergeFailureNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 115, 6, 'NewStringNotificaton', 30, 4, 3, NULL, 'secret', NULL, 3),
	(2, 116, 6, 'NewStringNotificaton', 40, 0, NULL, 4, NULL, 'secret/core', 3),
	(2, 117, 10, 'RepositoryNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 118, 10, 'LockNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 119, 10, 'LicenseNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 120, 10, 'ParseErrorNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 121, 10, 'NewStringNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 122, 10, 'TranslationActivitySummaryNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 123, 10, 'NewContributorNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 124, 10, 'NewSuggestionNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 125, 10, 'LanguageTranslatedNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 126, 10, 'ComponentTranslatedNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 127, 10, 'NewCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 128, 10, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 129, 10, 'LastAuthorCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 130, 10, 'TranslatedStringNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 131, 10, 'ApprovedStringNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 132, 10, 'ChangedStringNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 133, 10, 'NewTranslationNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 134, 10, 'NewComponentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 135, 10, 'NewAnnouncementNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 136, 10, 'NewAlertNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 137, 10, 'MergeFailureNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 138, 10, 'PendingSuggestionsNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 139, 10, 'ToDoStringsNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 140, 10, 'RepositoryNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 141, 10, 'LockNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 142, 10, 'LicenseNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 143, 10, 'ParseErrorNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 144, 10, 'NewStringNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 145, 10, 'TranslationActivitySummaryNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 146, 10, 'NewContributorNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 147, 10, 'NewSuggestionNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 148, 10, 'LanguageTranslatedNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 149, 10, 'ComponentTranslatedNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 150, 10, 'NewCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 151, 10, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 152, 10, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 153, 10, 'TranslatedStringNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 154, 10, 'ApprovedStringNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 155, 10, 'ChangedStringNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 156, 10, 'NewTranslationNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 157, 10, 'NewComponentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 158, 10, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 159, 10, 'NewAlertNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 160, 10, 'MergeFailureNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 161, 10, 'PendingSuggestionsNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 162, 10, 'ToDoStringsNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 163, 10, 'RepositoryNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 164, 10, 'LockNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 165, 10, 'LicenseNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 166, 10, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 167, 10, 'NewStringNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 168, 10, 'TranslationActivitySummaryNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 169, 10, 'NewContributorNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 170, 10, 'NewSuggestionNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 171, 10, 'LanguageTranslatedNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 172, 10, 'ComponentTranslatedNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 173, 10, 'NewCommentNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 174, 10, 'MentionCommentNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 175, 10, 'LastAuthorCommentNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 176, 10, 'TranslatedStringNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 177, 10, 'ApprovedStringNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 178, 10, 'ChangedStringNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 179, 10, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 180, 10, 'NewComponentNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 181, 10, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 182, 10, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 183, 10, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 184, 10, 'PendingSuggestionsNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 185, 10, 'ToDoStringsNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(2, 186, 10, 'RepositoryNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 187, 10, 'LockNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 188, 10, 'LicenseNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 189, 10, 'ParseErrorNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 190, 10, 'NewStringNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 191, 10, 'TranslationActivitySummaryNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 192, 10, 'NewContributorNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 193, 10, 'NewSuggestionNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 194, 10, 'LanguageTranslatedNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 195, 10, 'ComponentTranslatedNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 196, 10, 'NewCommentNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 197, 10, 'MentionCommentNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 198, 10, 'LastAuthorCommentNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 199, 10, 'TranslatedStringNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 200, 10, 'ApprovedStringNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 201, 10, 'ChangedStringNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 202, 10, 'NewTranslationNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 203, 10, 'NewComponentNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 204, 10, 'NewAnnouncementNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 205, 10, 'NewAlertNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 206, 10, 'MergeFailureNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 207, 10, 'PendingSuggestionsNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 208, 10, 'ToDoStringsNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(2, 209, 10, 'RepositoryNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 210, 10, 'LockNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 211, 10, 'LicenseNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 212, 10, 'ParseErrorNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 213, 10, 'NewStringNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 214, 10, 'TranslationActivitySummaryNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 215, 10, 'NewContributorNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 216, 10, 'NewSuggestionNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 217, 10, 'LanguageTranslatedNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 218, 10, 'ComponentTranslatedNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 219, 10, 'NewCommentNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 220, 10, 'MentionCommentNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 221, 10, 'LastAuthorCommentNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 222, 10, 'TranslatedStringNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 223, 10, 'ApprovedStringNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 224, 10, 'ChangedStringNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 225, 10, 'NewTranslationNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 226, 10, 'NewComponentNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 227, 10, 'NewAnnouncementNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 228, 10, 'NewAlertNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 229, 10, 'MergeFailureNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 230, 10, 'PendingSuggestionsNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 231, 10, 'ToDoStringsNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(2, 232, 10, 'RepositoryNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 233, 10, 'LockNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 234, 10, 'LicenseNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 235, 10, 'ParseErrorNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 236, 10, 'NewStringNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 237, 10, 'TranslationActivitySummaryNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 238, 10, 'NewContributorNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 239, 10, 'NewSuggestionNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 240, 10, 'LanguageTranslatedNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 241, 10, 'ComponentTranslatedNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 242, 10, 'NewCommentNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 243, 10, 'MentionCommentNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 244, 10, 'LastAuthorCommentNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 245, 10, 'TranslatedStringNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 246, 10, 'ApprovedStringNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 247, 10, 'ChangedStringNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 248, 10, 'NewTranslationNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 249, 10, 'NewComponentNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 250, 10, 'NewAnnouncementNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 251, 10, 'NewAlertNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 252, 10, 'MergeFailureNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 253, 10, 'PendingSuggestionsNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(2, 254, 10, 'ToDoStringsNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 33, 5, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 34, 5, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 35, 5, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 36, 5, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 37, 5, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(1, 38, 5, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 39, 5, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 40, 5, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 41, 5, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 42, 5, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 43, 6, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 44, 6, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 45, 6, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 46, 6, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 47, 6, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(1, 48, 6, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 49, 6, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 50, 6, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 51, 6, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 52, 6, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 53, 7, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 54, 7, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 55, 7, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 56, 7, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 57, 7, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(1, 58, 7, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 59, 7, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 60, 7, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 61, 7, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 62, 7, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 73, 9, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 74, 9, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 75, 9, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 76, 9, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 77, 9, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(1, 78, 9, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 79, 9, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 80, 9, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 81, 9, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 82, 9, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 93, 11, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 94, 11, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 95, 11, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 96, 11, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 97, 11, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(1, 98, 11, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 99, 11, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 100, 11, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 101, 11, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 102, 11, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 103, 12, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 104, 12, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 105, 12, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 106, 12, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 107, 12, 'TranslationActivitySummaryNotification', 10, 3, NULL, NULL, NULL, NULL, NULL),
	(1, 108, 12, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 109, 12, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 110, 12, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 111, 12, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 112, 12, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 113, 6, 'NewTranslationNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 114, 6, 'MergeFailureNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 115, 6, 'NewStringNotificaton', 30, 4, 3, NULL, 'secret', NULL, 3),
	(1, 116, 6, 'NewStringNotificaton', 40, 0, NULL, 4, NULL, 'secret/core', 3),
	(1, 117, 10, 'RepositoryNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 118, 10, 'LockNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 119, 10, 'LicenseNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 120, 10, 'ParseErrorNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 121, 10, 'NewStringNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 122, 10, 'TranslationActivitySummaryNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 123, 10, 'NewContributorNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 124, 10, 'NewSuggestionNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 125, 10, 'LanguageTranslatedNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 126, 10, 'ComponentTranslatedNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 127, 10, 'NewCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 128, 10, 'MentionCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 129, 10, 'LastAuthorCommentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 130, 10, 'TranslatedStringNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 131, 10, 'ApprovedStringNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 132, 10, 'ChangedStringNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 133, 10, 'NewTranslationNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 134, 10, 'NewComponentNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 135, 10, 'NewAnnouncementNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 136, 10, 'NewAlertNotificaton', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 137, 10, 'MergeFailureNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 138, 10, 'PendingSuggestionsNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 139, 10, 'ToDoStringsNotification', 0, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 140, 10, 'RepositoryNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 141, 10, 'LockNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 142, 10, 'LicenseNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 143, 10, 'ParseErrorNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 144, 10, 'NewStringNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 145, 10, 'TranslationActivitySummaryNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 146, 10, 'NewContributorNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 147, 10, 'NewSuggestionNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 148, 10, 'LanguageTranslatedNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 149, 10, 'ComponentTranslatedNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 150, 10, 'NewCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 151, 10, 'MentionCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 152, 10, 'LastAuthorCommentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 153, 10, 'TranslatedStringNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 154, 10, 'ApprovedStringNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 155, 10, 'ChangedStringNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 156, 10, 'NewTranslationNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 157, 10, 'NewComponentNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 158, 10, 'NewAnnouncementNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 159, 10, 'NewAlertNotificaton', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 160, 10, 'MergeFailureNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 161, 10, 'PendingSuggestionsNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 162, 10, 'ToDoStringsNotification', 10, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 163, 10, 'RepositoryNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 164, 10, 'LockNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 165, 10, 'LicenseNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 166, 10, 'ParseErrorNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 167, 10, 'NewStringNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 168, 10, 'TranslationActivitySummaryNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 169, 10, 'NewContributorNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 170, 10, 'NewSuggestionNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 171, 10, 'LanguageTranslatedNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 172, 10, 'ComponentTranslatedNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 173, 10, 'NewCommentNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 174, 10, 'MentionCommentNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 175, 10, 'LastAuthorCommentNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 176, 10, 'TranslatedStringNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 177, 10, 'ApprovedStringNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 178, 10, 'ChangedStringNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 179, 10, 'NewTranslationNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 180, 10, 'NewComponentNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 181, 10, 'NewAnnouncementNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 182, 10, 'NewAlertNotificaton', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 183, 10, 'MergeFailureNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 184, 10, 'PendingSuggestionsNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 185, 10, 'ToDoStringsNotification', 20, 1, NULL, NULL, NULL, NULL, NULL),
	(1, 186, 10, 'RepositoryNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 187, 10, 'LockNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 188, 10, 'LicenseNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 189, 10, 'ParseErrorNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 190, 10, 'NewStringNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 191, 10, 'TranslationActivitySummaryNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 192, 10, 'NewContributorNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 193, 10, 'NewSuggestionNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 194, 10, 'LanguageTranslatedNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 195, 10, 'ComponentTranslatedNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 196, 10, 'NewCommentNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 197, 10, 'MentionCommentNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 198, 10, 'LastAuthorCommentNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 199, 10, 'TranslatedStringNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 200, 10, 'ApprovedStringNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 201, 10, 'ChangedStringNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 202, 10, 'NewTranslationNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 203, 10, 'NewComponentNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 204, 10, 'NewAnnouncementNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 205, 10, 'NewAlertNotificaton', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 206, 10, 'MergeFailureNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 207, 10, 'PendingSuggestionsNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 208, 10, 'ToDoStringsNotification', 30, 2, 2, NULL, 'demo', NULL, NULL),
	(1, 209, 10, 'RepositoryNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 210, 10, 'LockNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 211, 10, 'LicenseNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 212, 10, 'ParseErrorNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 213, 10, 'NewStringNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 214, 10, 'TranslationActivitySummaryNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 215, 10, 'NewContributorNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 216, 10, 'NewSuggestionNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 217, 10, 'LanguageTranslatedNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 218, 10, 'ComponentTranslatedNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 219, 10, 'NewCommentNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 220, 10, 'MentionCommentNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 221, 10, 'LastAuthorCommentNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 222, 10, 'TranslatedStringNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 223, 10, 'ApprovedStringNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 224, 10, 'ChangedStringNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 225, 10, 'NewTranslationNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 226, 10, 'NewComponentNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 227, 10, 'NewAnnouncementNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 228, 10, 'NewAlertNotificaton', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 229, 10, 'MergeFailureNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 230, 10, 'PendingSuggestionsNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 231, 10, 'ToDoStringsNotification', 40, 3, NULL, 2, NULL, 'demo/app', NULL),
	(1, 232, 10, 'RepositoryNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 233, 10, 'LockNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 234, 10, 'LicenseNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 235, 10, 'ParseErrorNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 236, 10, 'NewStringNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 237, 10, 'TranslationActivitySummaryNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 238, 10, 'NewContributorNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 239, 10, 'NewSuggestionNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 240, 10, 'LanguageTranslatedNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 241, 10, 'ComponentTranslatedNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 242, 10, 'NewCommentNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 243, 10, 'MentionCommentNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 244, 10, 'LastAuthorCommentNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 245, 10, 'TranslatedStringNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 246, 10, 'ApprovedStringNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 247, 10, 'ChangedStringNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 248, 10, 'NewTranslationNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 249, 10, 'NewComponentNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 250, 10, 'NewAnnouncementNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 251, 10, 'NewAlertNotificaton', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 252, 10, 'MergeFailureNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 253, 10, 'PendingSuggestionsNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL),
	(1, 254, 10, 'ToDoStringsNotification', 40, 3, NULL, 3, NULL, 'demo/docs', NULL);

INSERT INTO understudy.tokens VALUES
	(2, '\xd35459a6538fc6e70b2509b7678eede646bda83e05c18a6ac76f942f8a590d55', 5),
	(2, '\x599b3e0968fc23f44cd2f2663891ec3999ca5f699f942be3b64411b6d58ab4ef', 6),
	(2, '\x1cd7e53816e42d2d888f904f4a63af853e5dc3d76601396e7437963ad8514ac4', 7),
	(2, '\x6181b428f7f877838617239f7c4a7f0600ebb851b2e73c38497efc80e3f718f9', 8),
	(2, '\x330043a401c0daf8e662531fca718d776e3c7fa1a21d401624fa5d32f215dc0b', 9),
	(2, '\x66351fa73ef5912f8b01b7a01f852e582a4de7eca5da48b5ba00bc8631f5ccee', 10),
	(2, '\x272448bb2d2167cd6c343c485cc731c7208346dbb3c1cae2565cd3ac31704fc3', 11),
	(2, '\x6a0414989fe3d8a8c13617d6da7fd7a5cdf34dad50d302124e137e025971e889', 12),
	(1, '\xd35459a6538fc6e70b2509b7678eede646bda83e05c18a6ac76f942f8a590d55', 5),
	(1, '\x599b3e0968fc23f44cd2f2663891ec3999ca5f699f942be3b64411b6d58ab4ef', 6),
	(1, '\x1cd7e53816e42d2d888f904f4a63af853e5dc3d76601396e7437963ad8514ac4', 7),
	(1, '\x6181b428f7f877838617239f7c4a7f0600ebb851b2e73c38497efc80e3f718f9', 8),
	(1, '\x330043a401c0daf8e662531fca718d776e3c7fa1a21d401624fa5d32f215dc0b', 9),
	(1, '\x66351fa73ef5912f8b01b7a01f852e582a4de7eca5da48b5ba00bc8631f5ccee', 10),
	(1, '\x272448bb2d2167cd6c343c485cc731c7208346dbb3c1cae2565cd3ac31704fc3', 11),
	(1, '\x6a0414989fe3d8a8c13617d6da7fd7a5cdf34dad50d302124e137e025971e889', 12);

INSERT INTO understudy.user_groups VALUES
	(2, 1, 1),
	(2, 1, 2),
	(2, 5, 2),
	(2, 5, 3),
	(2, 6, 2),
	(2, 6, 3),
	(2, 7, 2),
	(2, 7, 3),
	(2, 8, 2),
	(2, 8, 3),
	(2, 9, 2),
	(2, 9, 3),
	(2, 10, 2),
	(2, 10, 3),
	(2, 11, 2),
	(2, 11, 3),
	(2, 12, 2),
	(2, 12, 3),
	(1, 1, 1),
	(1, 1, 2),
	(1, 5, 2),
	(1, 5, 3),
	(1, 6, 2),
	(1, 6, 3),
	(1, 7, 2),
	(1, 7, 3),
	(1, 8, 2),
	(1, 8, 3),
	(1, 9, 2),
	(1, 9, 3),
	(1, 10, 2),
	(1, 10, 3),
	(1, 11, 2),
	(1, 11, 3),
	(1, 12, 2),
	(1, 12, 3);

INSERT INTO understudy.users VALUES
	(2, 1, 'anonymous', DEFAULT, 'Anonymous', 'noreply@weblate.org', DEFAULT, false, false, false, true, '2026-11-21 04:39:58.871372+00', NULL, NULL, '{}'),
	(2, 5, 'admin', DEFAULT, 'Admin Example', 'admin@example.com', DEFAULT, true, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(2, 6, 'alice', DEFAULT, 'Alice Example', 'alice@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(2, 7, 'bob', DEFAULT, 'Bob Example', 'bob@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(2, 8, 'carol', DEFAULT, 'Carol Empty', 'carol@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(2, 9, 'dave', DEFAULT, 'Dave Inactive', 'dave@example.com', DEFAULT, false, false, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(2, 10, 'many', DEFAULT, 'Many Subscriptions', 'many@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(2, 11, 'jane.doe+ci@example', DEFAULT, 'Jane Doe', 'jane@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(2, 12, 'jürgen', DEFAULT, 'Jürgen Ümlaut', 'jurgen@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(1, 1, 'anonymous', DEFAULT, 'Anonymous', 'noreply@weblate.org', DEFAULT, false, false, false, true, '2026-11-21 04:39:58.871372+00', NULL, NULL, '{}'),
	(1, 5, 'admin', DEFAULT, 'Admin Example', 'admin@example.com', DEFAULT, true, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(1, 6, 'alice', DEFAULT, 'Alice Example', 'alice@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(1, 7, 'bob', DEFAULT, 'Bob Example', 'bob@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(1, 8, 'carol', DEFAULT, 'Carol Empty', 'carol@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(1, 9, 'dave', DEFAULT, 'Dave Inactive', 'dave@example.com', DEFAULT, false, false, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(1, 10, 'many', DEFAULT, 'Many Subscriptions', 'many@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(1, 11, 'jane.doe+ci@example', DEFAULT, 'Jane Doe', 'jane@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}'),
	(1, 12, 'jürgen', DEFAULT, 'Jürgen Ümlaut', 'jurgen@example.com', DEFAULT, false, true, false, false, '2026-01-02 03:04:05+00', NULL, NULL, '{}');

SELECT pg_catalog.setval('understudy.sandboxes_id_seq', 2, true);

ALTER TABLE ONLY understudy.applied_migrations
    ADD CONSTRAINT applied_migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY understudy.components
    ADD CONSTRAINT components_pkey PRIMARY KEY (sandbox_id, id);

ALTER TABLE ONLY understudy.components
    ADD CONSTRAINT components_sandbox_id_project_id_slug_key UNIQUE (sandbox_id, project_id, slug);

ALTER TABLE ONLY understudy.counters
    ADD CONSTRAINT counters_pkey PRIMARY KEY (sandbox_id);

ALTER TABLE ONLY understudy.group_admins
    ADD CONSTRAINT group_admins_pkey PRIMARY KEY (sandbox_id, group_id, user_id);

ALTER TABLE ONLY understudy.group_components
    ADD CONSTRAINT group_components_pkey PRIMARY KEY (sandbox_id, group_id, component_id);

ALTER TABLE ONLY understudy.group_projects
    ADD CONSTRAINT group_projects_pkey PRIMARY KEY (sandbox_id, group_id, project_id);

ALTER TABLE ONLY understudy.groups
    ADD CONSTRAINT groups_pkey PRIMARY KEY (sandbox_id, id);

ALTER TABLE ONLY understudy.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (sandbox_id, id);

ALTER TABLE ONLY understudy.projects
    ADD CONSTRAINT projects_sandbox_id_slug_key UNIQUE (sandbox_id, slug);

ALTER TABLE ONLY understudy.sandbox_tokens
    ADD CONSTRAINT sandbox_tokens_pkey PRIMARY KEY (sandbox_id, hash);

ALTER TABLE ONLY understudy.sandboxes
    ADD CONSTRAINT sandboxes_name_key UNIQUE (name);

ALTER TABLE ONLY understudy.sandboxes
    ADD CONSTRAINT sandboxes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY understudy.sandboxes
    ADD CONSTRAINT sandboxes_snapshot_of_snapshot_name_key UNIQUE (snapshot_of, snapshot_name);

ALTER TABLE ONLY understudy.sandboxes
    ADD CONSTRAINT sandboxes_template_key_key UNIQUE (template_key);

ALTER TABLE ONLY understudy.session_keys
    ADD CONSTRAINT session_keys_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY understudy.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (sandbox_id, id);

ALTER TABLE ONLY understudy.subscriptions
    ADD CONSTRAINT subscriptions_unique UNIQUE NULLS NOT DISTINCT (sandbox_id, user_id, notification, scope, project_id, component_id);

ALTER TABLE ONLY understudy.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (sandbox_id, hash);

ALTER TABLE ONLY understudy.user_groups
    ADD CONSTRAINT user_groups_pkey PRIMARY KEY (sandbox_id, user_id, group_id);

ALTER TABLE ONLY understudy.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (sandbox_id, id);

ALTER TABLE ONLY understudy.users
    ADD CONSTRAINT users_sandbox_id_email_key_key UNIQUE (sandbox_id, email_key);

ALTER TABLE ONLY understudy.users
    ADD CONSTRAINT users_sandbox_id_username_key_key UNIQUE (sandbox_id, username_key);

CREATE INDEX group_projects_project ON understudy.group_projects USING btree (project_id, sandbox_id);

CREATE INDEX groups_project ON understudy.groups USING btree (defining_project_id, sandbox_id) WHERE (defining_project_id IS NOT NULL);

CREATE INDEX sandboxes_baseline ON understudy.sandboxes USING btree (baseline_id) WHERE (baseline_id IS NOT NULL);

CREATE INDEX sandboxes_waiting ON understudy.sandboxes USING btree (baseline_id) WHERE ((name IS NULL) AND (snapshot_of IS NULL) AND (baseline_id IS NOT NULL));

CREATE INDEX subscriptions_component ON understudy.subscriptions USING btree (component_id, sandbox_id) WHERE (component_id IS NOT NULL);

CREATE INDEX subscriptions_project ON understudy.subscriptions USING btree (project_id, sandbox_id) WHERE (project_id IS NOT NULL);

CREATE INDEX subscriptions_user ON understudy.subscriptions USING btree (sandbox_id, user_id, id);

CREATE INDEX tokens_user ON understudy.tokens USING btree (user_id, sandbox_id);

CREATE INDEX user_groups_group ON understudy.user_groups USING btree (group_id, sandbox_id);

CREATE TRIGGER fill_date_joined BEFORE INSERT ON understudy.users FOR EACH ROW WHEN ((new.date_joined IS NULL)) EXECUTE FUNCTION understudy.fill_date_joined();

CREATE TRIGGER fill_target BEFORE INSERT ON understudy.subscriptions FOR EACH ROW WHEN (((new.scope >= 30) AND (COALESCE(new.project, new.component) IS NULL))) EXECUTE FUNCTION understudy.fill_target();

CREATE TRIGGER follow AFTER UPDATE OF slug, project_id ON understudy.components FOR EACH ROW WHEN (((new.slug <> old.slug) OR (new.project_id <> old.project_id))) EXECUTE FUNCTION understudy.follow_component();

CREATE TRIGGER follow AFTER UPDATE OF slug, private ON understudy.projects FOR EACH ROW WHEN (((new.slug <> old.slug) OR (new.private <> old.private))) EXECUTE FUNCTION understudy.follow_project();

CREATE TRIGGER forget_next_id BEFORE INSERT ON understudy.components FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.forget_next_component_id();

CREATE TRIGGER forget_next_id BEFORE INSERT ON understudy.groups FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.forget_next_group_id();

CREATE TRIGGER forget_next_id BEFORE INSERT ON understudy.projects FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.forget_next_project_id();

CREATE TRIGGER forget_next_id BEFORE INSERT ON understudy.subscriptions FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.forget_next_subscription_id();

CREATE TRIGGER forget_next_id BEFORE INSERT ON understudy.users FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.forget_next_user_id();

CREATE TRIGGER next_id BEFORE INSERT ON understudy.components FOR EACH ROW WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.next_component_id();

CREATE TRIGGER next_id BEFORE INSERT ON understudy.groups FOR EACH ROW WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.next_group_id();

CREATE TRIGGER next_id BEFORE INSERT ON understudy.projects FOR EACH ROW WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.next_project_id();

CREATE TRIGGER next_id BEFORE INSERT ON understudy.subscriptions FOR EACH ROW WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.next_subscription_id();

CREATE TRIGGER next_id BEFORE INSERT ON understudy.users FOR EACH ROW WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.next_user_id();

CREATE TRIGGER raise_next_id AFTER INSERT ON understudy.components REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.raise_next_component_id();

CREATE TRIGGER raise_next_id AFTER INSERT ON understudy.groups REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.raise_next_group_id();

CREATE TRIGGER raise_next_id AFTER INSERT ON understudy.projects REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.raise_next_project_id();

CREATE TRIGGER raise_next_id AFTER INSERT ON understudy.subscriptions REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.raise_next_subscription_id();

CREATE TRIGGER raise_next_id AFTER INSERT ON understudy.users REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT WHEN ((current_setting('understudy.counts_ids'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION understudy.raise_next_user_id();

CREATE TRIGGER refill_target BEFORE UPDATE OF scope, project_id, component_id ON understudy.subscriptions FOR EACH ROW WHEN ((new.scope >= 30)) EXECUTE FUNCTION understudy.fill_target();

ALTER TABLE ONLY understudy.components
    ADD CONSTRAINT components_sandbox_id_project_id_fkey FOREIGN KEY (sandbox_id, project_id) REFERENCES understudy.projects(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.counters
    ADD CONSTRAINT counters_sandbox_id_fkey FOREIGN KEY (sandbox_id) REFERENCES understudy.sandboxes(id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.group_admins
    ADD CONSTRAINT group_admins_sandbox_id_user_id_group_id_fkey FOREIGN KEY (sandbox_id, user_id, group_id) REFERENCES understudy.user_groups(sandbox_id, user_id, group_id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.group_components
    ADD CONSTRAINT group_components_sandbox_id_component_id_fkey FOREIGN KEY (sandbox_id, component_id) REFERENCES understudy.components(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.group_components
    ADD CONSTRAINT group_components_sandbox_id_group_id_fkey FOREIGN KEY (sandbox_id, group_id) REFERENCES understudy.groups(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.group_projects
    ADD CONSTRAINT group_projects_sandbox_id_group_id_fkey FOREIGN KEY (sandbox_id, group_id) REFERENCES understudy.groups(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.group_projects
    ADD CONSTRAINT group_projects_sandbox_id_project_id_fkey FOREIGN KEY (sandbox_id, project_id) REFERENCES understudy.projects(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.groups
    ADD CONSTRAINT groups_sandbox_id_defining_project_id_fkey FOREIGN KEY (sandbox_id, defining_project_id) REFERENCES understudy.projects(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.groups
    ADD CONSTRAINT groups_sandbox_id_fkey FOREIGN KEY (sandbox_id) REFERENCES understudy.sandboxes(id);

ALTER TABLE ONLY understudy.projects
    ADD CONSTRAINT projects_sandbox_id_fkey FOREIGN KEY (sandbox_id) REFERENCES understudy.sandboxes(id);

ALTER TABLE ONLY understudy.sandbox_tokens
    ADD CONSTRAINT sandbox_tokens_sandbox_id_fkey FOREIGN KEY (sandbox_id) REFERENCES understudy.sandboxes(id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.sandboxes
    ADD CONSTRAINT sandboxes_baseline_id_fkey FOREIGN KEY (baseline_id) REFERENCES understudy.sandboxes(id) ON DELETE SET NULL;

ALTER TABLE ONLY understudy.sandboxes
    ADD CONSTRAINT sandboxes_snapshot_of_fkey FOREIGN KEY (snapshot_of) REFERENCES understudy.sandboxes(id) ON DELETE SET NULL;

ALTER TABLE ONLY understudy.subscriptions
    ADD CONSTRAINT subscriptions_sandbox_id_component_id_fkey FOREIGN KEY (sandbox_id, component_id) REFERENCES understudy.components(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.subscriptions
    ADD CONSTRAINT subscriptions_sandbox_id_project_id_fkey FOREIGN KEY (sandbox_id, project_id) REFERENCES understudy.projects(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.subscriptions
    ADD CONSTRAINT subscriptions_sandbox_id_user_id_fkey FOREIGN KEY (sandbox_id, user_id) REFERENCES understudy.users(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.tokens
    ADD CONSTRAINT tokens_sandbox_id_user_id_fkey FOREIGN KEY (sandbox_id, user_id) REFERENCES understudy.users(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.user_groups
    ADD CONSTRAINT user_groups_sandbox_id_group_id_fkey FOREIGN KEY (sandbox_id, group_id) REFERENCES understudy.groups(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.user_groups
    ADD CONSTRAINT user_groups_sandbox_id_user_id_fkey FOREIGN KEY (sandbox_id, user_id) REFERENCES understudy.users(sandbox_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY understudy.users
    ADD CONSTRAINT users_sandbox_id_fkey FOREIGN KEY (sandbox_id) REFERENCES understudy.sandboxes(id);

