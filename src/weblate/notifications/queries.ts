// The SQL of the list of subscriptions.
import { expressionBuilder, type QueryCreator, type RawBuilder, sql } from 'kysely';
import type { AccessResult } from '../../access/permissions.ts';
import {
  type CallerParams,
  ofResult,
  requestColumns,
  visibleSubscriptions,
  type WithAccess,
  withRequests,
} from '../../access/queries.ts';
import { shareStatements } from '../../database/batch.ts';
import { type Handle, prepare } from '../../database/prepare.ts';
import { isDataError } from '../../database/sqlstates.ts';
import type { PageParameters } from '../../http/paginate.ts';

type ListParameters = CallerParams & PageParameters;

interface PageRow extends AccessResult {
  /** How many entries the principal may see; null where it may see none. */
  readonly total: number | null;
  /** The page's entries, packed as serialize.ts unpacks them; null for none. */
  readonly lines: string | null;
}

/** Where the page starts, the last one as page 0. */
const start = sql<{ start: number }>`(
  select case
    when access.page > 0 then (access.page - 1) * access.size
    when access.refused is null then greatest(${countVisible()} - 1, 0) / access.size * access.size
    else 0
  end as start offset 0)`;

const entries = visibleSubscriptions
  .select(['x.id', 'x.notification', 'x.scope', 'x.frequency', 'x.target_path'])
  .orderBy('x.id')
  .limit(sql.ref<number>('access.size'))
  .offset(sql.ref<number>('page.start'));

const packed = expressionBuilder<WithAccess, never>()
  .selectFrom(entries.as('x'))
  .select([
    sql<number>`count(*)::int4`.as('returned'),
    sql<string | null>`string_agg(
      concat_ws(E'\\t', x.id, x.notification, x.scope, x.frequency, x.target_path), E'\\n' order by x.id)`.as('lines'),
  ]);

/** Counted only where the page doesn't tell it: where it is full, or empty and not the first. */
const total = sql<number | null>`case
  when access.refused is not null then null
  when found.returned < access.size and (found.returned > 0 or page.start = 0) then page.start + found.returned
  else ${countVisible()}
end`;

function countVisible(): RawBuilder<number> {
  return sql`understudy.count_visible(
    access.sandbox_id, access.target_id, access.principal_id, access.principal_superuser)`;
}

const selectPages = (db: QueryCreator<WithAccess>) =>
  db
    .selectFrom('access')
    .innerJoinLateral(start.as('page'), (join) => join.onTrue())
    .innerJoinLateral(packed.as('found'), (join) => join.onTrue())
    .select([...ofResult, 'found.lines', total.as('total')]);

interface PagesParameters {
  count: number;
  sandboxes: string[];
  hashes: (Buffer | null)[];
  usernames: string[];
  pages: number[];
  sizes: number[];
  anonymous_reads: boolean;
}

/**
 * The pages that several requests ask for, in one statement: its start-up, which is most of a small statement's cost,
 * is paid once for all (docs/decisions/0001). Nothing is read for a caller that may not read it.
 */
export const findPages = prepare<PagesParameters, PageRow & { readonly n: number }>((db, slot) => {
  // As columns, side by side: each function in `from` would write its rows to a table of its own first.
  const requests = db.selectNoFrom([
    sql<number>`generate_series(1, ${slot('count', 'int4')})`.as('n'),
    sql<string>`unnest(${slot('sandboxes', 'text[]')})`.as('sandbox'),
    sql<Buffer>`unnest(${slot('hashes', 'bytea[]')})`.as('hash'),
    sql<string>`unnest(${slot('usernames', 'text[]')})`.as('username'),
    sql<number>`unnest(${slot('pages', 'int4[]')})`.as('page'),
    sql<number>`unnest(${slot('sizes', 'int4[]')})`.as('size'),
    slot('anonymous_reads', 'boolean').as('anonymous_reads'),
    sql.lit(false).as('anonymous_writes'),
  ]);
  return selectPages(withRequests(db.with('request', requests), 'read subscriptions')).select(
    sql.ref<number>('access.n').as('n'),
  );
});

/**
 * The page that one request asks for: the same without arrays, which saves a lone request a tenth of the server's work.
 */
export const findPage = prepare<ListParameters, PageRow>((db, slot) => {
  const request = db.selectNoFrom([
    ...requestColumns(slot),
    slot('page', 'int4').as('page'),
    slot('size', 'int4').as('size'),
  ]);
  return selectPages(withRequests(db.with('request', request), 'read subscriptions'));
});

const queues = new WeakMap<Handle, (request: ListParameters) => Promise<PageRow>>();

/** The page that one request asks for; requests that wait for a handle at the same moment share a statement. */
export function findSharedPage(db: Handle, request: ListParameters): Promise<PageRow> {
  const queue = queues.get(db) ?? openQueue(db);
  return queue(request);
}

function openQueue(db: Handle) {
  const queue = shareStatements<ListParameters, PageRow>({
    send: async (batch) => {
      const [first] = batch;
      if (first !== undefined && batch.length === 1) return findPage(db, first);
      const rows = await findPages(db, columnsOf(batch));
      return rows.toSorted((a, b) => a.n - b.n);
    },
    weigh: ({ size }) => size,
    isOneRequestsFault: isDataError,
  });
  queues.set(db, queue);
  return queue;
}

const columnsOf = (batch: readonly ListParameters[]): PagesParameters => ({
  count: batch.length,
  sandboxes: batch.map(({ sandbox }) => sandbox),
  hashes: batch.map(({ hash }) => hash),
  usernames: batch.map(({ username }) => username),
  pages: batch.map(({ page }) => page),
  sizes: batch.map(({ size }) => size),
  // A setting of the service, so the same for all.
  anonymous_reads: batch[0]?.anonymous_reads === true,
});
