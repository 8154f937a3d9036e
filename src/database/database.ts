// The service's ways to its database: two shared pipelined connections, one for reads and one for single-statement writes, and a
// small pool for what needs a transaction.
import { Kysely } from 'kysely';
import { Pool } from 'pg';
import { askInTime } from './ask.ts';
import { postgresDialect } from './dialect/dialect.ts';
import { PooledDriver } from './dialect/pooled-driver.ts';
import { nameStatements, withoutNames } from './dialect/statement-names.ts';
import { countPooled, countShared, type DatabaseFigures, noStatements } from './figures.ts';
import { type ClientConfig, PipelinedClient } from './pipelined-client.ts';
import { SharedKysely } from './shared-kysely.ts';
import type { Tables } from './tables.ts';

export interface DatabaseOptions {
  /** postgres://… */
  readonly url: string;
  /** A streaming replica of it for what only reads. */
  readonly readUrl?: string | undefined;
  /** False for a pooler that can't hold prepared statements. */
  readonly preparedStatements: boolean;
  /** After this the server gives a statement up; 0 for never. */
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly poolSize: number;
}

export interface Database {
  /** Statements that only read, in flight side by side on one connection. */
  readonly reads: Kysely<Tables>;
  /** Writes of a single statement, each a transaction of its own, on a connection where no read waits behind them. */
  readonly writes: Kysely<Tables>;
  /** Transactions of several statements. */
  readonly pool: Kysely<Tables>;
  /** How much was asked so far, and who waits. */
  figures(): DatabaseFigures;
  close(): Promise<void>;
}

// The plan is made once a connection and not for each set of values: plans made anew cost seven eighths of the speed. Tables that
// were tiny when it was made must not leave it with a scan of the whole (findings, "One statement" and "Sandboxes").
const noScans = '-c enable_seqscan=off -c jit=off';
// Nor may what is found once be kept for the case that it is looked up again: setting that up costs a small statement a tenth.
const noMemory = '-c enable_memoize=off';
const planOnce = `-c plan_cache_mode=force_generic_plan ${noScans} ${noMemory}`;
// Writes here take their ids from the counters, so the trigger that raises the counters for plain SQL has nothing to do.
const countsIds = '-c understudy.counts_ids=on';
// Who was told that something is written finds it on the replica (docs/scale.md).
const appliedEverywhere = '-c synchronous_commit=remote_apply';

/**
 * A client that loses its server tells so, whether it is in use, where its statement fails as well, or idles, where another one takes
 * its place. Unheard, the event would end the process.
 */
export function surviveLoss(pool: Pool): Pool {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export function openDatabase(options: DatabaseOptions): Database {
  const names = options.preparedStatements ? nameStatements() : withoutNames;
  const config: ClientConfig = {
    connectionString: options.url,
    application_name: 'understudy',
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
    keepAlive: true,
  };
  // The server's limit should be the one that acts: this one gives the connection up with all that waits on it.
  const giveUpMs = options.statementTimeoutMs === 0 ? 0 : options.statementTimeoutMs + 2000;
  const statements = { reads: noStatements(), writes: noStatements(), pool: noStatements() };
  const { url, readUrl = url } = options;
  const durable = readUrl === url ? '' : appliedEverywhere;
  const pipelined = (way: 'reads' | 'writes', settings: string) => {
    const own = { ...config, connectionString: way === 'reads' ? readUrl : url, options: settings };
    // What only reads may be sent once more.
    const client = countShared(new PipelinedClient(own, { resend: way === 'reads', giveUpMs }), statements[way]);
    return new SharedKysely(client, names);
  };
  const reads = pipelined('reads', planOnce);
  const writes = pipelined('writes', `${planOnce} ${countsIds} ${durable}`);
  // Foreign keys are checked by plans that stay as well: while a table is tiny they would read all of it for each new row.
  const pgPool = new Pool({
    ...config,
    options: `${noScans} ${durable}`,
    max: options.poolSize,
    idleTimeoutMillis: 30_000,
  });
  surviveLoss(pgPool);
  const pool = new Kysely<Tables>({
    dialect: postgresDialect(new PooledDriver(countPooled(askInTime(pgPool, giveUpMs), statements.pool), withoutNames)),
  });
  return {
    reads,
    writes,
    pool,
    figures: () => ({
      statements,
      pool: { connections: pgPool.totalCount, idle: pgPool.idleCount, waiting: pgPool.waitingCount },
    }),
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy(), pool.destroy()]);
    },
  };
}
