// The SQL of subscriptions. First the list of the specification: a user's subscriptions, ordered by id, with their project
// or component. Around that query are the page that a request asks for, and how many entries there are. Lists that wait
// at the same moment share a statement (docs/decisions/0001).
import { expressionBuilder, type QueryCreator, sql } from 'kysely';
import type { AccessResult, Intent } from '../../access/permissions.ts';
import {
  type CallerParams,
  isAllowed,
  keepTarget,
  ofAccess,
  ofLocked,
  ofResult,
  withAccess,
  type WithAccess,
  withLock,
  withRequests,
} from '../../access/caller-queries.ts';
import { isVisible, visibleSubscriptions } from '../../access/visible-queries.ts';
import { shareStatements } from '../../database/batch.ts';
import { type Handle, prepare, type Slots } from '../../database/prepare.ts';
import type { RowOf } from '../../database/tables.ts';
import type { PageParameters } from '../../http/paginate.ts';
import { entryForCaller } from '../page-queries.ts';
import { type Entry, entryColumns, type EntryPage } from './serialize.ts';

type ListParameters = CallerParams & PageParameters;

/** The total is of the entries that the caller may see; null if it may see none. */
type PageRow = AccessResult & { readonly total: number | null; readonly entries: EntryPage | null };

/** `select id, notification, scope, frequency, project, component … order by id`, of what the caller may see. */
const subscriptions = visibleSubscriptions.select(entryColumns).orderBy('x.id');

const pageOfThem = subscriptions.limit(sql.ref<number>('access.size')).offset(sql.ref<number>('o.start'));

/**
 * An array for each column. json_agg looks up a column's type once, json_build_array for every value: an array for
 * each entry costs a list 9 % more processor time at 32 connections (docs/decisions/0001).
 */
const pageAsJson = expressionBuilder<WithAccess>()
  .selectFrom(pageOfThem.as('x'))
  .select([
    sql<number>`count(*)::int4`.as('returned'),
    sql<EntryPage | null>`case when count(*) > 0 then json_build_array(
      ${sql.join(entryColumns.map((column) => sql`json_agg(${sql.ref(column)} order by x.id)`))}) end`.as('entries'),
  ]);

const countVisible = sql<number>`understudy.count_visible(
  access.sandbox_id, access.target_id, access.principal_id, access.principal_superuser)`;

/** Page 0 is the last one. */
const start = sql<{ start: number }>`(
  select case
    when access.page > 0 then (access.page - 1) * access.size
    when access.may_manage then greatest(${countVisible} - 1, 0) / access.size * access.size
    else 0
  end as start offset 0)`;

/** Counted only if it doesn't follow from the page: if the page is full, or empty and not the first. */
const total = sql<number | null>`case
  when not access.may_manage then null
  when found.returned < access.size and (found.returned > 0 or o.start = 0) then o.start + found.returned
  else ${countVisible}
end`;

/** A page for each row of `access`. */
const selectPages = (db: QueryCreator<WithAccess>) =>
  db
    .selectFrom('access')
    .crossJoinLateral(start.as('o'))
    .crossJoinLateral(pageAsJson.as('found'))
    .select([...ofResult, total.as('total'), 'found.entries']);

export const findPage = prepare<ListParameters, PageRow>((db, slot) => {
  const pageColumns = [slot('page', 'int4').as('page'), slot('size', 'int4').as('size')];
  return selectPages(withAccess(db, slot, 'read subscriptions', ...pageColumns));
});

const columnsOf = (batch: readonly ListParameters[]) => ({
  sandboxes: batch.map(({ sandbox }) => sandbox),
  hashes: batch.map(({ hash }) => hash),
  usernames: batch.map(({ username }) => username),
  pages: batch.map(({ page }) => page),
  sizes: batch.map(({ size }) => size),
  // A setting of the service, so the same for all.
  anonymous: batch[0]?.anonymous ?? 'strict',
});

/** The pages of several requests, in their order: the start-up of a statement is paid once. */
export const findPages = prepare<ReturnType<typeof columnsOf>, PageRow>((db, slot) => {
  const requests = sql<PageParameters>`(
    select r.*, ${slot('anonymous', 'text')} as anonymous
    from unnest(${slot('sandboxes', 'text[]')}, ${slot('hashes', 'bytea[]')}, ${slot('usernames', 'text[]')},
        ${slot('pages', 'int4[]')}, ${slot('sizes', 'int4[]')})
      with ordinality r (sandbox, hash, username, page, size, n))`;
  return selectPages(withRequests(db.with('request', requests), 'read subscriptions')).orderBy(sql`access.n`);
});

const queues = new WeakMap<Handle, (request: ListParameters) => Promise<PageRow>>();

export async function findSharedPage(db: Handle, request: ListParameters): Promise<PageRow[]> {
  const queue = queues.get(db) ?? openQueue(db);
  queues.set(db, queue);
  return [await queue(request)];
}

const openQueue = (db: Handle) =>
  shareStatements<ListParameters, PageRow>({
    // A lone request has no arrays, which saves it 10 % of the server's work.
    send: async (batch) => {
      const [first] = batch;
      return first !== undefined && batch.length === 1 ? findPage(db, first) : findPages(db, columnsOf(batch));
    },
    weigh: ({ size }) => size,
  });

// Then one subscription: one statement a request, which does nothing where the caller may not.

type EntryRow = AccessResult & { readonly found: Entry | null };

type Subscription = RowOf<'subscriptions'>;
type EntryParameters = CallerParams & { entry_id: number };
type Written = Pick<Subscription, 'notification' | 'scope' | 'frequency'>;
/** Null leaves a value as it is. The row is changed only where it has the scope. */
type ChangeParameters = EntryParameters & { [Column in keyof Written]: Written[Column] | null };

const entryJson = sql<Entry>`json_build_array(${sql.join(entryColumns.map((column) => sql.ref(`x.${column}`)))})`;

/** The column `found`, of the subscription x that is joined to `access`. */
const foundEntry = sql<Entry | null>`case when x.id is not null then ${entryJson} end`.as('found');

/** The subscription x in the path, once the sandbox is locked. */
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
/** Where a body is large or has faults. */
export const findEntryToWrite = findEntryFor('write subscriptions');

/** Throws 23505 of subscriptions_unique for a duplicate, and then has taken no id. */
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

/**
 * Throws 23505 of subscriptions_unique if another subscription has the name. The scope that it finds is the row's,
 * changed or not.
 */
export const changeEntry = prepare<ChangeParameters, EntryRow & { readonly found_scope: number | null }>((db, slot) =>
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

/** A hidden subscription can be deleted, though not read or changed (transcript detail__delete). */
export const deleteEntry = prepare<EntryParameters, AccessResult & { readonly found: number | null }>((db, slot) =>
  withLock(db, slot, 'write subscriptions', 'key share')
    .with('deleted', sql<{ id: number }>`(delete from understudy.subscriptions x where ${inPath(slot)} returning x.id)`)
    .selectFrom('access')
    .leftJoin('deleted', (join) => join.onTrue())
    .select([...ofResult, 'deleted.id as found']),
);
