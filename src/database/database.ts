// The service's connections to its database. Reads share one pipelined connection, for they don't wait for locks.
// Writes of a single statement go through lanes, transactions through a small pool. Health has a connection of its
// own, which answers while all the others wait.
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import { Lanes } from './lanes.ts';
import { PipelinedClient, type StatementFigures } from './pipelined-client.ts';
import type { Handle } from './prepare.ts';
import { SandboxPool } from './sandbox-pool.ts';
import { checkSettings, type Settings, sessionSettings } from './session-settings.ts';
import type { Tables } from './tables.ts';

export interface DatabaseOptions {
  readonly url: string;
  /** 0 for none. */
  readonly statementTimeoutMs: number;
  /** For a statement's wait for a lock, and for a wait for a connection; 0 for none. */
  readonly lockTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly poolSize: number;
}

export type Database = ReturnType<typeof openDatabase>;

// A sandbox uses one at most, and most write rarely. More gained nothing (docs/explanation/performance.md).
const laneCount = 4;
// The server's limit should act first. This much later, the connection is closed with all that waits on it.
const giveUpAfterMs = 2000;
// A statement that got a lane late may still wait this long for a lock: the lanes of other sandboxes are free by
// then.
const graceMs = 200;
// The seed of a new database takes a connection for its lock, one for its load, and two to cancel these.
const minLoads = 4;
// The longest time that a timer takes.
const neverMs = 2_147_483_647;

export function openDatabase(options: DatabaseOptions) {
  const { url, statementTimeoutMs, lockTimeoutMs } = options;
  const settings = sessionSettings(statementTimeoutMs, lockTimeoutMs);
  const config = (settingsOfSession: Settings): ClientConfig => ({
    connectionString: url,
    application_name: 'understudy',
    connectionTimeoutMillis: options.connectTimeoutMs,
    options: Object.entries(settingsOfSession)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    keepAlive: true,
  });
  const waitFor = (limitMs: number, moreMs: number): number => (limitMs === 0 ? neverMs : limitMs + moreMs);
  const giveUpMs = waitFor(statementTimeoutMs, giveUpAfterMs);
  const maxWaitMs = waitFor(lockTimeoutMs, graceMs);
  const none = (): StatementFigures => ({ sent: 0, failed: 0, inFlight: 0 });
  const statements = { reads: none(), writes: none(), pool: none() };

  const openReader = () =>
    new PipelinedClient(config(settings.reads), { figures: statements.reads, giveUpMs, resend: true });
  const reads = openReader();
  const health = openReader();
  const endSession = (processId: number) =>
    health.executeQuery(sql`select pg_terminate_backend(${processId})`.compile(pool));
  const writeOptions = { figures: statements.writes, giveUpMs, resend: false, endSession };
  const writers = Array.from({ length: laneCount }, () => new PipelinedClient(config(settings.writes), writeOptions));
  const lanes = new Lanes(writers, maxWaitMs);
  const poolOptions = { size: options.poolSize, maxWaitMs, giveUpMs, figures: statements.pool };
  const sandboxPool = new SandboxPool(config(settings.pool), poolOptions);
  const loadOptions = { ...poolOptions, size: Math.max(options.poolSize, minLoads), giveUpMs: neverMs };
  const loadPool = new SandboxPool(config(settings.pool), loadOptions);
  const transactionsOf = (connections: SandboxPool) => (sandbox?: string) =>
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections.of(sandbox) }) });
  const transactions = transactionsOf(sandboxPool);
  const pool = transactions();
  return {
    read: reads as Handle,
    /** Writes of a single statement into one sandbox, each a transaction of its own. */
    act: (sandbox: string): Handle => lanes.of(sandbox),
    /** Transactions of several statements, or of long functions, on one sandbox: it gets at most half of the pool. */
    transactions: transactions as (sandbox: string) => Kysely<Tables>,
    /** The same for work that concerns no sandbox in particular. */
    pool,
    /** For loads, which take as long as they need. */
    loads: transactionsOf(loadPool),
    /** For one long piece of work; the caller ends it. */
    openConnection: async () => {
      const client = new Client(config(settings.pool));
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    health: health as Pick<PipelinedClient, 'executeQuery' | 'renew'>,
    /** Throws UserError if a session lacks a setting, and says how to set it for the role. */
    checkSettings: () =>
      checkSettings([
        { handle: reads, settings: settings.reads },
        { handle: lanes.of('default'), settings: settings.writes },
        { handle: pool, settings: settings.pool },
      ]),
    figures: () => ({ statements, pool: sandboxPool.figures }),
    close: async () => {
      const clients = [reads, health, ...writers].map((client) => client.close());
      await Promise.all([...clients, sandboxPool.end(), loadPool.end()]);
    },
  };
}
