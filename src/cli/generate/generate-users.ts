// Fills a sandbox with any number of made-up users in one transaction, batch by batch.
import type { Kysely } from 'kysely';
import { violatedUnique } from '../../database/sqlstates.ts';
import type { Tables } from '../../database/tables.ts';
import { maxGivenId as maxId } from '../../model/kinds.ts';
import { type Db, firstIds, lockCounters, recordSeed, transact } from '../../seeds/load/queries.ts';
import { RefusedError } from '../failure.ts';
import { deleteAll } from '../../seeds/load/write-queries.ts';
import { automaticGroups } from '../../seeds/format/seed-types.ts';
import { makeRows, writeWorld } from './made-up-rows.ts';
import { insertRows, listGroups, spareForeignKeys } from './row-queries.ts';

export interface GenerateOptions {
  readonly sandboxId: number;
  readonly users: number;
  readonly subscriptions: number;
  /** Any text. The same seed gives the same rows in a sandbox with the same counters. */
  readonly seed: string;
  readonly tokens: boolean;
  readonly replace: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (table: string, done: number, total: number) => void;
}

export const maxSubscriptions = 5000;
// Rows per statement: the server keeps foreign key checks in memory until a statement ends.
const rowsAStatement = 50_000;

/** Returns the number of rows by table. Throws RefusedError where ids run out or a name is taken. */
export async function generate(db: Kysely<Tables>, options: GenerateOptions) {
  try {
    return await transact(db, options.signal, (transaction) => fill(transaction, options));
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error;
    const { detail } = error as { detail?: string };
    throw refuse(`the sandbox has a made-up name already: ${detail ?? String(error)}`);
  }
}

const refuse = (why: string) => new RefusedError(`generate: ${why}\n--replace empties the sandbox first.`);

async function fill(db: Db, options: GenerateOptions) {
  const { sandboxId, users, subscriptions, seed, tokens, replace, signal, onProgress } = options;
  const counters = await lockCounters(db, sandboxId);
  if (replace) await deleteAll(db, sandboxId);
  const next = replace ? firstIds : counters;
  if (next.users + users > maxId || next.subscriptions + users * subscriptions > maxId)
    throw refuse(`that is more than there are ids: ${maxId} of users and of subscriptions`);
  const existing = await listGroups(db, sandboxId);
  const missing = existing.length === 0 ? automaticGroups : [];
  const world = await writeWorld(db, options, missing, next);
  const everybodysGroups = [...existing, ...missing].filter(({ automatic }) => automatic).map(({ id }) => id);
  await spareForeignKeys(db);

  const choices = { ...world, seed, everybodysGroups, subscriptions };
  const written = { users: 0, memberships: 0, tokens: 0, subscriptions: 0 };
  const usersABatch = Math.max(1, Math.floor(rowsAStatement / Math.max(subscriptions, 10)));
  const rowsAUser = 1 + subscriptions;
  for (let done = 0; done < users; done += usersABatch) {
    signal?.throwIfAborted();
    onProgress?.('rows', done * rowsAUser, users * rowsAUser);
    const batch = Array.from({ length: Math.min(usersABatch, users - done) }, (_, i) =>
      makeRows(next.users + done + i, next.subscriptions + (done + i) * subscriptions, choices),
    );
    for (const name of ['users', 'memberships', 'tokens', 'subscriptions'] as const) {
      const rows = name === 'tokens' && !tokens ? [] : batch.flatMap((one): object[] => one[name]);
      await insertRows(db, sandboxId, name === 'memberships' ? 'user_groups' : name, rows);
      written[name] += rows.length;
    }
  }
  onProgress?.('rows', users * rowsAUser, users * rowsAUser);

  // What the sandbox remembers instead of a seed's digest.
  const origin = JSON.stringify({ users, subscriptions, seed, tokens });
  await recordSeed(db, sandboxId, 'generated', origin, replace);
  return { ...world.written, ...written };
}
