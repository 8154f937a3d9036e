// One connection for COPY and for the statements around it, in one transaction that is rolled back whatever fails.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect } from 'kysely';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Tables } from '../database/tables.ts';
import type { Db } from '../load/queries.ts';
import type { RowsOf, RowTable } from './rows.ts';

/**
 * Runs `work` in a transaction on one connection. An abort closes the connection in the middle of any statement,
 * whereupon the server rolls back, and throws the signal's reason.
 */
export async function transactWithCopy<T>(
  url: string,
  signal: AbortSignal | undefined,
  work: (transaction: Db, client: Client) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const client = new Client({ connectionString: url, application_name: 'understudy-generate' });
  // Pending queries are rejected on their own.
  client.on('error', () => undefined);
  const end = () => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', end, { once: true });
  // But `connect` isn't, where the connection closes while it is being made, nor is COPY before the server has asked
  // for its rows.
  const { promise: ended, reject } = Promise.withResolvers<never>();
  client.once('end', () => reject(new Error('Connection ended')));
  try {
    return await Promise.race([transact(client, work), ended]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
    await client.end().catch(() => undefined);
  }
}

async function transact<T>(client: Client, work: (transaction: Db, client: Client) => Promise<T>): Promise<T> {
  await client.connect();
  // Ends a long statement once its client has disconnected. Servers that can't detect that reject the setting.
  await client.query(`set client_connection_check_interval = '1s'`).catch(() => undefined);
  const connection = Object.assign(client, { release: () => undefined });
  const pool = { connect: async () => connection, end: async () => undefined, options: {} };
  return await new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    .transaction()
    .setIsolationLevel('read committed')
    .execute((transaction) => work(transaction, client));
}

/** Sends the rows of the users `from` to below `to`. Returns the number of rows that the server took. */
export async function copyRows(client: Client, { table, columns }: RowTable, rowsOf: RowsOf, from: number, to: number) {
  const copy = client.query(copyFrom(`copy understudy.${table} (${columns}) from stdin`));
  await pipeline(Readable.from(inChunks(rowsOf, from, to), { objectMode: true, highWaterMark: 1 }), copy);
  return copy.rowCount;
}

function* inChunks(rowsOf: RowsOf, from: number, to: number): Generator<Buffer> {
  let text = '';
  for (let user = from; user < to; user++) {
    text += rowsOf(user);
    // The server reads 64 KiB at a time; larger chunks gain nothing.
    if (text.length < 64 * 1024 && user + 1 < to) continue;
    yield Buffer.from(text);
    text = '';
  }
}
