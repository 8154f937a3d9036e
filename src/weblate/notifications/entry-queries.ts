// The SQL of one subscription. Each request is one statement, which writes nothing without the permission.
import { sql } from 'kysely';
import type { AccessResult, Intent } from '../../access/permissions.ts';
import { type CallerParams, isAllowed, ofAccess, ofResult, withAccess } from '../../access/caller-queries.ts';
import { keepTarget, ofLocked, withLock } from '../../access/lock-queries.ts';
import { isVisible, visibleSubscriptions } from '../../access/visible-queries.ts';
import { prepare, type Slots } from '../../database/prepare.ts';
import type { RowOf } from '../../database/tables.ts';
import { entryForCaller } from '../page-queries.ts';
import { type Entry, entryColumns } from './serialize.ts';

/** `found` is the subscription that was found, written or deleted; null if there is none. */
type EntryRow = AccessResult & { readonly found: Entry | null };

type Subscription = RowOf<'subscriptions'>;
type EntryParameters = CallerParams & { entry_id: number };
type Written = Pick<Subscription, 'notification' | 'scope' | 'frequency'>;
/**
 * The body's values. Null leaves a column as it is. The scope never changes: if the body has a scope, only a
 * subscription in that scope is changed.
 */
type ChangeParameters = EntryParameters & { [Column in keyof Written]: Written[Column] | null };

const entryJson = sql<Entry>`json_build_array(${sql.join(entryColumns.map((column) => sql.ref(`x.${column}`)))})`;

const foundEntry = sql<Entry | null>`case when x.id is not null then ${entryJson} end`.as('found');

/** Whether x is the path's subscription. Takes the sandbox from `locked`, and so waits for the lock. */
const inPath = (slot: Slots<EntryParameters>) =>
  sql<boolean>`
    x.sandbox_id = ${ofLocked}
    and x.user_id = ${ofAccess('target_id')}
    and x.id = ${slot('entry_id', 'int4')}`;

const findEntryFor = (intent: Intent) =>
  entryForCaller<{ entry_id: number }, Entry>(
    (slot) => visibleSubscriptions.where('x.id', '=', slot('entry_id', 'int4')).select(entryJson.as('item')),
    intent,
  );

export const findEntry = findEntryFor('read subscriptions');
/** Checks the permission before a large body is read or an error in a body is reported. */
export const findEntryToWrite = findEntryFor('write subscriptions');

/** Throws 23505 (subscriptions_unique), and uses up no id, if the user has this subscription. */
export const createEntry = prepare<CallerParams & Written, EntryRow>((db, slot) =>
  withAccess(db, slot, 'write subscriptions')
    .with(
      'counted',
      sql<{ id: number }>`(
        update understudy.counters c
        set next_subscription_id = c.next_subscription_id + 1
        where c.sandbox_id = ${ofAccess('sandbox_id')} and ${isAllowed}
        returning c.sandbox_id, c.next_subscription_id - 1 as id)`,
    )
    .with('owner', keepTarget(slot, sql`(select counted.sandbox_id from counted)`))
    .with(
      'created',
      sql<Subscription>`(
        insert into understudy.subscriptions (sandbox_id, id, user_id, notification, scope, frequency)
        select counted.sandbox_id, counted.id, owner.id,
          ${slot('notification', 'text')}, ${slot('scope', 'int2')}, ${slot('frequency', 'int2')}
        from counted, owner
        returning *)`,
    )
    .selectFrom('access')
    .leftJoin('created as x', (join) => join.onTrue())
    .select([...ofResult, foundEntry]),
);

/** `found_scope` is the scope of the path's subscription, even if nothing changed; null if there is none. */
type ChangedRow = EntryRow & { readonly found_scope: number | null };

/** Throws 23505 (subscriptions_unique) if the change would make two subscriptions the same. */
export const changeEntry = prepare<ChangeParameters, ChangedRow>((db, slot) =>
  withLock(db, slot, 'write subscriptions', 'key share')
    .with(
      'changed',
      sql<Subscription>`(
        update understudy.subscriptions x
        set notification = coalesce(${slot('notification', 'text')}, x.notification),
          frequency = coalesce(${slot('frequency', 'int2')}, x.frequency)
        from access
        where ${inPath(slot)}
          and coalesce(${slot('scope', 'int2')}, x.scope) = x.scope
          and ${isVisible(sql.ref('x.private_project_id'))}
        returning x.*)`,
    )
    .selectFrom('access')
    .leftJoin('changed as x', (join) => join.onTrue())
    .select([
      ...ofResult,
      foundEntry,
      visibleSubscriptions.where('x.id', '=', slot('entry_id', 'int4')).select('x.scope').as('found_scope'),
    ]),
);

/** A hidden subscription can be deleted, but neither read nor changed (transcript detail__delete). */
export const deleteEntry = prepare<EntryParameters, EntryRow>((db, slot) =>
  withLock(db, slot, 'write subscriptions', 'key share')
    .with('deleted', sql<Subscription>`(delete from understudy.subscriptions x where ${inPath(slot)} returning x.*)`)
    .selectFrom('access')
    .leftJoin('deleted as x', (join) => join.onTrue())
    .select([...ofResult, foundEntry]),
);
