// One connection for COPY and for the statements around it, in one transaction. Whatever happens, what was begun is undone.
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { Client } from 'pg';
import type { Tables } from '../database/tables.ts';
import type { Db } from '../load/queries.ts';

/**
 * Runs `work` in a transaction; `client` is the connection under it. An abort ends the connection, whatever is being done on it,
 * which the server answers by rolling back; then the signal's reason is thrown.
 */
export async function transactWithCopy<T>(
  url: string,
  signal: AbortSignal | undefined,
  work: (transaction: Db, client: Client) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const client = new Client({ connectionString: url, application_name: 'understudy-generate' });
  // What is waiting for the connection hears of its end.
  client.on('error', () => undefined);
  const end = () => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', end, { once: true });
  // Who waits for a connection that ends while it is made never hears of it, nor does COPY before the server has asked for its rows.
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
  // A long statement ends when its client has gone. Servers that can't see that refuse the setting.
  await client.query(`set client_connection_check_interval = '1s'`).catch(() => undefined);
  await client.query('set statement_timeout = 0');
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(client) }) });
  return await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute((transaction) => work(transaction, client));
}

const poolOf = (client: Client): PostgresPool => ({
  connect: async () => Object.assign(client, { release: () => undefined }),
  end: async () => undefined,
  options: {},
});
