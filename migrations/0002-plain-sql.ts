// Triggers and functions that make seeding with plain SQL work: the database fills ids, targets and counters itself
// (docs/how-to/load-seeds.md).

const counted = ['user', 'group', 'project', 'component', 'subscription'] as const;

export const statements: readonly string[] = [
  // A column's default can't see sandbox_id, so a trigger takes the id from the sandbox's counter. It keeps
  // the sandbox and its next id in a setting. The counter changes at the statement's end (raise_next_id), or
  // when the statement comes to a row of another sandbox. If the counter changed with each row, each change
  // would leave an old version, and every further row would read all of these. The first row of a sandbox
  // locks the counter before the row is written, even if it has an id: the service locks in the same order.
  ...counted.map(
    (kind) => `
    create function understudy.forget_next_${kind}_id() returns trigger language plpgsql as $$
    begin
      perform set_config('understudy.next_${kind}_id', '', true);
      return null;
    end $$`,
  ),
  ...counted.map(
    (kind) => `
    create function understudy.next_${kind}_id() returns trigger language plpgsql as $$
    declare
      kept integer[] := string_to_array(nullif(current_setting('understudy.next_${kind}_id', true), ''), ' ');
    begin
      if kept[1] is distinct from new.sandbox_id then
        update understudy.counters set next_${kind}_id = kept[2] where sandbox_id = kept[1] and next_${kind}_id < kept[2];
        select array[sandbox_id, next_${kind}_id] into kept
          from understudy.counters where sandbox_id = new.sandbox_id for no key update;
      end if;
      if new.id is null then
        new.id := kept[2];
        kept[2] := kept[2] + 1;
      end if;
      perform set_config('understudy.next_${kind}_id', array_to_string(kept, ' '), true);
      return new;
    end $$`,
  ),
  // The service sets the counters itself. It says so with a setting of its connections, and these triggers then don't run.
  ...counted.flatMap((kind) => [
    `create trigger forget_next_id before insert on understudy.${kind}s
      for each statement when (current_setting('understudy.counts_ids', true) is distinct from 'on')
      execute function understudy.forget_next_${kind}_id()`,
    `create trigger next_id before insert on understudy.${kind}s
      for each row when (current_setting('understudy.counts_ids', true) is distinct from 'on')
      execute function understudy.next_${kind}_id()`,
  ]),

  // The counter is raised above the ids of the inserted rows, so that rows which the service creates later never have the same ids.
  ...counted.map(
    (kind) => `
    create function understudy.raise_next_${kind}_id() returns trigger language plpgsql as $$
    begin
      update understudy.counters c set next_${kind}_id = seen.highest + 1
        from (select sandbox_id, max(id) as highest from inserted group by sandbox_id) seen
        where c.sandbox_id = seen.sandbox_id and c.next_${kind}_id <= seen.highest;
      return null;
    end $$`,
  ),
  ...counted.map(
    (kind) => `
    create trigger raise_next_id after insert on understudy.${kind}s referencing new table as inserted
      for each statement when (current_setting('understudy.counts_ids', true) is distinct from 'on')
      execute function understudy.raise_next_${kind}_id()`,
  ),

  // A column's default can't see the sandbox's clock either. This trigger also sets the date of users that the API creates.
  `create function understudy.fill_date_joined() returns trigger language plpgsql as $$
   begin
     new.date_joined := coalesce((select c.clock from understudy.counters c where c.sandbox_id = new.sandbox_id), now());
     return new;
   end $$`,
  `create trigger fill_date_joined before insert on understudy.users
     for each row when (new.date_joined is null) execute function understudy.fill_date_joined()`,

  // Sets the columns that a subscription repeats of its target. Copied rows have the values already, and need no lookup.
  `create function understudy.fill_target() returns trigger language plpgsql as $$
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
   end $$`,
  `create trigger fill_target before insert on understudy.subscriptions
     for each row when (new.scope >= 30 and coalesce(new.project, new.component) is null) execute function understudy.fill_target()`,
  `create trigger refill_target before update of scope, project_id, component_id on understudy.subscriptions
     for each row when (new.scope >= 30) execute function understudy.fill_target()`,

  // If a target's slug, privacy or project changes, its subscriptions change too: an update that names
  // project_id or component_id fires refill_target.
  `create function understudy.follow_project() returns trigger language plpgsql as $$
   begin
     update understudy.subscriptions s set project_id = s.project_id
       where s.sandbox_id = new.sandbox_id and (s.project_id = new.id or s.component_id in
         (select c.id from understudy.components c where c.sandbox_id = new.sandbox_id and c.project_id = new.id));
     return null;
   end $$`,
  `create trigger follow after update of slug, private on understudy.projects
     for each row when (new.slug <> old.slug or new.private <> old.private) execute function understudy.follow_project()`,
  `create function understudy.follow_component() returns trigger language plpgsql as $$
   begin
     update understudy.subscriptions s set component_id = s.component_id
       where s.sandbox_id = new.sandbox_id and s.component_id = new.id;
     return null;
   end $$`,
  `create trigger follow after update of slug, project_id on understudy.components
     for each row when (new.slug <> old.slug or new.project_id <> old.project_id) execute function understudy.follow_component()`,

  `create function understudy.add_token(username text, key text, sandbox_id integer default 1) returns void
     language plpgsql as $$
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
   end $$`,
];
