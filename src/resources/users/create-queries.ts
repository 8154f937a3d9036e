// The SQL that creates a user: one statement, so one round trip and one transaction. It does nothing where the caller may not.
import { sql } from 'kysely';
import { type AskedParameters, ofAccess, withCaller } from '../../access/queries.ts';
import { prepare } from '../../database/prepare.ts';
import { type UserFoundRow, userJson } from './queries.ts';
import type { UserRow } from './serialize.ts';

export interface CreateParameters extends AskedParameters {
  new_username: string;
  full_name: string;
  email: string | null;
  is_superuser: boolean;
  is_active: boolean;
  is_bot: boolean;
  date_expires: string | null;
  /** The subscriptions that it begins with: three columns. */
  notifications: string[];
  scopes: number[];
  frequencies: number[];
}

/** Throws 23505 of a unique constraint, and then has taken no id. */
export const createUser = prepare<CreateParameters, UserFoundRow>((db, slot) => {
  const many = sql`cardinality(${slot('notifications', 'text[]')})`;
  return withCaller(db, slot)
    .with('counted', (cte) =>
      cte
        .updateTable('understudy.counters as c')
        .where('c.sandbox_id', '=', ofAccess('sandbox_id'))
        .where(sql<boolean>`(select access.may_edit_users from access)`)
        .set({
          next_user_id: sql`c.next_user_id + 1`,
          next_subscription_id: sql`c.next_subscription_id + ${many}`,
        })
        .returning([
          'c.sandbox_id',
          sql<number>`c.next_user_id - 1`.as('user_id'),
          sql<number>`c.next_subscription_id - ${many}`.as('first_subscription'),
        ]),
    )
    .with('created', (cte) =>
      cte
        .insertInto('understudy.users')
        .columns([
          'sandbox_id',
          'id',
          'username',
          'full_name',
          'email',
          'is_superuser',
          'is_active',
          'is_bot',
          'date_expires',
        ])
        .expression((eb) =>
          eb
            .selectFrom('counted')
            .select([
              'sandbox_id',
              'user_id',
              slot('new_username', 'text').as('username'),
              slot('full_name', 'text').as('full_name'),
              slot('email', 'text').as('email'),
              slot('is_superuser', 'boolean').as('is_superuser'),
              slot('is_active', 'boolean').as('is_active'),
              slot('is_bot', 'boolean').as('is_bot'),
              slot('date_expires', 'timestamptz').as('date_expires'),
            ]),
        )
        .returningAll(),
    )
    .with('joined', (cte) =>
      cte
        .insertInto('understudy.user_groups')
        .columns(['sandbox_id', 'user_id', 'group_id'])
        .expression((eb) =>
          eb
            .selectFrom('counted')
            .innerJoinLateral(
              sql<{ id: number }>`understudy.automatic_groups(counted.sandbox_id)`.as<'g'>(sql`g(id)`),
              (join) => join.onTrue(),
            )
            .select(['counted.sandbox_id', 'counted.user_id', 'g.id']),
        )
        .returning('group_id'),
    )
    .with('subscribed', (cte) =>
      cte
        .insertInto('understudy.subscriptions')
        .columns(['sandbox_id', 'id', 'user_id', 'notification', 'scope', 'frequency'])
        .expression((eb) =>
          eb
            .selectFrom('counted')
            .innerJoinLateral(
              sql<{ notification: string; scope: number; frequency: number; n: number }>`unnest(
                ${slot('notifications', 'text[]')}, ${slot('scopes', 'int2[]')}, ${slot('frequencies', 'int2[]')}) with ordinality`.as<'d'>(
                sql`d(notification, scope, frequency, n)`,
              ),
              (join) => join.onTrue(),
            )
            .select([
              'counted.sandbox_id',
              sql<number>`counted.first_subscription + d.n - 1`.as('id'),
              'counted.user_id',
              'd.notification',
              'd.scope',
              'd.frequency',
            ]),
        ),
    )
    .selectFrom('access')
    .leftJoin('created as u', (join) => join.onTrue())
    .selectAll('access')
    .select(
      sql<UserRow | null>`case when u.id is not null
        then ${userJson(sql`array(select joined.group_id from joined order by 1)`)} end`.as('found'),
    );
});
