// The service's three doors to its database. Reads share pipelined connections, because they don't wait for locks:
// lists share one, all other reads another, so that a slow read delays no list. Acts on a sandbox (single statements)
// go through lanes. Loads of seeds are transactions, on a pool of their own.
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
  /** How long a statement may wait for a lock; a wait for a lane may take a little longer. */
  readonly lockTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly poolSize: number;
}

export type Database = ReturnType<typeof openDatabase>;

// A sandbox uses one at most, and most write rarely. More lanes gained nothing (docs/explanation/performance.md).
const laneCount = 4;
// The server's time limit should act first. This much later, the connection is closed with all that waits on it.
const giveUpAfterMs = 2000;
// A statement waits this much longer for a lane than for a lock: by then, lanes whose statements waited for a lock are
// free.
const graceMs = 200;
// The seed of a new database takes a connection for its lock, one for its load, and two to cancel these.
const minLoads = 4;
/** No limit: almost the longest time that timers and PostgreSQL take. */
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
    // Copies hardly ever wait for a lock, but if they are many, they wait long for a lane.
    return shareLanes(connections, way === 'copies' ? statementTimeoutMs : lockTimeoutMs + graceMs);
  };
  const read = open('reads', statements.reads);
  // A connection of its own: it answers while all others wait.
  const health = open('reads', statements.reads);
  /** The command for a grant that makes copies faster; undefined if the role has the grant. */
  const findGrant = async () => (await findMissingGrant(health, {}))[0]?.command;
  const lanes = {
    short: openLanes(laneCount, statements.writes),
    long: openLanes(poolSize, statements.long_writes),
    copy: openLanes(poolSize, statements.long_writes, 'copies'),
  };
  const act = (sandbox: string, length: keyof typeof lanes = 'short'): Handle => lanes[length](sandbox);
  const pool = openPool({ ...config(settings.loads), max: Math.max(poolSize, minLoads) });
  const load = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    lists: open('reads', statements.lists) as Handle,
    read: read as Handle,
    /**
     * For one statement that writes, in the order of its sandbox; an empty name stands for no sandbox in particular.
     * Statements that reset or drop whole sandboxes are `long`. For a `copy` triggers may be off, so it must write
     * only what nobody can see yet.
     */
    act,
    load,
    /** For one long piece of work; the caller ends it. */
    openConnection: async () => {
      const client = new Client(config(settings.loads));
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    health: health as Pick<PipelinedClient, 'executeQuery' | 'renew'>,
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
  // A client emits this when it loses its server, idle or in use. Without a listener it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  return {
    options: {},
    connect: () =>
      pool.connect().catch((error: unknown) => {
        // No request causes this, whatever the reason is.
        throw new DatabaseUnavailable(error);
      }),
    /** Waits for no transaction: the server rolls back those that are open. */
    end: async () => {
      for (const client of inUse) void (client as unknown as Client).end();
      if (!pool.ending) await pool.end();
    },
    figures: () => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}
