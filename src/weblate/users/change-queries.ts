// Creates, changes or deletes a user, or changes the user's groups, each with one SQL statement.
import { type RawBuilder, sql } from 'kysely';
import type { CallerRights, Intent } from '../../access/permissions.ts';
import { type CallerParams, isAllowed, ofAccess, ofCaller, withAccess } from '../../access/caller-queries.ts';
import { ofLocked, withTarget } from '../../access/lock-queries.ts';
import { prepare, type Slots } from '../../database/prepare.ts';
import type { Tables } from '../../database/tables.ts';
import { frequencies, type NotificationName, scopes } from '../../model/notifications.ts';
import { type FoundUser, foundUser, targetUser, writableColumns, writableValues } from './queries.ts';

/** The subscriptions of a new user (transcript users__create), in the order of their ids. */
const defaults: readonly [notification: NotificationName, scope: number, frequency: number][] = [
  ['MentionCommentNotificaton', scopes.all, frequencies.instant],
  ['LastAuthorCommentNotificaton', scopes.watched, frequencies.instant],
  ['MentionCommentNotificaton', scopes.watched, frequencies.instant],
  ['NewAnnouncementNotificaton', scopes.watched, frequencies.instant],
  ['TranslationActivitySummaryNotification', scopes.watched, frequencies.weekly],
  ['MergeFailureNotification', scopes.administered, frequencies.instant],
  ['ParseErrorNotification', scopes.administered, frequencies.instant],
  ['NewTranslationNotificaton', scopes.administered, frequencies.instant],
  ['NewAlertNotificaton', scopes.administered, frequencies.instant],
  ['NewAnnouncementNotificaton', scopes.administered, frequencies.instant],
];

const howMany = sql.lit(defaults.length);

/**
 * `values` is JSON of the columns that bodies set. Robots join no groups and get no subscriptions. Throws
 * 23505, and uses up no id, if the name or the address is taken.
 */
export const createUser = prepare<CallerParams & { values: string }, FoundUser>((db, slot) =>
  withAccess(db, slot, 'create user')
    .with(
      'counted',
      sql<{ user_id: number }>`(
        update understudy.counters c
        set
          next_user_id = c.next_user_id + 1,
          next_subscription_id =
            c.next_subscription_id + case when v.is_bot then 0 else ${howMany} end
        from jsonb_populate_record(null::understudy.users, ${slot('values', 'jsonb')}) v
        where c.sandbox_id = ${ofAccess('sandbox_id')} and ${isAllowed}
        returning
          c.sandbox_id,
          c.next_user_id - 1 as user_id,
          c.next_subscription_id - ${howMany} as first_subscription,
          v.is_bot)`,
    )
    .with(
      'created',
      sql<Tables['understudy.users']>`(
        insert into understudy.users (sandbox_id, id, ${writableColumns})
        select c.sandbox_id, c.user_id, ${writableValues}
        from counted c, jsonb_populate_record(null::understudy.users, ${slot('values', 'jsonb')}) v
        returning *)`,
    )
    .with(
      'joined',
      sql<{ group_id: number }>`(
        insert into understudy.user_groups (sandbox_id, user_id, group_id)
        select c.sandbox_id, c.user_id, g.id
        from counted c, lateral understudy.automatic_groups(c.sandbox_id) g (id)
        where not c.is_bot
        returning group_id)`,
    )
    .with(
      'subscribed',
      sql<{ id: number }>`(
        insert into understudy.subscriptions (sandbox_id, id, user_id, notification, scope, frequency)
        select
          c.sandbox_id, c.first_subscription + d.n - 1, c.user_id,
          d.value ->> 0, (d.value ->> 1)::int2, (d.value ->> 2)::int2
        from counted c, jsonb_array_elements(${JSON.stringify(defaults)}::jsonb) with ordinality d (value, n)
        where not c.is_bot)`,
    )
    .selectFrom('access')
    .leftJoin('created as u', (join) => join.onTrue())
    .select([...ofCaller, foundUser(sql`array(select joined.group_id from joined order by 1)`)]),
);

/** `values` and `profile` are JSON. Throws 23505 if another user has the name or address. */
export const changeUser = prepare<CallerParams & { values: string; profile: string }, FoundUser>((db, slot) =>
  withTarget(db, slot, 'change user')
    .with(
      'updated',
      sql<Tables['understudy.users']>`(
        update understudy.users u
        set (${writableColumns}, profile) = (
          select ${writableValues}, u.profile || ${slot('profile', 'jsonb')}
          from jsonb_populate_record(u, ${slot('values', 'jsonb')}) v)
        where u.sandbox_id = ${ofLocked} and u.id = (select owner.id from owner)
        returning u.*)`,
    )
    .selectFrom('access')
    .leftJoin('updated as u', (join) => join.onTrue())
    .select([...ofCaller, foundUser()]),
);

