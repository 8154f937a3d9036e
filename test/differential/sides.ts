// The two servers of a differential run, and how each returns to the world from which episodes start.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import type { Received, Target } from '../transcripts/engine/send-request.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import { seedPath, type World } from '../generator/world.ts';
import { startServing } from '../support/process.ts';
import type { Undo } from '../../src/base/undo.ts';
import { askRedis } from '../follow/weblate/machine.ts';

export interface Side extends Target {
  /** Brings the world back, counters included. */
  readonly reset: () => Promise<void>;
  /** Plants a fault in an answer. */
  readonly change?: (request: TranscriptRequest, received: Received) => Received;
}

export interface RealOptions {
  /** Without a final slash. */
  readonly url: string;
  /** A connection to another database of the same PostgreSQL, as Weblate's own role. */
  readonly databaseServer: string;
  readonly database: string;
  /** The database that holds the world. */
  readonly template: string;
  /** Weblate caches what users may do. */
  readonly redis: string;
}

/** A Weblate whose database is copied from a template (docs/how-to/compare-with-the-real-system.md). */
export function realSide({ url, databaseServer, database, template, redis }: RealOptions, { tokens }: World): Side {
  const reset = async () => {
    const client = new Client(databaseServer);
    await client.connect();
    try {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
      if (rowCount === 0) throw new Error(`the database ${template}, which holds the world, does not exist`);
      await client.query(`drop database if exists ${escapeIdentifier(database)} with (force)`);
      await client.query(`create database ${escapeIdentifier(database)} template ${escapeIdentifier(template)}`);
    } finally {
      await client.end();
    }
    await askRedis(redis, 'FLUSHDB');
  };
  return { baseUrl: url, tokens, reset };
}

/** A sandbox of a service with strict access, filled from the seed of the recorded exchanges. */
export async function sandboxSide(url: string, name: string, { tokens }: World): Promise<Side> {
  const own = `${url}/_understudy/sandboxes/${name}`;
  const call = async (method: string, path: string, body: string | null = null) => {
    const answer = await fetch(own + path, {
      method,
      body,
      ...(body && { headers: { 'Content-Type': 'application/json' } }),
    });
    if (!answer.ok) throw new Error(`${method} ${own}${path}: ${answer.status} ${await answer.text()}`);
  };
  await call('PUT', '');
  await call('PUT', '/seed', await readFile(seedPath, 'utf8'));
  return { baseUrl: `${url}/sandboxes/${name}`, tokens, reset: () => call('POST', '/reset') };
}

/** A service of our own in a process and on a database of its own, which ends with `owned`. */
export async function startOwn(
  owned: Pick<Undo, 'defer'>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ url: () => string; restart: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-differential-'));
  owned.defer(() => rm(folder, { recursive: true, force: true }));
  const owner = { teardown: (step: () => unknown) => owned.defer(step) };
  const start = () => startServing(owner, { UNDERSTUDY_DATA_DIR: folder, UNDERSTUDY_ANONYMOUS: 'strict', ...env });
  let serving = await start();
  // Before the process is killed, so that its PostgreSQL ends too.
  owned.defer(async () => void (await serving.end()));
  return {
    url: () => serving.url,
    restart: async () => {
      await serving.end();
      serving = await start();
    },
  };
}

/** A sandbox whose service restarts with each reset, since it keeps the counts of rate limits in memory. */
export async function countedSide({ url, restart }: Awaited<ReturnType<typeof startOwn>>, world: World): Promise<Side> {
  const name = 'counted';
  let side = await sandboxSide(url(), name, world);
  return {
    tokens: world.tokens,
    get baseUrl() {
      return side.baseUrl;
    },
    reset: async () => {
      await restart();
      side = await sandboxSide(url(), name, world);
    },
  };
}
