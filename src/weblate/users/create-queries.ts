// The SQL that creates a user, in one statement.
import { sql } from 'kysely';
import { type CallerParams, isAllowed, ofAccess, ofCaller, withAccess } from '../../access/caller-queries.ts';
import { prepare } from '../../database/prepare.ts';
import type { Tables } from '../../database/tables.ts';
import { frequencies, type NotificationName, scopes } from '../../model/notifications.ts';
import { type FoundUser, foundUser, writableColumns, writableValues } from './queries.ts';

interface CreateParameters extends CallerParams {
  /** JSON of the columns that bodies set; null if left out. */
  values: string;
}

/** The subscriptions of a new user (transcript users__create), in the order of their ids. */
const defaults: readonly (readonly [notification: NotificationName, scope: number, frequency: number])[] = [
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

const [notifications, itsScopes, itsFrequencies] = ([0, 1, 2] as const).map((i) => defaults.map((each) => each[i]));
const howMany = sql.lit(defaults.length);

/** Robots join no groups and get no subscriptions. Throws 23505 of a unique constraint, and then has used no id. */
export const createUser = prepare<CreateParameters, FoundUser>((db, slot) =>
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
          d.notification, d.scope, d.frequency
        from
          counted c,
          unnest(${notifications}::text[], ${itsScopes}::int2[], ${itsFrequencies}::int2[])
            with ordinality d (notification, scope, frequency, n)
        where not c.is_bot)`,
    )
    .selectFrom('access')
    .leftJoin('created as u', (join) => join.onTrue())
    .select([...ofCaller, foundUser(sql`array(select joined.group_id from joined order by 1)`)]),
);
