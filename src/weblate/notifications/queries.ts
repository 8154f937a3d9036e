// The SQL of the list of subscriptions.
import { type RawBuilder, sql } from 'kysely';
import type { AccessResult } from '../../access/permissions.ts';
import { accessResult, type CallerParams, isVisible, joinOwner, requestRow } from '../../access/queries.ts';
import { shareStatements } from '../../database/batch.ts';
import type { PageParameters } from '../../database/page-of-rows.ts';
import { type Handle, prepare } from '../../database/prepare.ts';
import { isDataError } from '../../database/sqlstates.ts';

type ListParameters = CallerParams & PageParameters;

interface PageRow extends AccessResult {
  /** How many entries the principal may see; null where it may see none. */
  readonly total: number | null;
  /** The page's entries, packed as serialize.ts unpacks them; null for none. */
  readonly lines: string | null;
}

interface PagesParameters {
  count: number;
  sandboxes: string[];
  hashes: (Buffer | null)[];
  usernames: string[];
  pages: number[];
  sizes: number[];
  anonymous_reads: boolean;
}

const visible = isVisible(sql`x.private_project_id`);
const count = sql`understudy.count_visible(t.sandbox_id, t.id, p.id, p.is_superuser)`;

/**
 * The pages that several requests ask for, in one statement: its start-up, which is most of a small statement's cost,
 * is paid once for all (docs/decisions/0001). Nothing is read for a caller that may not read it, and the total is
 * counted only where the page doesn't tell it.
 */
export const findPages = prepare<PagesParameters, PageRow & { readonly n: number }>((_db, slot) =>
  readPages(
    // As columns, side by side: each function in `from` would write its rows to a table of its own first.
    sql`(select generate_series(1, ${slot('count', 'int4')}) as n,
      unnest(${slot('sandboxes', 'text[]')}) as sandbox, unnest(${slot('hashes', 'bytea[]')}) as hash,
      unnest(${slot('usernames', 'text[]')}) as username, unnest(${slot('pages', 'int4[]')}) as page,
      unnest(${slot('sizes', 'int4[]')}) as size, ${slot('anonymous_reads', 'boolean')} as anonymous_reads)`,
    sql`, r.n`,
  ),
);

/**
 * The page that one request asks for: the same without arrays, which saves a lone request a tenth of the server's work.
 */
export const findPage = prepare<ListParameters, PageRow>((_db, slot) =>
  readPages(requestRow(slot, sql`, ${slot('page', 'int4')} as page, ${slot('size', 'int4')} as size`)),
);

function readPages<Row extends PageRow>(request: RawBuilder<unknown>, more = sql``): RawBuilder<Row> {
  return sql<Row>`select ${accessResult('read subscriptions')}, l.lines,
      case when not a.may_manage then null
        when l.returned < r.size and (l.returned > 0 or o.start = 0) then o.start + l.returned
        else ${count} end as total${more}
    from ${joinOwner(request, 'read subscriptions')}
    left join lateral (select case when r.page > 0 then (r.page - 1) * r.size
      when a.may_manage then greatest(${count} - 1, 0) / r.size * r.size else 0 end as start offset 0) o on true
    left join lateral (select count(*)::int4 as returned,
        string_agg(concat_ws(E'\\t', y.id, y.notification, y.scope, y.frequency, y.target_path), E'\\n' order by y.id) as lines
      from (select x.id, x.notification, x.scope, x.frequency, x.target_path
        from understudy.subscriptions x
        where a.may_manage and x.sandbox_id = t.sandbox_id and x.user_id = t.id and ${visible}
        order by x.id limit r.size offset o.start) y) l on true`;
}

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
