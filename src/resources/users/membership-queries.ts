// The SQL that puts a user into a group and takes it out again.
import { sql } from 'kysely';
import {
  type AskedParameters,
  countersWhere,
  keepTarget,
  ofAccess,
  ofLocked,
  opensProject,
  withCaller,
} from '../../access/queries.ts';
import { prepare } from '../../database/prepare.ts';
import { type UserFoundRow, userJson } from './queries.ts';
import type { UserRow } from './serialize.ts';

export interface MembershipParameters extends AskedParameters {
  group_id: number;
}

export type MembershipRow = UserFoundRow & { readonly group_found: boolean };

const mayChange = sql<boolean>`(select access.may_edit_users and not access.target_internal from access)`;
const groupFound = sql<boolean>`exists (select from chosen)`.as('group_found');

/** One statement: who is in the group already stays there. */
export const addMember = prepare<MembershipParameters, MembershipRow>((db, slot) =>
  withCaller(db, slot)
    .with('locked', () => countersWhere(db, mayChange).forUpdate())
    .with('owner', () => keepTarget(db, slot))
    .with('chosen', (cte) =>
      cte
        .selectFrom('understudy.groups as g')
        .where('g.sandbox_id', '=', ofLocked)
        .where('g.id', '=', slot('group_id', 'int4'))
        .select(['g.sandbox_id', 'g.id']),
    )
    .with('added', (cte) =>
      cte
        .insertInto('understudy.user_groups')
        .columns(['sandbox_id', 'user_id', 'group_id'])
        .expression((eb) =>
          eb.selectFrom(['chosen', 'owner']).select(['chosen.sandbox_id', 'owner.id as user_id', 'chosen.id']),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('group_id'),
    )
    .selectFrom('access')
    .leftJoin('understudy.users as u', (join) =>
      join.on('u.sandbox_id', '=', ofLocked).on('u.id', '=', sql`(select owner.id from owner)`),
    )
    .selectAll('access')
    .select([
      groupFound,
      sql<UserRow | null>`case when u.id is not null then ${userJson(sql`array(
        select m.group_id from understudy.user_groups m where m.sandbox_id = u.sandbox_id and m.user_id = u.id
        union select added.group_id from added order by 1)`)} end`.as('found'),
    ]),
);

/** The sandbox is taken for the transaction: what follows sees what others did to the user's groups before. */
export const lockSandbox = prepare<{ sandbox: string }, { sandbox_id: number }>((db, slot) =>
  db
    .selectFrom('understudy.counters as c')
    .innerJoin('understudy.sandboxes as s', 's.id', 'c.sandbox_id')
    .where('s.name', '=', slot('sandbox', 'text'))
    .select('c.sandbox_id')
    .forUpdate('c'),
);

/**
 * Who loses the last group that opens a private project loses the subscriptions to what belongs to it (transcript
 * membership__access). Looks at several groups, so it needs the lock.
 */
export const removeMember = prepare<MembershipParameters, MembershipRow>((db, slot) => {
  const project = sql.ref<number | null>('x.private_project_id');
  return withCaller(db, slot)
    .with('chosen', (cte) =>
      cte
        .selectFrom('understudy.groups as g')
        .where('g.sandbox_id', '=', ofAccess('sandbox_id'))
        .where('g.id', '=', slot('group_id', 'int4'))
        .where(mayChange)
        .select(['g.sandbox_id', 'g.id']),
    )
    .with('removed', (cte) =>
      cte
        .deleteFrom('understudy.user_groups as m')
        .where('m.sandbox_id', '=', ofAccess('sandbox_id'))
        .where('m.user_id', '=', ofAccess('target_id'))
        // Found among the user's groups, which are few: the group may have thousands of users.
        .where(sql<boolean>`m.group_id + 0 = (select chosen.id from chosen)`)
        .returning(['m.sandbox_id', 'm.user_id', 'm.group_id']),
    )
    .with('closed', (cte) =>
      cte
        .deleteFrom('understudy.subscriptions as x')
        .where('x.sandbox_id', '=', ofAccess('sandbox_id'))
        .where('x.user_id', '=', ofAccess('target_id'))
        .where(sql<boolean>`x.private_project_id is not null`)
        .where(sql<boolean>`not (select u.is_superuser from understudy.users u
          where u.sandbox_id = ${ofAccess('sandbox_id')} and u.id = ${ofAccess('target_id')})`)
        .where(sql<boolean>`exists (select from removed m where ${opensProject(project)})`)
        .where(sql<boolean>`not exists (
          select from understudy.user_groups m where m.sandbox_id = x.sandbox_id and m.user_id = x.user_id
          and m.group_id <> (select removed.group_id from removed) and ${opensProject(project)} offset 0)`),
    )
    .selectFrom('access')
    .leftJoin('understudy.users as u', (join) =>
      join.on('u.sandbox_id', '=', ofAccess('sandbox_id')).on('u.id', '=', ofAccess('target_id')),
    )
    .selectAll('access')
    .select([
      groupFound,
      sql<UserRow | null>`case when u.id is not null then ${userJson(sql`array(
        select m.group_id from understudy.user_groups m where m.sandbox_id = u.sandbox_id and m.user_id = u.id
        except select removed.group_id from removed order by 1)`)} end`.as('found'),
    ]);
});
