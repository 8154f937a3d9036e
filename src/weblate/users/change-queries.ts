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
  condition = sql``,
) =>
  withCaller(db, slot, intent)
    // Two changes that take each other's names would wait for each other.
    .with('locked', lockCounters('update'))
    .with(
      'updated',
      // The name is checked again after the lock: the user may have another by now, or be deleted.
      sql<{ id: number }>`(update understudy.users u set ${assignments}
        where u.sandbox_id = ${ofLocked} and u.id = ${ofAccess('target_id')}
        and u.username_key = ${usernameKey(slot('username', 'text'))}${condition} returning u.*)`,
    )
    .selectFrom('access')
    .leftJoin('updated as u', (join) => join.onTrue())
    .selectAll('access');

interface ChangeParameters extends CallerParams {
  /** JSON of the columns to set; the others stay. */
  values: string;
  /** JSON of the keys of the profile to set. */
  profile: string;
}

const editorsOnly = Object.keys(UserFields.properties).filter((name) => !(name in SelfFields.properties));

/** Whether an address is that of the user u, but for case. */
const isOwnAddress = (address: RawBuilder<string | null>) =>
  sql<boolean>`u.email_key is not distinct from ${usernameKey(address as RawBuilder<string>)}`;

/**
 * Callers who may not edit all users change themselves, only SelfFields, and not to an unverified address, which is any
 * but their own: then it finds no user. Throws 23505 of a unique constraint.
 */
export const changeUser = prepare<ChangeParameters, FoundUser>((db, slot) => {
  const values = slot('values', 'jsonb');
  const edits = sql`(select may_edit_users from access)`;
  const allowed = sql`case when ${edits} then ${values} else ${values} - ${editorsOnly}::text[] end`;
  return updateTarget(
    db,
    slot,
    'change user',
    sql`(${writableColumns}, profile) = (select ${writableValues}, u.profile || ${slot('profile', 'jsonb')}
      from jsonb_populate_record(u, ${allowed}) v)`,
    sql` and (${edits} or not ${values} ? 'email' or ${isOwnAddress(sql`${values} ->> 'email'`)})`,
  ).select(foundUser());
});

/** The keys of a profile that deletion empties. */
const personal =
  `website liberapay fediverse codesite github twitter linkedin location company public_email watched`.split(' ');

interface RemoveParameters extends CallerParams {
  /** Ends the new name and address where a user has them, be it this one: it may have been deleted before. */
  suffix: string;
}

/**
 * Leaves an anonymous row of a deleted user (transcripts users__delete, users__deleted). Tokens, memberships and
 * subscriptions go, and of the profile what tells who it was.
 * Throws 23505 of a unique constraint where another user got the name that the row would get.
 */
export const removeUser = prepare<RemoveParameters, CallerRights & { readonly removed_id: number | null }>(
  (db, slot) => {
    const suffix = slot('suffix', 'text');
    const free = (key: 'username_key' | 'email_key', name: RawBuilder<string>, end = sql``) => sql`${name} || case when
      exists (select from understudy.users o where o.sandbox_id = u.sandbox_id and ${sql.ref(`o.${key}`)} = ${name}${end})
      then ${suffix} else '' end${end}`;
    return updateTarget(
      db,
      slot,
      'manage user',
      sql`username = ${free('username_key', sql`'deleted-' || u.id`)},
        email = ${free('email_key', sql`'noreply+' || u.id`, sql` || '@weblate.org'`)},
        full_name = 'Deleted User', is_active = false, date_expires = null, profile = u.profile - ${personal}::text[]`,
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

export type Taken = CallerRights & {
  readonly taken_username: boolean;
  readonly taken_email: boolean;
  /** Whether the address is the target's, or both have none. */
  readonly own_email: boolean;
  /** The moment that the sandbox takes for the present; null: the real time. */
  readonly clock: string | null;
};

/** The caller's rights, and whether another user than the target has the name or the address. */
const findTaken = (intent: UserIntent) =>
  prepare<TakenParameters, Taken>((db, slot) => {
    const isTaken = (column: 'username_key' | 'email_key', name: 'new_username' | 'email') => sql<boolean>`exists (
      select from understudy.users o where o.sandbox_id = ${ofAccess('sandbox_id')}
      and ${sql.ref(`o.${column}`)} = ${usernameKey(slot(name, 'text') as never)}
      and o.id is distinct from ${ofAccess('target_id')} offset 0)`;
    return withCaller(db, slot, intent)
      .selectFrom('access')
      .leftJoin('understudy.users as u', (join) =>
        join.on('u.sandbox_id', '=', ofAccess('sandbox_id')).on('u.id', '=', ofAccess('target_id')),
      )
      .selectAll('access')
      .select([
        sql<string | null>`(select to_char(c.clock at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
          from understudy.counters c where c.sandbox_id = ${ofAccess('sandbox_id')})`.as('clock'),
        isTaken('username_key', 'new_username').as('taken_username'),
        isTaken('email_key', 'email').as('taken_email'),
        isOwnAddress(slot('email', 'text')).as('own_email'),
      ]);
  });

export const findTakenToCreate = findTaken('create user');
export const findTakenToChange = findTaken('change user');
