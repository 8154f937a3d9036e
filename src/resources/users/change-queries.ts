// The SQL that changes and deletes a user, each in one statement, so one round trip and one transaction.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { CallerRights, UserIntent } from '../../access/permissions.ts';
import { type CallerParams, lockCounters, ofAccess, ofLocked, usernameKey, withCaller } from '../../access/queries.ts';
import { prepare, type Slots } from '../../database/prepare.ts';
import type { Tables } from '../../database/tables.ts';
import { type FoundUser, foundUser, writableColumns, writableValues } from './queries.ts';
import { SelfFields, UserFields } from './serialize.ts';

/** Unique constraints of the table of users, by the field that each is about. */
export const uniqueConstraints = {
  email: 'users_sandbox_id_email_key_key',
  username: 'users_sandbox_id_username_key_key',
} as const;

/** Updates the target user: u is the row as it is then, joined to `access`. */
const updateTarget = <P extends CallerParams>(
  db: Kysely<Tables>,
  slot: Slots<P>,
  intent: UserIntent,
  assignments: RawBuilder<unknown>,
) =>
  withCaller(db, slot, intent)
    // Two changes that take each other's names would wait for each other.
    .with('locked', lockCounters('update'))
    .with(
      'updated',
      // The name is checked again after the lock: the user may have another by now, or be deleted.
      sql<{ id: number }>`(update understudy.users u set ${assignments}
        where u.sandbox_id = ${ofLocked} and u.id = ${ofAccess('target_id')}
        and u.username_key = ${usernameKey(slot('username', 'text'))} returning u.*)`,
    )
    .selectFrom('access')
    .leftJoin('updated as u', (join) => join.onTrue())
    .selectAll('access');

interface ChangeParameters extends CallerParams {
  /** JSON of the columns to set; the others stay. */
  values: string;
}

const editorsOnly = Object.keys(UserFields.properties).filter((name) => !(name in SelfFields.properties));

/**
 * Callers who may not edit all users change themselves, and only SelfFields.
 * Throws 23505 of a unique constraint.
 */
export const changeUser = prepare<ChangeParameters, FoundUser>((db, slot) => {
  const values = slot('values', 'jsonb');
  const allowed = sql`case when (select may_edit_users from access) then ${values} else ${values} - ${editorsOnly}::text[] end`;
  return updateTarget(
    db,
    slot,
    'change user',
    sql`(${writableColumns}) = (select ${writableValues} from jsonb_populate_record(u, ${allowed}) v)`,
  ).select(foundUser());
});

interface RemoveParameters extends CallerParams {
  /** Ends the new name and address; empty unless another user has them. */
  suffix: string;
}

/**
 * Leaves an anonymous row of a deleted user (transcript users__delete). Tokens, memberships and subscriptions go.
 * Throws 23505 of a unique constraint where another user has the name that the row would get.
 */
export const removeUser = prepare<RemoveParameters, CallerRights & { readonly removed_id: number | null }>(
  (db, slot) => {
    const suffix = slot('suffix', 'text');
    return updateTarget(
      db,
      slot,
      'manage user',
      sql`username = 'deleted-' || u.id || ${suffix}, email = 'noreply+' || u.id || ${suffix} || '@weblate.org',
        full_name = 'Deleted User', is_active = false, is_superuser = false, profile = '{}'`,
    ).select(
      sql<number | null>`case when u.id is not null then understudy.empty_user(u.sandbox_id, u.id) end`.as(
        'removed_id',
      ),
    );
  },
);

interface TakenParameters extends CallerParams {
  new_username: string | null;
  email: string | null;
}

export type Taken = CallerRights & { readonly taken_username: boolean; readonly taken_email: boolean };

/** The caller's rights, and whether another user than the target has the name or the address. */
const findTaken = (intent: UserIntent) =>
  prepare<TakenParameters, Taken>((db, slot) => {
    const isTaken = (column: 'username_key' | 'email_key', name: 'new_username' | 'email') => sql<boolean>`exists (
      select from understudy.users u where u.sandbox_id = ${ofAccess('sandbox_id')}
      and ${sql.ref(`u.${column}`)} = ${usernameKey(slot(name, 'text') as never)}
      and u.id is distinct from ${ofAccess('target_id')} offset 0)`;
    return withCaller(db, slot, intent)
      .selectFrom('access')
      .selectAll('access')
      .select([
        isTaken('username_key', 'new_username').as('taken_username'),
        isTaken('email_key', 'email').as('taken_email'),
      ]);
  });

export const findTakenToCreate = findTaken('create user');
export const findTakenToChange = findTaken('change user');
