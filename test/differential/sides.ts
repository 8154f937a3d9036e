// The two servers of a differential run, and how each returns to the world from which episodes start.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Received } from '../transcripts/engine/send-request.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import type { World } from '../generator/world.ts';
import { type GeneratedSeed, ownRoles } from '../generator/worlds.ts';
import { query } from '../support/postgres-folders.ts';
import { type Serving, startServing } from '../support/process.ts';
import type { Undo } from '../../src/base/undo.ts';
import { askRedis } from '../follow/weblate/machine.ts';
import { fillReal } from './real-world.ts';

export interface Side {
  /** Without a final slash. */
  readonly baseUrl: string;
  /** Makes the server hold the world, counters included. */
  readonly reset: (world: World) => Promise<void>;
  /** Changes an answer before it is compared. */
  readonly change?: (received: Received, request: TranscriptRequest) => Received;
}

interface RealOptions {
  /** Without a final slash. */
  readonly url: string;
  /** The URL, with Weblate's own role, of a database beside `database` in the same PostgreSQL. */
  readonly databaseServer: string;
  readonly database: string;
  readonly template: string;
  /** The Redis in which Weblate caches what users may do. */
  readonly redis: string;
}

export function realSide({ url, databaseServer, database, template, redis }: RealOptions): Side {
  const reset = async (world: World) => {
    const exists = await query(databaseServer, `select true from pg_database where datname = '${template}'`);
    if (exists.length === 0) throw new Error(`the database ${template}, which holds the world, does not exist`);
    await query(databaseServer, `drop database if exists ${database} with (force)`);
    await query(databaseServer, `create database ${database} template ${template}`);
    if (!world.isRecorded) await fill(Object.assign(new URL(databaseServer), { pathname: database }).href, world);
    await askRedis(redis, 'FLUSHDB');
  };
  return { baseUrl: url, reset, change: withoutOwnRoles };
}

/** Drops links to roles that a world adds to the real system. Our groups have permissions instead. */
const withoutOwnRoles = (received: Received, { path }: TranscriptRequest): Received => {
  if (!path.startsWith('/api/groups/')) return received;
  const body = [...ownRoles.keys()].reduce(
    (text, id) => text.replaceAll(new RegExp(`"[^"]*/api/roles/${id}/",|,?"[^"]*/api/roles/${id}/"`, 'gu'), ''),
    received.body,
  );
  return { ...received, body };
};

async function fill(url: string, { seed }: World): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await fillReal(client, seed as GeneratedSeed);
  } finally {
    await client.end();
  }
}

/** A sandbox of a service whose UNDERSTUDY_ANONYMOUS is `strict`. */
export async function sandboxSide(url: string, name: string): Promise<Side> {
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
  let held: World | undefined;
  const reset = async (world: World) => {
    if (held === world) return call('POST', '/reset');
    const groups = world.seed.groups.map((group) => ({
      ...group,
      roles: group.roles.filter((id) => !ownRoles.has(id)),
    }));
    await call('PUT', '/seed', JSON.stringify({ ...world.seed, groups }));
    held = world;
  };
  return { baseUrl: `${url}/sandboxes/${name}`, reset };
}

export async function startOwn(owned: Pick<Undo, 'defer'>, env: Readonly<Record<string, string>>): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-own-'));
  owned.defer(() => rm(folder, { recursive: true, force: true }));
  const owner = { teardown: (step: () => unknown) => owned.defer(step) };
  const serving = await startServing(owner, { UNDERSTUDY_DATA_DIR: folder, ...env });
  // Runs before the teardown that kills the process, so that the process can end its PostgreSQL.
  owned.defer(() => serving.end());
  return serving;
}
