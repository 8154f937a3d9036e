// The SQL that adds a user to a group and removes it.
import { type QueryCreator, sql } from 'kysely';
import { type CallerParams, isAllowed, ofAccess, ofCaller, withAccess } from '../../../access/queries.ts';
import { prepare, type Slots } from '../../../database/prepare.ts';
import type { Tables } from '../../../database/tables.ts';
import { type FoundUser, foundUser, targetUser } from '../queries.ts';

interface MembershipParams extends CallerParams {
  group_id: number;
}

export type MembershipRow = FoundUser & {
  readonly group_found: boolean;
  /** After a removal: whether the user is a bot without another group, which it keeps. */
  readonly is_last_of_bot?: boolean;
};

/** Locks the sandbox for the transaction, so that its next statement sees every earlier change of the user's groups. */
export const lockSandbox = prepare<{ sandbox: string }, { sandbox_id: number }>((db, slot) =>
  db
    .selectFrom('understudy.counters as c')
    .innerJoin('understudy.sandboxes as s', 's.id', 'c.sandbox_id')
    .where('s.name', '=', slot('sandbox', 'text'))
    .select('c.sandbox_id')
    .forUpdate('c'),
);

/** The first parts of a statement that is sent once the sandbox is locked. */
const withChosen = (db: QueryCreator<Tables>, slot: Slots<MembershipParams>) =>
  withAccess(db, slot, 'manage user').with(
    'chosen',
    sql<{ id: number }>`(
      select g.id
      from understudy.groups g
      where g.sandbox_id = ${ofAccess('sandbox_id')}
        and g.id = ${slot('group_id', 'int4')}
        and ${isAllowed})`,
  );

const groupFound = sql<boolean>`exists (select from chosen)`.as('group_found');

/** A user who is in the group already stays there; an inactive user joins none. */
export const addMember = prepare<MembershipParams, MembershipRow>((db, slot) =>
  withChosen(db, slot)
    .with(
      'added',
      sql<{ group_id: number }>`(
        insert into understudy.user_groups (sandbox_id, user_id, group_id)
        select u.sandbox_id, u.id, chosen.id
        from chosen, understudy.users u
        where u.sandbox_id = ${ofAccess('sandbox_id')}
          and u.id = ${ofAccess('target_id')}
          and u.is_active
        on conflict do nothing
        returning group_id)`,
    )
    .selectFrom('access')
    .leftJoinLateral(targetUser.as('u'), (join) => join.onTrue())
    .select([
      ...ofCaller,
      groupFound,
      foundUser(sql`array(
        select m.group_id
        from understudy.user_groups m
        where m.sandbox_id = u.sandbox_id and m.user_id = u.id
        union
        select added.group_id
        from added
        order by 1)`),
    ]),
);

/**
 * A user who leaves a group loses the subscriptions to all that the remaining groups don't open, even where the
 * group didn't open it either (transcripts membership__access, membership__closing).
 */
export const removeMember = prepare<MembershipParams, MembershipRow>((db, slot) =>
  withChosen(db, slot)
    .with(
      'target',
      sql<{ is_superuser: boolean; is_last_of_bot: boolean }>`(
        select
          u.is_superuser,
          u.is_bot and not exists (
            select from understudy.user_groups m
            where m.sandbox_id = u.sandbox_id
              and m.user_id = u.id
              and m.group_id <> ${slot('group_id', 'int4')}
          ) as is_last_of_bot
        from understudy.users u
        where u.sandbox_id = ${ofAccess('sandbox_id')} and u.id = ${ofAccess('target_id')})`,
    )
    .with(
      'removed',
      // Found among the user's groups, which are few: the group may have thousands of users.
      sql<{ group_id: number }>`(
        delete from understudy.user_groups m
        where m.sandbox_id = ${ofAccess('sandbox_id')} and m.user_id = ${ofAccess('target_id')}
          and m.group_id + 0 = (select chosen.id from chosen)
          and not (select target.is_last_of_bot from target)
        returning m.group_id)`,
    )
    .with(
      'closed',
      sql<{ id: number }>`(
        delete from understudy.subscriptions x
        where x.sandbox_id = ${ofAccess('sandbox_id')} and x.user_id = ${ofAccess('target_id')}
          and x.private_project_id is not null
          and not (select target.is_superuser from target)
          and exists (select from removed)
          and not exists (
            select from understudy.user_groups m
            where m.sandbox_id = x.sandbox_id and m.user_id = x.user_id
              and m.group_id <> (select removed.group_id from removed)
              and (
                exists (
                  select from understudy.group_projects o
                  where o.sandbox_id = m.sandbox_id
                    and o.group_id = m.group_id
                    and o.project_id = x.private_project_id
                  offset 0)
                or exists (
                  select from understudy.groups g
                  where g.sandbox_id = m.sandbox_id
                    and g.id = m.group_id
                    and g.project_selection = 1
                  offset 0))
            offset 0))`,
    )
    .selectFrom('access')
    .leftJoin('target', (join) => join.onTrue())
    .leftJoinLateral(targetUser.as('u'), (join) => join.onTrue())
    .select([
      ...ofCaller,
      groupFound,
      'target.is_last_of_bot',
      foundUser(sql`array(
        select m.group_id
        from understudy.user_groups m
        where m.sandbox_id = u.sandbox_id and m.user_id = u.id
        except
        select removed.group_id
        from removed
        order by 1)`),
    ]),
);
