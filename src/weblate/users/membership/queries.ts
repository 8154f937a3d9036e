// The SQL that adds a user to a group and removes it, each in one statement.
import { sql } from 'kysely';
import { type CallerParams, ofCaller, withTarget } from '../../../access/queries.ts';
import { prepare } from '../../../database/prepare.ts';
import { type FoundUser, foundUser } from '../queries.ts';

interface MembershipParams extends CallerParams {
  group_id: number;
}

export type MembershipRow = FoundUser & {
  /** Why nothing was changed; null if it was, or the user was as wanted. */
  readonly outcome: 'no group' | 'inactive' | 'last of bot' | null;
};

// A function sees every earlier change of the user's groups, for it looks once the sandbox is locked.
const membershipStatement = (work: 'join_group' | 'leave_group') =>
  prepare<MembershipParams, MembershipRow>((db, slot) =>
    withTarget(db, slot, 'manage user')
      .with(
        'changed',
        sql<Pick<MembershipRow, 'outcome'> & { groups: number[] }>`(
          select f.outcome, f.groups
          from owner u, understudy.${sql.raw(work)}(u.sandbox_id, u.id, ${slot('group_id', 'int4')}) f)`,
      )
      .selectFrom('access')
      .leftJoin('owner as u', (join) => join.onTrue())
      .leftJoin('changed', (join) => join.onTrue())
      .select([...ofCaller, 'changed.outcome', foundUser(sql`changed.groups`)]),
  );

/** A user who is in the group already stays there; an inactive user joins none. */
export const addMember = membershipStatement('join_group');

export const removeMember = membershipStatement('leave_group');
