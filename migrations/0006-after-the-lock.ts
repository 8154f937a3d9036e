// Parts of statements that need the rows as they are once the lock is held. A statement's own snapshot is older than its wait; each
// query in a volatile function takes a new one.

export const statements: readonly string[] = [
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
];
