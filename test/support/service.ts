// A service for a test: the app on a free loopback port, with the options of a service's process, and a
// database copied from a template, which is filled once a run. App and database end with the test.
import { Agent, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../src/service/app.ts';
import {
  type AppOptions,
  appOptions as processOptions,
  type Configuration,
  databaseOptions,
  readConfiguration,
} from '../../src/service/config/config.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { migrateToLatest } from '../../src/database/migrator.ts';
import { applySeed } from '../../src/seeds/load/apply.ts';
import { seedFile } from '../../src/seeds/load/seed-name.ts';
import { readSeedFile } from './read-seed-file.ts';
import { parseWhole } from '../../src/seeds/format/read-seeds.ts';
import type { Seed } from '../../src/seeds/format/seed-types.ts';
import { analyzeTables } from '../../src/seeds/load/write-queries.ts';
import { getToken, listTokens } from '../transcripts/engine/placeholders.ts';
import { createDatabaseFromTemplate, type Owner } from './database.ts';

export const transcriptsFolder = join(import.meta.dirname, '../transcripts/data');
const emptySeed = parseWhole({ text: 'users: []', file: 'empty' });

export interface ServiceOptions extends Partial<Omit<AppOptions, 'database'>> {
  /** `documented` (default), `transcripts`, a file's path, or null for a migrated and empty database. */
  readonly seed?: string | null;
  /** A database that the test made itself; it is neither migrated nor filled. */
  readonly databaseUrl?: string;
  readonly statementTimeoutMs?: number;
  readonly poolSize?: number;
}

export interface Ask {
  /** A user of the seed; the request carries the user's token. */
  readonly as?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as application/json. */
  readonly json?: unknown;
  /** Sent as it is; `headers` give its Content-Type. */
  readonly body?: string | Buffer;
}

export interface Answered {
  readonly status: number;
  /** Names in lower case; repeated headers are joined. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed body; undefined if it isn't JSON. */
  readonly json: unknown;
}

/** The errors in an answer's body, in order, each such as `email unique`. */
export const faultsOf = ({ json }: Pick<Answered, 'json'>): string[] =>
  (json as { errors: { attr: string | null; code: string }[] }).errors.map(({ attr, code }) => `${attr} ${code}`);

export interface Client {
  /** Adds only Host, Connection and Content-Length to what `ask` says. Sends the path unchanged. */
  request(method: string, path: string, ask?: Ask): Promise<Answered>;
}

export interface Service extends Client {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly databaseUrl: string;
  /** Resets the default sandbox to its seed, counters included. */
  reset(): Promise<void>;
}

export async function startService(t: Owner, options: ServiceOptions = {}): Promise<Service> {
  const { seed: seedName = 'documented', databaseUrl: given, statementTimeoutMs, poolSize, ...overrides } = options;
  const seed = await readSeed(seedName);
  const databaseUrl = given ?? (await createSeededDatabase(t, seedName, seed));
  const configuration = readConfiguration({});
  const database = openForTest(databaseUrl, configuration, {
    ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
    ...(poolSize === undefined ? {} : { poolSize }),
  });
  t.teardown(() => database.close());
  const app = await buildApp({
    ...appOptions(configuration),
    ...overrides,
    database,
  });
  t.teardown(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    ...openClient(t, url, seed),
    url,
    app,
    database,
    databaseUrl,
    reset: () => fill(database, seed, seedName ?? 'empty'),
  };
}

/** A client that keeps its connections, and knows the tokens of the seed's users. */
export function openClient(t: Owner, url: string, seed: Seed = emptySeed, maxSockets = 64): Client {
  const agent = new Agent({ keepAlive: true, maxSockets });
  t.teardown(() => agent.destroy());
  const port = Number(new URL(url).port);
  const tokens = listTokens(
    seed.users.map(({ username, tokens: [token] }) => ({ username, token: token?.text ?? null })),
  );
  return {
    request: (method, path, { as, token, ...ask } = {}) =>
      exchange(agent, port, method, path, token ?? (as === undefined ? undefined : getToken(tokens, as)), ask),
  };
}

/** The URL of a migrated database that holds the seed. */
export async function createSeededDatabase(t: Owner, seedName: string | null, seed?: Seed): Promise<string> {
  return createDatabaseFromTemplate(t, `seeded ${seedName}`, async (url) => {
    await migrateToLatest(url);
    if (seedName === null) return;
    const database = openForTest(url, readConfiguration({}));
    await fill(database, seed ?? (await readSeed(seedName)), seedName);
    await analyzeTables(database.load);
    await database.close();
  });
}

export async function readSeed(name: string | null): Promise<Seed> {
  if (name === null) return emptySeed;
  const path = name === 'transcripts' ? join(transcriptsFolder, 'seed.json') : seedFile(name);
  const seed = seeds.get(path) ?? readSeedFile(path);
  seeds.set(path, seed);
  return seed;
}

/** Seeds by path, each read once a process: most tests start a service with the same seed. */
const seeds = new Map<string, Promise<Seed>>();

/** Opens the database as the service does. */
export function openForTest(
  url: string,
  configuration: Configuration = readConfiguration({}),
  overrides: Partial<Parameters<typeof openDatabase>[0]> = {},
): Database {
  return openDatabase({ ...databaseOptions(url, configuration), ...overrides });
}

/** The options of a service's process, with a silent log. */
export const appOptions = (configuration: Configuration) => ({
  ...processOptions(configuration),
  logLevel: 'silent' as const,
});

async function fill(database: Database, seed: Seed, seedName: string): Promise<void> {
  const sandbox = await database.load
    .selectFrom('understudy.sandboxes')
    .where('name', '=', 'default')
    .select('id')
    .executeTakeFirstOrThrow();
  await applySeed(database.load, { sandboxId: sandbox.id, seeds: [seed], mode: 'replace', seedName });
}

function exchange(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  token: string | undefined,
  { headers = {}, json, body }: Ask,
): Promise<Answered> {
  const bytes = json === undefined ? body : JSON.stringify(json);
  const all = {
    ...(token === undefined ? {} : { authorization: `Token ${token}` }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = send({ agent, host: '127.0.0.1', port, method, path, headers: all }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(incoming.headersDistinct).map(([name, lines]) => [name, lines?.join(', ')]),
          ),
          text,
          json: parse(text),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
