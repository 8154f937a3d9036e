// The service's connections to its database. Reads wait for no lock, and share pipelined connections:
// one for lists, one for health checks, one for other reads. So no slow read delays a list. Writes to
// a sandbox are single statements, through lanes. Loads of seeds are transactions, on their own
// pool.
import { Kysely, PostgresDialect } from 'kysely';
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { shareLanes } from './lanes.ts';
import { openPipelined, type PipelinedClient, type StatementFigures } from './pipelined-client.ts';
import type { Handle } from './prepare.ts';
import { checkSettings, findMissingGrant, type Settings, sessionSettings } from './session-settings.ts';
import { DatabaseUnavailable } from './sqlstates.ts';
import type { Tables } from './tables.ts';

export interface DatabaseOptions {
  readonly url: string;
  readonly statementTimeoutMs: number;
  /** A statement's longest wait for a lock. */
  readonly lockTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly poolSize: number;
}

export type Database = ReturnType<typeof openDatabase>;

// Writes are rare, and a sandbox uses one lane (docs/decisions/0012). More lanes gained nothing.
const laneCount = 4;
// The server's time limit for a statement should act first. If it doesn't, the connection is closed this
// much later.
const giveUpAfterMs = 2000;
// The wait for a lane is this much longer than for a lock: statements that time out at a lock free their
// lanes first.
const graceMs = 200;
// Seeding a new database takes a connection for a lock, one for the load, and two to cancel these.
const minLoads = 4;
/** No limit: almost the longest time that timers and PostgreSQL accept. */
export const neverMs = 2_000_000_000;

export function openDatabase(options: DatabaseOptions) {
  const { url, statementTimeoutMs, lockTimeoutMs, poolSize } = options;
  const settings = sessionSettings(statementTimeoutMs, lockTimeoutMs);
  const config = (settingsOfSession: Settings): ClientConfig => ({
    connectionString: url,
    application_name: 'understudy',
    connectionTimeoutMillis: options.connectTimeoutMs,
    options: Object.entries(settingsOfSession)
      .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
      .join(' '),
    keepAlive: true,
  });
  const none = (): StatementFigures => ({ sent: 0, failed: 0, inFlight: 0 });
  const statements = { lists: none(), reads: none(), writes: none(), long_writes: none() };

  const clients: PipelinedClient[] = [];
  const giveUpMs = statementTimeoutMs + giveUpAfterMs;
  const open = (way: 'reads' | 'writes' | 'copies', figures: StatementFigures) => {
    const configOf = async () => config(settings[way === 'copies' && (await findGrant()) ? 'writes' : way]);
    const client = openPipelined(configOf, { figures, giveUpMs, resend: way === 'reads' });
    clients.push(client);
    return client;
  };
  const openLanes = (size: number, figures: StatementFigures, way: 'writes' | 'copies' = 'writes') => {
    const connections = Array.from({ length: size }, () => open(way, figures));
    // Copies hardly ever wait for locks, but many copies at once wait long for lanes.
    return shareLanes(connections, way === 'copies' ? statementTimeoutMs : lockTimeoutMs + graceMs);
  };
  const read = open('reads', statements.reads);
  // Health checks don't wait behind other reads.
  const health = open('reads', statements.reads);
  const findGrant = async () => (await findMissingGrant(health, {}))[0]?.command;
  const lanes = {
    short: openLanes(laneCount, statements.writes),
    long: openLanes(poolSize, statements.long_writes),
    copy: openLanes(poolSize, statements.long_writes, 'copies'),
  };
  const act = (sandbox: string, length: keyof typeof lanes = 'short') => lanes[length](sandbox);
  const pool = openPool({ ...config(settings.loads), max: Math.max(poolSize, minLoads) });
  const load = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    lists: open('reads', statements.lists) as Handle,
    read: read as Handle,
    /**
     * For single statements that write, in order within a sandbox. An empty name is for no sandbox in
     * particular. Resets and drops of whole sandboxes are `long`. A `copy` may run without triggers, so
     * it must write only what nobody sees yet.
     */
    act,
    load,
    /** A connection for one long task. The caller ends it. */
    openConnection: async () => {
      const client = new Client(config(settings.loads));
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    health,
    findGrant,
    /** Throws UserError if a session lacks a setting, and says how to set it for the role. */
    checkSettings: () =>
      checkSettings([
        { handle: read, settings: settings.reads },
        { handle: act('default'), settings: settings.writes },
        { handle: load, settings: settings.loads },
      ]),
    figures: () => ({ statements, pool: pool.figures() }),
    close: async () => {
      await Promise.all([...clients.map((client) => client.close()), pool.end()]);
    },
  };
}

function openPool(config: ConstructorParameters<typeof Pool>[0]) {
  const pool = new Pool(config);
  const inUse = new Set<PoolClient>();
  // A client that loses its server emits an error. Without a listener, the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  return {
    options: {},
    connect: () =>
      pool.connect().catch((error: unknown) => {
        // A failed connection is no request's fault.
        throw new DatabaseUnavailable(error);
      }),
    /** Doesn't wait for transactions: the server rolls them back. */
    end: async () => {
      for (const client of inUse) void (client as unknown as Client).end();
      if (!pool.ending) await pool.end();
    },
    figures: () => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}
