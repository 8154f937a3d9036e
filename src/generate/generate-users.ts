// Fills a sandbox with any number of made-up users in one transaction: users and their rows go in by COPY, batch by batch.
import type { Client } from 'pg';
import { violatedUnique } from '../database/sqlstates.ts';
import { type Db, lockCounters, type NextIds, prepareLoad, recordSeed } from '../load/queries.ts';
import { deleteAll } from '../load/write-queries.ts';
import { automaticGroups } from '../seed/seed-types.ts';
import { copyRows, transactWithCopy } from './copy-transaction.ts';
import { makePatterns, targetsFor } from './patterns.ts';
import { keepGroups, keepSandbox, spareForeignKeys } from './queries.ts';
import { randomOf } from './random.ts';
import { makeRows, type Rows, rowTables } from './rows.ts';
import { writeWorld } from './write-world.ts';

export interface GenerateOptions {
  readonly sandboxId: number;
  readonly users: number;
  /** Of each user, exactly. */
  readonly subscriptions: number;
  /** Any text. The same seed gives the same rows in a sandbox of the same counters. */
  readonly seed: string;
  /** Whether each user gets a token; see generatedToken. */
  readonly tokens: boolean;
  /** Empties the sandbox first. */
  readonly replace: boolean;
  /** Aborted: everything is rolled back and the signal's reason thrown. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Rows written, by table. */
export type Generated = Record<'projects' | 'components' | 'groups' | keyof typeof rowTables, number>;

/** The message says what to change. */
export class GenerateError extends Error {
  override readonly name = 'GenerateError';
}

export const mostSubscriptions = 5000;
const highestId = 2_147_483_646;
// Rows of one COPY statement: the server keeps its checks of foreign keys in memory until the statement's end.
const rowsACopy = 50_000;

/**
 * @param url of the database
 * @throws GenerateError where the ids would run out or a made-up name is taken; SandboxGone where there is no such sandbox
 */
export async function generate(url: string, options: GenerateOptions): Promise<Generated> {
  try {
    return await transactWithCopy(url, options.signal, (db, client) => fill(db, client, options));
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error;
    const { detail } = error as { detail?: string };
    throw new GenerateError(`the sandbox has a made-up name already: ${detail ?? String(error)}`, { cause: error });
  }
}

async function fill(db: Db, client: Client, options: GenerateOptions): Promise<Generated> {
  await prepareLoad(db);
  const next = await takeSandbox(db, options);
  const there = await keepGroups(db, options.sandboxId);
  const groups = there.length === 0 ? automaticGroups : [];
  const world = await writeWorld(db, { ...options, groups }, next);
  const everybodysGroups = [...there.filter(({ automatic }) => automatic), ...groups].map(({ id }) => id as number);
  const patterns = makePatterns(
    options.subscriptions,
    targetsFor(options.subscriptions),
    randomOf(`${options.seed} patterns`).random,
  );
  const rows = makeRows({ ...options, world, patterns, everybodysGroups });
  await spareForeignKeys(db);
  const written = await writeRows(client, rows, options, next);
  await recordSeed(db, options.sandboxId, 'generated', describe(options), options.replace);
  options.signal?.throwIfAborted();
  const { projects, components, teams } = world;
  return { projects: projects.length, components: components.length, groups: teams.length, ...written };
}

/** Locks the sandbox, empties it for a replacement, and returns the ids that its new rows begin with. */
async function takeSandbox(db: Db, { sandboxId, replace, users, subscriptions }: GenerateOptions): Promise<NextIds> {
  const counters = await lockCounters(db, sandboxId);
  await keepSandbox(db, sandboxId);
  if (replace) await deleteAll(db, sandboxId);
  const next = replace ? { users: 1, groups: 1, projects: 1, components: 1, subscriptions: 1 } : counters;
  if (next.users + users > highestId || next.subscriptions + users * subscriptions > highestId)
    throw new GenerateError(`that is more than there are ids: ${highestId} of users and of subscriptions`);
  return next;
}

async function writeRows(client: Client, rows: Rows, options: GenerateOptions, next: NextIds) {
  const { users, subscriptions, tokens, signal, onProgress } = options;
  const written = { users: 0, memberships: 0, tokens: 0, subscriptions: 0 };
  const usersABatch = Math.max(1, Math.floor(rowsACopy / Math.max(subscriptions, 10)));
  const total = users * (1 + subscriptions);
  for (let done = 0; done < users; done += usersABatch) {
    signal?.throwIfAborted();
    onProgress?.(done * (1 + subscriptions), total);
    const from = next.users + done;
    const to = next.users + Math.min(users, done + usersABatch);
    const firstId = next.subscriptions + done * subscriptions;
    written.users += await copyRows(client, rowTables.users, rows.users(from, to));
    written.memberships += await copyRows(client, rowTables.memberships, rows.memberships(from, to));
    if (tokens) written.tokens += await copyRows(client, rowTables.tokens, rows.tokens(from, to));
    written.subscriptions += await copyRows(client, rowTables.subscriptions, rows.subscriptions(from, to, firstId));
  }
  onProgress?.(total, total);
  return written;
}

// What the sandbox remembers instead of a seed's digest.
const describe = ({ users, subscriptions, seed, tokens }: GenerateOptions): string =>
  JSON.stringify({ users, subscriptions, seed, tokens });