/** The profile keys that a deletion empties. */
const personal =
  `website liberapay fediverse codesite github twitter linkedin location company public_email watched`.split(' ');

/** The suffix is added to a new name or address that is taken, perhaps by an earlier deletion. */
type DeleteParameters = CallerParams & { suffix: string };

/** A new name or address for u. @param end follows the suffix */
const freed = (slot: Slots<DeleteParameters>, key: 'username_key' | 'email_key', name: RawBuilder<unknown>, end = '') =>
  sql`${name} || case
    when exists (
      select from understudy.users o
      where o.sandbox_id = u.sandbox_id and ${sql.ref(`o.${key}`)} = ${name} || ${sql.lit(end)})
      then ${slot('suffix', 'text')}
    else ''
  end || ${sql.lit(end)}`;

/**
 * Anonymises the user, and deletes the user's tokens, memberships, subscriptions and personal keys of the
 * profile (transcripts users__delete, users__deleted). Throws 23505 if another request took the new name.
 */
export const anonymiseUser = prepare<DeleteParameters, CallerRights & { readonly found: number | null }>((db, slot) =>
  withTarget(db, slot, 'manage user')
    .with(
      'deleted',
      sql<{ id: number; sandbox_id: number }>`(
        update understudy.users u
        set
          username = ${freed(slot, 'username_key', sql`'deleted-' || u.id`)},
          email = ${freed(slot, 'email_key', sql`'noreply+' || u.id`, '@weblate.org')},
          full_name = 'Deleted User',
          is_active = false,
          date_expires = null,
          profile = u.profile - ${personal}::text[]
        where u.sandbox_id = ${ofLocked} and u.id = (select owner.id from owner)
        returning u.sandbox_id, u.id)`,
    )
    .selectFrom('access')
    .select([
      ...ofCaller,
      sql<number | null>`(select understudy.empty_user(u.sandbox_id, u.id) from deleted u)`.as('found'),
    ]),
);

export type Taken = CallerRights & {
  readonly taken_username: boolean;
  readonly taken_email: boolean;
  /** Whether the target has the request's address, or both have none. */
  readonly own_email: boolean;
};

/** The caller's rights, and whether a user other than the target has the name or address. */
const findTaken = (intent: Intent) =>
  prepare<CallerParams & { new_username: string | null; email: string | null }, Taken>((db, slot) => {
    const others = (column: 'username_key' | 'email_key', name: 'new_username' | 'email') => sql<boolean>`exists (
      select from understudy.users o
      where o.sandbox_id = access.sandbox_id
        and ${sql.ref(`o.${column}`)} = understudy.username_key(${slot(name, 'text')})
        and o.id is distinct from access.target_id
      offset 0)`;
    return withAccess(db, slot, intent)
      .selectFrom('access')
      .leftJoinLateral(targetUser.as('u'), (join) => join.onTrue())
      .select([
        ...ofCaller,
        others('username_key', 'new_username').as('taken_username'),
        others('email_key', 'email').as('taken_email'),
        sql<boolean>`
          u.email_key is not distinct from understudy.username_key(${slot('email', 'text')})`.as('own_email'),
      ]);
  });

export const findTakenToCreate = findTaken('create user');
export const findTakenToChange = findTaken('change user');

/** The outcome says why the change was refused. It is null if the change was made or not needed. */
type MembershipRow = FoundUser & { readonly outcome: 'no group' | 'inactive' | 'last of bot' | null };

/** `change_membership` runs under the sandbox's lock, and so sees all earlier changes of memberships. */
export const changeMembership = prepare<CallerParams & { group_id: number; joins: boolean }, MembershipRow>(
  (db, slot) =>
    withTarget(db, slot, 'manage user')
      .with(
        'changed',
        sql<Pick<MembershipRow, 'outcome'> & { groups: number[] }>`(
        select f.outcome, f.groups
        from
          owner u,
          understudy.change_membership(
            u.sandbox_id, u.id, ${slot('group_id', 'int4')}, ${slot('joins', 'boolean')}) f)`,
      )
      .selectFrom('access')
      .leftJoin('owner as u', (join) => join.onTrue())
      .leftJoin('changed', (join) => join.onTrue())
      .select([...ofCaller, 'changed.outcome', foundUser(sql`changed.groups`)]),
);
