// Functions that work on whole sandboxes: for an operation, the service calls one function and waits for one answer. Every writer,
// including these functions, locks the sandbox's row of counters before anything else of the sandbox (docs/decisions/0009).
// A template is a hidden sandbox, without a name, that holds a seed: the sandboxes of this seed reset to it.

// An arbitrary number: the class of the advisory lock for the creation of sandboxes with the same name. The next three numbers are the
// classes for making the same template, for taking one of the last places, and for making a waiting copy of the same template.
const lockClass = 736_201_150;
// The last places below the maximum number of sandboxes are taken one after the other. This many are enough: no more sandboxes are made at
// the same moment, because a PostgreSQL server accepts about this many connections.
const lastPlaces = 100;

export const statements: readonly string[] = [
  // Makes tokens that choose the sandbox by themselves, for the first users that can use a token, or for the named users. Only the answer
  // has the tokens' texts; the tables keep their hashes.
  `create function understudy.add_sandbox_tokens(target integer, at_most integer, usernames text[] default null)
     returns table (username text, is_superuser boolean, token text) language plpgsql as $$
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
   end $$`,

  // Revokes the token whose hash begins with `wanted`, 16 digits. Returns false if the sandbox has no such token.
  `create function understudy.revoke_sandbox_token(target integer, wanted text) returns boolean language plpgsql as $$
   declare
     revoked bytea;
   begin
     perform from understudy.counters c where c.sandbox_id = target for key share;
     delete from understudy.sandbox_tokens o where o.sandbox_id = target and encode(substr(o.hash, 1, 8), 'hex') = wanted
       returning o.hash into revoked;
     delete from understudy.tokens t where t.sandbox_id = target and t.hash = revoked;
     return revoked is not null;
   end $$`,

  // Makes a copy without a name, and returns its id, or null if the source doesn't exist.
  `create function understudy.add_hidden_copy(source integer) returns integer language plpgsql as $$
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
   end $$`,

  // Makes a finished copy that waits for a name, unless a copy of the template waits already, or the template doesn't exist or has more
  // users and subscriptions than at_most.
  `create function understudy.add_waiting_copy(template integer, at_most integer) returns boolean language plpgsql as $$
   declare
     copy integer;
   begin
     perform from understudy.sandboxes s where s.id = template and s.template_key is not null for key share;
     if not found or not pg_try_advisory_xact_lock(${lockClass + 3}, template) or exists (
       select from understudy.sandboxes s where s.baseline_id = template and s.name is null and s.snapshot_of is null)
       or (select count(*) from (select from understudy.users u where u.sandbox_id = template
         union all select from understudy.subscriptions n where n.sandbox_id = template limit at_most + 1) counted) > at_most then
       return false;
     end if;
     copy := understudy.add_hidden_copy(template);
     update understudy.sandboxes set baseline_id = template where id = copy;
     return true;
   end $$`,

  // Sets the state to which a sandbox resets. The former state is dropped, unless other sandboxes may share it, or an undo returns to it.
  // The calling transaction has locked the sandbox's counters.
  `create function understudy.set_baseline(target integer, baseline integer) returns void language plpgsql as $$
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
   end $$`,

  `create function understudy.drop_snapshots(target integer) returns void language plpgsql as $$
   declare
     snapshot integer;
   begin
     for snapshot in select id from understudy.sandboxes where snapshot_of = target order by id loop
       perform understudy.set_baseline(snapshot, null);
       perform understudy.drop_rows(snapshot);
     end loop;
   end $$`,

  // Drops the state to which an undo returns: a snapshot without a name. Only the sweep in expiry.ts needs this lock: others hold it.
  `create function understudy.drop_undo(target integer, older_than interval default null) returns void language plpgsql as $$
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
   end $$`,

  // Called before a reset, restore or load that can be undone. Keeps the sandbox's rows and baseline, and drops the state that was kept
  // before. A sandbox with more users and subscriptions than at_most is not kept.
  `create function understudy.keep_undo(target integer, at_most integer) returns void language plpgsql as $$
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
   end $$`,

  // Makes the sandbox `wanted`, or, with `replaces`, replaces it, and drops its former tokens and snapshots. If the source is a
  // template, the template becomes the baseline, which sandboxes share. If the source is another sandbox, a copy of it becomes the
  // baseline, because the source changes. The source's counters are never locked: two sandboxes made from each other would deadlock.
  `create function understudy.put_sandbox(wanted text, source integer, lifetime integer, maximum integer, replaces boolean,
     out sandbox_id integer, out outcome text) language plpgsql as $$
   declare
     baseline integer := source;
     named bigint;
   begin
     perform pg_advisory_xact_lock(${lockClass}, hashtext(wanted));
     select c.sandbox_id into sandbox_id from understudy.sandboxes s join understudy.counters c on c.sandbox_id = s.id
       where s.name = wanted for update of c;
     if sandbox_id is null then
       select count(*) into named from understudy.sandboxes s where s.name is not null;
       if named + ${lastPlaces} > maximum then
         -- One after the other, each seeing what the one before made, or those of the same moment pass the maximum together.
         perform pg_advisory_xact_lock(${lockClass + 2}, 0);
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
   end $$`,

  // Returns a sandbox to its baseline, or to a snapshot. If undo_at_most is given, as the limit for keep_undo, the reset can be undone.
  `create function understudy.reset_sandbox(wanted text, snapshot text default null, undo_at_most integer default null)
     returns text language plpgsql as $$
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
   end $$`,

  // Returns a sandbox to the state that keep_undo kept, once and within the lifetime.
  `create function understudy.undo_sandbox(wanted text, lifetime interval) returns text language plpgsql as $$
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
   end $$`,

  `create function understudy.put_snapshot(wanted text, snapshot text, maximum integer) returns text language plpgsql as $$
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
   end $$`,

  // Gives a hidden sandbox the template's key, unless another sandbox has it. Returns the id of the sandbox that has the key.
  `create function understudy.name_template(hidden integer, template text) returns integer language plpgsql as $$
   declare
     shared integer;
   begin
     perform pg_advisory_xact_lock(${lockClass + 1}, hashtext(template));
     select s.id into shared from understudy.sandboxes s where s.template_key = template;
     if not found then
       update understudy.sandboxes s set template_key = template where s.id = hidden;
     end if;
     return coalesce(shared, hidden);
   end $$`,

  // Drops a sandbox, and its baseline if no other sandbox uses it. With only_expired_before, a sandbox stays if it was used
  // after the sweep found it expired.
  `create function understudy.drop_sandbox(target integer, only_expired_before timestamptz default null) returns boolean
     language plpgsql as $$
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
   end $$`,

  // Drops a template to which no sandbox resets, and the template's waiting copies. If `template` is the id of a waiting copy, only this
  // copy is dropped. The lock waits for a transaction that is about to use the template or the copy.
  `create function understudy.drop_unused_template(template integer) returns boolean language plpgsql as $$
   begin
     perform from understudy.sandboxes s where s.id = template and s.name is null and s.snapshot_of is null for update;
     if not found or exists (
       select from understudy.sandboxes s where s.baseline_id = template and (s.name is not null or s.snapshot_of is not null)) then
       return false;
     end if;
     perform understudy.drop_rows(s.id) from understudy.sandboxes s where s.baseline_id = template;
     perform understudy.drop_rows(template);
     return true;
   end $$`,
];
