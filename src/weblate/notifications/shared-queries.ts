// Lists that wait at the same moment share one statement (docs/decisions/0001).
import { sql } from 'kysely';
import { withRequests } from '../../access/caller-queries.ts';
import { shareStatements } from '../../database/batch.ts';
import { type Handle, prepare } from '../../database/prepare.ts';
import { lastPage, type PageParameters } from '../../http/paginate.ts';
import { findLastPage, findPage, type ListParameters, type PageRow, selectPages } from './queries.ts';

const columnsOf = (batch: readonly ListParameters[]) => ({
  sandboxes: batch.map(({ sandbox }) => sandbox),
  hashes: batch.map(({ hash }) => hash),
  usernames: batch.map(({ username }) => username),
  starts: batch.map(({ start }) => start),
  sizes: batch.map(({ size }) => size),
  // A setting of the service, the same for all requests.
  anonymous: batch[0]?.anonymous ?? 'strict',
});

/** Finds the pages of several requests, in their order, with the start-up cost of one statement. */
export const findPages = prepare<ReturnType<typeof columnsOf>, PageRow>((db, slot) => {
  const requests = sql<Pick<ListParameters, 'start' | 'size'>>`(
    select r.*, ${slot('anonymous', 'text')} as anonymous
    from unnest(${slot('sandboxes', 'text[]')}, ${slot('hashes', 'bytea[]')}, ${slot('usernames', 'text[]')},
        ${slot('starts', 'int4[]')}, ${slot('sizes', 'int4[]')})
      with ordinality r (sandbox, hash, username, start, size, n))`;
  return selectPages(withRequests(db.with('request', requests), 'read subscriptions')).orderBy(sql`access.n`);
});

const queues = new WeakMap<Handle, (request: ListParameters) => Promise<PageRow>>();

/** The statement for a request's page. Pages without a filter share statements, except last pages. */
export function findPageFor({ page }: PageParameters, filters: object) {
  if (page === lastPage) return findLastPage(filters);
  return Object.keys(filters).length === 0 ? findSharedPage : findPage(filters);
}

/** Like findPage, but requests that wait for a handle at the same moment share a statement. */
async function findSharedPage(db: Handle, request: ListParameters) {
  const queue = queues.get(db) ?? openQueue(db);
  queues.set(db, queue);
  return [await queue(request)];
}

const openQueue = (db: Handle) =>
  shareStatements<ListParameters, PageRow>({
    // A lone request needs no arrays, which saves 10 % of the server's work.
    send: async (batch) => {
      const [first] = batch;
      return first !== undefined && batch.length === 1 ? findPage({})(db, first) : findPages(db, columnsOf(batch));
    },
    weigh: ({ size }) => size,
  });
