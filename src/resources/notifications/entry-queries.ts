// The SQL of one subscription: read, create, change, delete. Each is one statement, so one round trip and one transaction, and does
// nothing where the caller may not.
import { type Kysely, sql } from 'kysely';
import type { AccessResult, SubscriptionIntent } from '../../access/permissions.ts';
import {
  type CallerParams,
  countersIfAllowed,
  inAccess,
  isAllowed,
  isVisible,
  keepTarget,
  ofAccess,
  ofLocked,
  withOwner,
} from '../../access/queries.ts';
import { prepare } from '../../database/prepare.ts';
import type { Tables } from '../../database/tables.ts';
import type { SubscriptionRow } from './serialize.ts';

/** Whether the request is refused, and the row where there is one: all of its columns are null where there is none. */
export type EntryRow = AccessResult & { [C in keyof SubscriptionRow]: SubscriptionRow[C] | null };

interface EntryParameters extends CallerParams {
  entry_id: number;
}

export interface CreateParameters extends CallerParams {
  notification: string;
  scope: number;
  frequency: number;
}

export interface ChangeParameters extends EntryParameters {
  /** Null leaves it as it is. */
  notification: string | null;
  frequency: number | null;
  /** The scope that the body has; the row is changed only where it has that scope. Null: the body has none. */
  scope: number | null;
}

const columns = ['id', 'notification', 'scope', 'frequency', 'target_path'] as const;

// Shared by statements that create, change and delete; a reset waits for them, and they for a reset.
const lockShared = (db: Kysely<Tables>) => () => countersIfAllowed(db).forKeyShare();

const visible = (alias: string) => isVisible(sql.ref(`${alias}.private_project_id`), inAccess);

const findEntryFor = (intent: SubscriptionIntent) =>
  prepare<EntryParameters, EntryRow>((db, slot) =>
    withOwner(db, slot, intent)
      .selectFrom('access')
      .leftJoin('understudy.subscriptions as x', (join) =>
        join
          .on('x.sandbox_id', '=', ofAccess('sandbox_id'))
          .on('x.user_id', '=', ofAccess('target_id'))
          .on('x.id', '=', slot('entry_id', 'int4'))
          .on(isAllowed)
          .on(visible('x')),
      )
      .select('access.refused')
      .select(columns.map((column) => `x.${column}` as const)),
  );

/** For a request that reads. */
export const findEntry = findEntryFor('read subscriptions');
/** For one that writes, where its body has faults or changes nothing. */
export const findEntryToWrite = findEntryFor('write subscriptions');

/** Throws 23505 of subscriptions_unique for a duplicate, and then has taken no id. */
export const createEntry = prepare<CreateParameters, EntryRow>((db, slot) =>
  withOwner(db, slot, 'write subscriptions')
    .with('counted', (cte) =>
      cte
        .updateTable('understudy.counters as c')
        .where('c.sandbox_id', '=', ofAccess('sandbox_id'))
        .where(isAllowed)
        .set({ next_subscription_id: sql`c.next_subscription_id + 1` })
        .returning(['c.sandbox_id', sql<number>`c.next_subscription_id - 1`.as('id')]),
    )
    .with('owner', () => keepTarget(db, slot, sql`(select counted.sandbox_id from counted)`))
    .with('created', (cte) =>
      cte
        .insertInto('understudy.subscriptions')
        .columns(['sandbox_id', 'id', 'user_id', 'notification', 'scope', 'frequency'])
        .expression((eb) =>
          eb
            .selectFrom(['counted', 'owner'])
            .select([
              'counted.sandbox_id',
              'counted.id',
              'owner.id as user_id',
              slot('notification', 'text').as('notification'),
              slot('scope', 'int2').as('scope'),
              slot('frequency', 'int2').as('frequency'),
            ]),
        )
        .returning(columns),
    )
    .selectFrom('access')
    .leftJoin('created', (join) => join.onTrue())
    .select('access.refused')
    .select(columns.map((column) => `created.${column}` as const)),
);

export interface ChangedRow extends EntryRow {
  /** The row's scope where it exists, changed or not. */
  readonly found_scope: number | null;
}

/** Throws 23505 of subscriptions_unique where another subscription has the name. */
export const changeEntry = prepare<ChangeParameters, ChangedRow>((db, slot) =>
  withOwner(db, slot, 'write subscriptions')
    .with('locked', lockShared(db))
    .with('changed', (cte) =>
      cte
        .updateTable('understudy.subscriptions as x')
        .where('x.sandbox_id', '=', ofLocked)
        .where('x.user_id', '=', ofAccess('target_id'))
        .where('x.id', '=', slot('entry_id', 'int4'))
        .where(visible('x'))
        .where(sql<boolean>`coalesce(${slot('scope', 'int2')}, x.scope) = x.scope`)
        .set({
          notification: sql`coalesce(${slot('notification', 'text')}, x.notification)`,
          frequency: sql`coalesce(${slot('frequency', 'int2')}, x.frequency)`,
        })
        .returning(columns.map((column) => `x.${column}` as const)),
    )
    .selectFrom('access')
    .leftJoin('changed', (join) => join.onTrue())
    .select('access.refused')
    .select(columns.map((column) => `changed.${column}` as const))
    .select((eb) =>
      eb
        .selectFrom('understudy.subscriptions as x')
        .whereRef('x.sandbox_id', '=', 'access.sandbox_id')
        .whereRef('x.user_id', '=', 'access.target_id')
        .where('x.id', '=', slot('entry_id', 'int4'))
        .where(visible('x'))
        .select('x.scope')
        .as('found_scope'),
    ),
);

/** A hidden subscription can be deleted, though not read or changed (transcript detail__delete). */
export const deleteEntry = prepare<EntryParameters, AccessResult & { id: number | null }>((db, slot) =>
  withOwner(db, slot, 'write subscriptions')
    .with('locked', lockShared(db))
    .with('deleted', (cte) =>
      cte
        .deleteFrom('understudy.subscriptions as x')
        .where('x.sandbox_id', '=', ofLocked)
        .where('x.user_id', '=', ofAccess('target_id'))
        .where('x.id', '=', slot('entry_id', 'int4'))
        .returning('x.id'),
    )
    .selectFrom('access')
    .leftJoin('deleted', (join) => join.onTrue())
    .select('access.refused')
    .select('deleted.id'),
);
