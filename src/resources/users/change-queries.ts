// The SQL that changes and deletes a user. Each is one statement, so one round trip and one transaction, and does
// nothing where the caller may not.
import { type RawBuilder, sql } from 'kysely';
import type { UserAccess } from '../../access/permissions.ts';
import {
  type AskedParameters,
  countersWhere,
  ofAccess,
  ofLocked,
  usernameKey,
  withCaller,
} from '../../access/queries.ts';
import { prepare } from '../../database/prepare.ts';
import { type UserFoundRow, userJson } from './queries.ts';
import type { UserRow } from './serialize.ts';

/** Unique constraints of the table of users, by the field that each is about. */
export const uniqueConstraints = {
  email: 'users_sandbox_id_email_key_key',
  username: 'users_sandbox_id_username_key_key',
} as const;

export interface ChangeParameters extends AskedParameters {
  /** Null leaves it as it is. */
  new_username: string | null;
  full_name: string | null;
  is_superuser: boolean | null;
  is_active: boolean | null;
  is_bot: boolean | null;
  /** These can be null: whether they are said stands beside them. */
  email: string | null;
  says_email: boolean;
  date_expires: string | null;
  says_date_expires: boolean;
}

const mayChange = sql<boolean>`(select not access.target_internal and
  (access.may_edit_users or access.principal_active and access.principal_id = access.target_id) from access)`;
const mayRemove = sql<boolean>`(select access.may_edit_users and not access.target_internal from access)`;

const ifEditor = (value: RawBuilder<unknown>, otherwise: string) =>
  sql<never>`case when (select access.may_edit_users from access) then ${value} else ${sql.ref(otherwise)} end`;

/**
 * Who may not edit all users changes itself, and only what everybody may say of oneself.
 * Throws 23505 of a unique constraint.
 */
export const changeUser = prepare<ChangeParameters, UserFoundRow>((db, slot) =>
  withCaller(db, slot)
    // Two who take each other's names would wait for each other.
    .with('locked', () => countersWhere(db, mayChange).forUpdate())
    .with('changed', (cte) =>
      cte
        .updateTable('understudy.users as u')
        .where('u.sandbox_id', '=', ofLocked)
        .where('u.id', '=', ofAccess('target_id'))
        // Looked at again where another change of the row was waited for: it may have another name by now, or be deleted.
        .where('u.username_key', '=', usernameKey(slot('username', 'text')))
        .set({
          username: sql`coalesce(${slot('new_username', 'text')}, u.username)`,
          full_name: sql`coalesce(${slot('full_name', 'text')}, u.full_name)`,
          email: sql`case when ${slot('says_email', 'boolean')} then ${slot('email', 'text')} else u.email end`,
          is_superuser: ifEditor(sql`coalesce(${slot('is_superuser', 'boolean')}, u.is_superuser)`, 'u.is_superuser'),
          is_active: ifEditor(sql`coalesce(${slot('is_active', 'boolean')}, u.is_active)`, 'u.is_active'),
          is_bot: ifEditor(sql`coalesce(${slot('is_bot', 'boolean')}, u.is_bot)`, 'u.is_bot'),
          date_expires: ifEditor(
            sql`case when ${slot('says_date_expires', 'boolean')} then ${slot('date_expires', 'timestamptz')} else u.date_expires end`,
            'u.date_expires',
          ),
        })
        .returningAll('u'),
    )
    .selectFrom('access')
    .leftJoin('changed as u', (join) => join.onTrue())
    .selectAll('access')
    .select(sql<UserRow | null>`case when u.id is not null then ${userJson()} end`.as('found')),
);

interface RemoveParameters extends AskedParameters {
  /** Follows the new name and address where somebody has them already; else empty. */
  suffix: string;
}

/**
 * What a deleted user leaves is a row that says nothing of it (transcript users__delete). Its tokens, memberships and subscriptions
 * go. Throws 23505 of a unique constraint where the name that it would get is taken.
 */
export const removeUser = prepare<RemoveParameters, UserAccess & { readonly removed_id: number | null }>((db, slot) => {
  const suffix = slot('suffix', 'text');
  return withCaller(db, slot)
    .with('locked', () => countersWhere(db, mayRemove).forUpdate())
    .with('removed', (cte) =>
      cte
        .updateTable('understudy.users as u')
        .where('u.sandbox_id', '=', ofLocked)
        .where('u.id', '=', ofAccess('target_id'))
        .where('u.username_key', '=', usernameKey(slot('username', 'text')))
        .set({
          username: sql`'deleted-' || u.id || ${suffix}`,
          email: sql`'noreply+' || u.id || ${suffix} || '@weblate.org'`,
          full_name: sql.lit('Deleted User'),
          is_active: sql.lit(false),
          is_superuser: sql.lit(false),
          profile: sql`'{}'`,
        })
        .returning(['u.sandbox_id', 'u.id']),
    )
    .selectFrom('access')
    .leftJoin('removed', (join) => join.onTrue())
    .selectAll('access')
    .select(
      sql<number | null>`case when removed.id is not null
        then understudy.empty_user(removed.sandbox_id, removed.id) end`.as('removed_id'),
    );
});

interface TakenParameters extends AskedParameters {
  new_username: string | null;
  email: string | null;
}

export type TakenRow = UserAccess & { readonly taken_username: boolean; readonly taken_email: boolean };

/** Who asks, whom about, and whether somebody else has the name or the address. */
export const findTaken = prepare<TakenParameters, TakenRow>((db, slot) => {
  const isTaken = (column: 'username_key' | 'email_key', name: 'new_username' | 'email') => sql<boolean>`exists (
    select from understudy.users u where u.sandbox_id = ${ofAccess('sandbox_id')}
    and ${sql.ref(`u.${column}`)} = ${usernameKey(slot(name, 'text') as never)} and u.id is distinct from ${ofAccess('target_id')} offset 0)`;
  return withCaller(db, slot)
    .selectFrom('access')
    .selectAll('access')
    .select([
      isTaken('username_key', 'new_username').as('taken_username'),
      isTaken('email_key', 'email').as('taken_email'),
    ]);
});
