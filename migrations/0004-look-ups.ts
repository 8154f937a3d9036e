// Parts of statements that are functions of their own.

export const statements: readonly string[] = [
  // What a list hardly ever asks: whether a group grants a permission or opens a private project, and how many entries there are in
  // all. Written out in the statements these nodes are set up each time, though they never run; a call that isn't made costs nothing
  // (docs/decisions/0007). The offsets keep the planner to the whole keys, as in src/access/queries.ts.
  `create function understudy.is_granted(sandbox integer, principal integer, any_of text[]) returns boolean
     language plpgsql stable parallel safe as $$
   begin
     return exists (select from understudy.user_groups m
       where m.sandbox_id = sandbox and m.user_id = principal and exists (
         select from understudy.groups g
         where g.sandbox_id = m.sandbox_id and g.id = m.group_id and g.permissions && any_of offset 0) offset 0);
   end $$`,

  `create function understudy.is_open_to(sandbox integer, principal integer, project integer) returns boolean
     language plpgsql stable parallel safe as $$
   begin
     return exists (select from understudy.user_groups m
       where m.sandbox_id = sandbox and m.user_id = principal and (exists (
         select from understudy.group_projects o
         where o.sandbox_id = m.sandbox_id and o.group_id = m.group_id and o.project_id = project offset 0)
       or exists (
         select from understudy.groups g
         where g.sandbox_id = m.sandbox_id and g.id = m.group_id and g.project_selection = 1 offset 0)) offset 0);
   end $$`,

  `create function understudy.count_visible(sandbox integer, owner integer, principal integer, sees_all boolean)
     returns integer language plpgsql stable parallel safe as $$
   begin
     return (select count(*) from understudy.subscriptions x
       where x.sandbox_id = sandbox and x.user_id = owner and (x.private_project_id is null or sees_all
         or understudy.is_open_to(sandbox, principal, x.private_project_id)));
   end $$`,

  // Parts of statements that need the rows as they are once the lock is held. A statement's own snapshot is older than its wait; each
  // query in a volatile function takes a new one.
  //
  // The groups that a new user joins.
  `create function understudy.automatic_groups(sandbox integer) returns setof integer language plpgsql as $$
   begin
     return query select g.id from understudy.groups g where g.sandbox_id = sandbox and g.automatic order by g.id;
   end $$`,

  // Whatever belongs to a user goes. Gives the user's id.
  `create function understudy.empty_user(sandbox integer, owner integer) returns integer language plpgsql as $$
   begin
     delete from understudy.tokens k where k.sandbox_id = sandbox and k.user_id = owner;
     delete from understudy.user_groups m where m.sandbox_id = sandbox and m.user_id = owner;
     delete from understudy.subscriptions x where x.sandbox_id = sandbox and x.user_id = owner;
     return owner;
   end $$`,

  // What a user has of a group's; the caller has locked the sandbox. The word says why nothing changed.
  `create function understudy.join_group(sandbox integer, member integer, joined integer, out outcome text,
     out groups integer[]) language plpgsql as $$
   begin
     if not exists (select from understudy.groups g where g.sandbox_id = sandbox and g.id = joined) then
       outcome := 'no group';
     elsif not (select u.is_active from understudy.users u where u.sandbox_id = sandbox and u.id = member) then
       outcome := 'inactive';
     else
       insert into understudy.user_groups (sandbox_id, user_id, group_id) values (sandbox, member, joined)
         on conflict do nothing;
     end if;
     groups := array(select m.group_id from understudy.user_groups m
       where m.sandbox_id = sandbox and m.user_id = member order by 1);
   end $$`,

  // A user who leaves a group loses the subscriptions to all that the remaining groups don't open, even where the group
  // didn't open it either (transcripts membership__access, membership__closing). A bot keeps its last group. The group
  // is found among the user's, which are few: it may have thousands of users.
  `create function understudy.leave_group(sandbox integer, member integer, former integer, out outcome text,
     out groups integer[]) language plpgsql as $$
   declare
     leaver understudy.users;
   begin
     select u.* into leaver from understudy.users u where u.sandbox_id = sandbox and u.id = member;
     if not exists (select from understudy.groups g where g.sandbox_id = sandbox and g.id = former) then
       outcome := 'no group';
     elsif leaver.is_bot and not exists (select from understudy.user_groups m
       where m.sandbox_id = sandbox and m.user_id = member and m.group_id <> former) then
       outcome := 'last of bot';
     else
       delete from understudy.user_groups m
         where m.sandbox_id = sandbox and m.user_id = member and m.group_id + 0 = former;
       if found and not leaver.is_superuser then
         delete from understudy.subscriptions x where x.sandbox_id = sandbox and x.user_id = member
           and x.private_project_id is not null
           and not understudy.is_open_to(sandbox, member, x.private_project_id);
       end if;
     end if;
     groups := array(select m.group_id from understudy.user_groups m
       where m.sandbox_id = sandbox and m.user_id = member order by 1);
   end $$`,
];
