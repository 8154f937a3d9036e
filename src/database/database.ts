// The service's ways to its database. Reads share one pipelined connection, for they wait for nobody. Writes of a single statement go
// through lanes, what needs a transaction through a small pool, and health has a connection of its own.
import { Kysely, sql } from 'kysely';
import { Client, Pool } from 'pg';
import { askInTime } from './ask.ts';
import { NamedStatementConnection } from './dialect/connection.ts';
import { postgresDialect } from './dialect/dialect.ts';
import { PooledDriver } from './dialect/pooled-driver.ts';
import { nameStatements, withoutNames } from './dialect/statement-names.ts';
import { countPooled, countShared, type DatabaseFigures, noStatements } from './figures.ts';
import { Lanes } from './lanes.ts';
import { type ClientConfig, PipelinedClient } from './pipelined-client.ts';
import { type Handle, prepare } from './prepare.ts';
import { SandboxPool } from './sandbox-pool.ts';
import { type Settings, sessionSettings, startupOptions } from './session-settings.ts';
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
  /** After this a statement gives up waiting for a lock, and so does what waits for a connection; 0 for never. */
  readonly lockTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly poolSize: number;
}

export interface Database {
  /** Statements that only read, in flight side by side on one connection. */
  readonly reads: Kysely<Tables>;
  /** Writes of a single statement into one sandbox, each a transaction of its own. */
  readonly writes: (sandbox: string) => Handle;
  /** Transactions of several statements, and functions that are as long, on one sandbox: it gets half of the pool at most. */
  readonly transactions: (sandbox: string) => Kysely<Tables>;
  /** The same for what concerns no sandbox in particular, and for commands. */
  readonly pool: Kysely<Tables>;
  /** A connection for one long read alone; the caller ends it. */
  readonly openConnection: () => Promise<Client>;
  /** For health alone, so that nothing is in front of it: the primary's connection, then the replica's where there is one. */
  readonly health: readonly Handle[];
  /** For a server that only reads: a new connection may lead to the one that writes. */
  renewHealth(): void;
  /** One handle for each kind of connection, with the settings that its sessions should have. */
  readonly ways: readonly { readonly handle: Handle; readonly settings: Settings }[];
  /** How much was asked so far, and who waits. */
  figures(): DatabaseFigures;
  close(): Promise<void>;
}

// A sandbox has one lane at most, and most write only now and then. More lanes gained nothing (docs/performance.md).
const laneCount = 4;
// A statement that got its turn late may still wait for a lock: the lanes that others hold are free by then.
const graceMs = 200;
// The longest that a timer takes.
const neverMs = 2_147_483_647;

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
  const { url, readUrl = url } = options;
  const names = options.preparedStatements ? nameStatements() : withoutNames;
  const settings = sessionSettings(options, readUrl !== url);
  const config = (way: Settings, connectionString = url): ClientConfig => ({
    connectionString,
    application_name: 'understudy',
    connectionTimeoutMillis: options.connectTimeoutMs,
    options: startupOptions(way),
    keepAlive: true,
  });
  // The server's limit should be the one that acts: this one gives the connection up with all that waits on it.
  const giveUpMs = options.statementTimeoutMs === 0 ? 0 : options.statementTimeoutMs + 2000;
  const waitMs = options.lockTimeoutMs === 0 ? neverMs : options.lockTimeoutMs + graceMs;
  const statements = { reads: noStatements(), writes: noStatements(), pool: noStatements() };

  // What only reads may be sent once more.
  const reader = (from: string) => new PipelinedClient(config(settings.reads, from), { resend: true, giveUpMs });
  const readsOn = (client: PipelinedClient) => new SharedKysely(countShared(client, statements.reads), names);
  const reads = readsOn(reader(readUrl));
  const healthClients = [...new Set([url, readUrl])].map(reader);
  const health = healthClients.map(readsOn);
  const endSession = async (processId: number) => health[0] && endProcess(health[0], { processId });
  const lane = () => new PipelinedClient(config(settings.writes), { resend: false, giveUpMs, endSession });
  const lanes = new Lanes(
    Array.from({ length: laneCount }, () => countShared(lane(), statements.writes)),
    waitMs,
  );
  const writes = (sandbox: string): Handle =>
    new NamedStatementConnection({ query: (statement) => lanes.query(sandbox, statement) }, names);

  const pgPool = surviveLoss(new Pool({ ...config(settings.pool), max: options.poolSize, idleTimeoutMillis: 30_000 }));
  const sandboxPool = new SandboxPool(
    countPooled(askInTime(pgPool, giveUpMs), statements.pool),
    options.poolSize,
    waitMs,
  );
  const transactions = (sandbox?: string) =>
    new Kysely<Tables>({ dialect: postgresDialect(new PooledDriver(sandboxPool.of(sandbox), withoutNames)) });
  const pool = transactions();
  return {
    reads,
    writes,
    transactions,
    pool,
    openConnection: async () => {
      const client = new Client(config(settings.pool));
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    health,
    renewHealth: () => healthClients.forEach((client) => client.renew()),
    ways: [
      { handle: reads, settings: settings.reads },
      { handle: writes('default'), settings: settings.writes },
      { handle: pool, settings: settings.pool },
    ],
    figures: () => ({
      statements,
      pool: { connections: pgPool.totalCount, idle: pgPool.idleCount, waiting: sandboxPool.waiting },
    }),
    close: async () => {
      const endPool = async () => pgPool.ending || pgPool.end();
      await Promise.all([...[reads, ...health].map((way) => way.destroy()), lanes.close(), endPool()]);
    },
  };
}

const endProcess = prepare<{ processId: number }, object>((db, slot) =>
  db.selectNoFrom(sql`pg_terminate_backend(${slot('processId', 'int4')})`.as('ended')),
);
