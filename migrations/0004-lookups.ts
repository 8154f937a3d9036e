// Parts of the service's statements that are SQL functions.

const columnPart = (column: string, item: string, order: string) => `elsif part = '${column}' then
       update understudy.groups g set ${column} = array(
           select v from unnest(g.${column} || ${item}) v where adds or v <> ${item} group by v order by ${order})
         where g.sandbox_id = sandbox and g.id = changed and (adds or ${item} = any(g.${column}));`;
// `do update` sets `found` even if the link exists already.
const linkPart = (kind: string, condition = '') => `elsif part = '${kind}s' and adds then
       insert into understudy.group_${kind}s as o select sandbox, changed, t.id from understudy.${kind}s t
         where t.sandbox_id = sandbox and t.id = named ${condition}
         on conflict on constraint group_${kind}s_pkey do update set ${kind}_id = o.${kind}_id;
     elsif part = '${kind}s' then
       delete from understudy.group_${kind}s o where o.sandbox_id = sandbox and o.group_id = changed and o.${kind}_id = named;`;

export const statements: readonly string[] = [
  // The next two functions answer questions that a list rarely has: whether a group grants a permission, and whether it opens a private
  // project. If they were written out in the statements, PostgreSQL would set up their nodes each time, even if they never run; a call
  // that isn't made costs nothing (docs/decisions/0007). With `offset 0`, a lookup uses the whole key of an
  // index (docs/decisions/0014).
  `create function understudy.is_granted(sandbox integer, principal integer, any_of text[]) returns boolean
     language plpgsql stable parallel safe as $$
   begin
     return exists (select from understudy.user_groups m
       where m.sandbox_id = sandbox and m.user_id = principal and exists (
         select from understudy.groups g
         where g.sandbox_id = m.sandbox_id and g.id = m.group_id and g.permissions && any_of offset 0) offset 0);
   end $$`,

  // No user here has a second factor, so a group that enforces a second factor opens no project (transcript groups__kept). A group that has
  // components opens only their projects (transcript groups__opens).
  `create function understudy.is_open_to(sandbox integer, principal integer, project integer) returns boolean
     language plpgsql stable parallel safe as $$
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
   end $$`,

  // The functions from here on need the rows as they are after the calling statement has locked the sandbox.
  // This statement's snapshot is older than its wait for the lock, but each query in a volatile function
  // takes a new snapshot.
  //
  // Returns the groups that a new user joins.
  `create function understudy.automatic_groups(sandbox integer) returns setof integer language plpgsql as $$
   begin
     return query select g.id from understudy.groups g where g.sandbox_id = sandbox and g.automatic order by g.id;
   end $$`,

  // Deletes what belongs to a user: tokens, memberships and subscriptions. Returns the user's id.
  `create function understudy.empty_user(sandbox integer, owner integer) returns integer language plpgsql as $$
   begin
     delete from understudy.tokens k where k.sandbox_id = sandbox and k.user_id = owner;
     delete from understudy.user_groups m where m.sandbox_id = sandbox and m.user_id = owner;
     delete from understudy.subscriptions x where x.sandbox_id = sandbox and x.user_id = owner;
     return owner;
   end $$`,

  // Users who left a group lose the subscriptions to all private projects that their remaining groups don't open, even to projects that
  // the group they left didn't open either (transcripts membership__access, membership__closing, groups__lost).
  `create function understudy.drop_closed(sandbox integer, leavers integer[]) returns void language plpgsql as $$
   declare
     leaver integer;
   begin
     for leaver in select u.id from understudy.users u where u.sandbox_id = sandbox and u.id = any(leavers) and not u.is_superuser loop
       delete from understudy.subscriptions x where x.sandbox_id = sandbox and x.user_id = leaver
         and x.private_project_id is not null and not understudy.is_open_to(sandbox, leaver, x.private_project_id);
     end loop;
   end $$`,

  // Adds a user to a group, or removes the user. The calling statement has locked the sandbox. `outcome` says why nothing changed, for
  // example because a bot keeps its last group. The membership is looked up among the user's groups, because a group may have thousands
  // of users.
  `create function understudy.change_membership(sandbox integer, member integer, target integer, joins boolean, out outcome text,
     out groups integer[]) language plpgsql as $$
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
   end $$`,

  // Writes a group with the values of a body; if target is null, creates it. `outcome` says whether this is done, or why not.
  `create function understudy.put_group(sandbox integer, target integer, given jsonb, out outcome text, out group_id integer)
     language plpgsql as $$
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
   end $$`,

  `create function understudy.drop_group(sandbox integer, former integer, out outcome text, out group_id integer) language plpgsql as $$
   declare
     members integer[] := array(select m.user_id from understudy.user_groups m where m.sandbox_id = sandbox and m.group_id = former);
   begin
     delete from understudy.groups g where g.sandbox_id = sandbox and g.id = former;
     outcome := case when found then 'done' else 'gone' end;
     perform understudy.drop_closed(sandbox, members);
   end $$`,

  // Adds one entry to a list of a group, or removes it. `outcome` says whether this is done, or why not.
  `create function understudy.change_part(sandbox integer, changed integer, part text, adds boolean, value text,
     out outcome text, out group_id integer) language plpgsql as $$
   declare
     named integer := case when part <> 'languages' then value::integer end;
     project integer;
     member understudy.users;
   begin
     select g.defining_project_id into project from understudy.groups g where g.sandbox_id = sandbox and g.id = changed;
     if not found then
       outcome := 'gone';
       return;
     ${columnPart('languages', 'value', 'v collate "C"')}
     ${columnPart('roles', 'named', 'v')}
     ${linkPart('project')}
     ${linkPart('component', 'and t.project_id = coalesce(project, t.project_id)')}
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
   end $$`,
];
