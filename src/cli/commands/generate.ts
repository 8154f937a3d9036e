// The command `generate`.
import type { Kysely } from 'kysely';
import type { DatabaseError } from 'pg';
import { violatedUnique } from '../../database/sqlstates.ts';
import type { Tables } from '../../database/tables.ts';
import { maxGivenId as maxId } from '../../model/kinds.ts';
import { automaticGroups } from '../../seeds/format/seed-types.ts';
import { type Db, firstIds, lockCounters, recordSeed, transact } from '../../seeds/load/queries.ts';
import { makeRows, writeWorld } from '../generate/made-up-rows.ts';
import { insertRows, listGroups, spareForeignKeys } from '../generate/row-queries.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import { analyzeTables, deleteAll } from '../../seeds/load/write-queries.ts';
import { defineCommand, showLoad } from '../command.ts';
import { flag, readCount, RefusedError, UsageError, valued } from '../usage.ts';
import { openForCommand } from '../sessions/open-database.ts';
import { databaseFlags } from '../setting-flags.ts';

const maxSubscriptions = 5000;

export const command = defineCommand({
  name: 'generate',
  summary: 'fill a sandbox with made-up users',
  forms: ['weblate-understudy generate --users N [options]'],
  about: `Fills a sandbox with made-up users, their projects, components, groups and
subscriptions, in one transaction, whether the service runs or not.`,
  options: {
    users: valued('N', 'how many users'),
    subscriptions: { ...valued('M', `subscriptions per user (10, at most ${maxSubscriptions})`), default: '10' },
    seed: { ...valued('TEXT', 'the same text gives the same data (1)'), default: '1' },
    tokens: flag('give each user the public token wlu_generated_public_sample_<id in 12 digits>'),
    replace: flag('empty the sandbox first; otherwise, its content stays'),
    sandbox: { ...valued('NAME', 'the sandbox to fill (default)'), default: 'default' },
    ...databaseFlags,
  },
  isTransaction: true,
  async run({ sandbox, seed, tokens, replace, ...values }, _operands, context) {
    const { signal, progress, print } = context;
    if (!values.users) throw new UsageError('--users is missing: pass a number, such as --users 1000');
    const users = readCount('--users', values.users, 1, 100_000_000);
    const subscriptions = readCount('--subscriptions', values.subscriptions, 0, maxSubscriptions);
    progress.show('opening the database');
    await using opened = await openForCommand(values, context);
    const { load } = opened.database;
    const sandboxId = await getSandboxId(load, sandbox);
    progress.show(replace ? 'emptying the sandbox' : 'preparing');
    const onProgress = showLoad(context);
    const wanted = { sandboxId, users, subscriptions, seed, tokens, replace };
    const generated = await generate(load, { ...wanted, signal, onProgress });
    progress.show('gathering statistics');
    await analyzeTables(load);
    for (const [table, count] of Object.entries(generated))
      if (count > 0) print(`${table}: ${count} created`, 'All users were created.');
  },
});

export interface GenerateOptions {
  readonly sandboxId: number;
  readonly users: number;
  readonly subscriptions: number;
  /** The same seed gives the same rows in a sandbox with the same counters. */
  readonly seed: string;
  readonly tokens: boolean;
  readonly replace: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (table: string, done: number, total: number) => void;
}

// Until a statement ends, the server keeps its foreign key checks in memory.
const rowsPerStatement = 50_000;

/** Returns the number of rows by table. Throws RefusedError if ids run out or a name is taken. */
export const generate = (db: Kysely<Tables>, options: GenerateOptions) =>
  transact(db, options.signal, (transaction) => fill(transaction, options)).catch((error: unknown) => {
    if (violatedUnique(error) === undefined) throw error;
    throw refuse(`the sandbox has a made-up name already: ${(error as DatabaseError).detail}`);
  });

const refuse = (why: string) => new RefusedError(`generate: ${why}\n--replace empties the sandbox first.`);

async function fill(db: Db, options: GenerateOptions) {
  const { sandboxId, users, subscriptions, seed, tokens, replace, signal, onProgress } = options;
  const counters = await lockCounters(db, sandboxId);
  if (replace) await deleteAll(db, sandboxId);
  const next = replace ? firstIds : counters;
  if (next.users + users > maxId || next.subscriptions + users * subscriptions > maxId)
    throw refuse(`not enough ids: there are ${maxId} of each kind`);
  const existing = await listGroups(db, sandboxId);
  const missing = existing.length === 0 ? automaticGroups : [];
  const world = await writeWorld(db, options, missing, next);
  const everybodysGroups = [...existing, ...missing].filter(({ automatic }) => automatic).map(({ id }) => id);
  await spareForeignKeys(db);

  const choices = { ...world, seed, everybodysGroups, subscriptions };
  const written = { users: 0, memberships: 0, tokens: 0, subscriptions: 0 };
  const usersPerBatch = Math.max(1, Math.floor(rowsPerStatement / Math.max(subscriptions, 10)));
  const rowsPerUser = 1 + subscriptions;
  for (let done = 0; done < users; done += usersPerBatch) {
    signal?.throwIfAborted();
    onProgress?.('rows', done * rowsPerUser, users * rowsPerUser);
    const batch = Array.from({ length: Math.min(usersPerBatch, users - done) }, (_, i) =>
      makeRows(next.users + done + i, next.subscriptions + (done + i) * subscriptions, choices),
    );
    for (const name of ['users', 'memberships', 'tokens', 'subscriptions'] as const) {
      const rows = name === 'tokens' && !tokens ? [] : batch.flatMap((one): object[] => one[name]);
      await insertRows(db, sandboxId, name === 'memberships' ? 'user_groups' : name, rows);
      written[name] += rows.length;
    }
  }
  onProgress?.('rows', users * rowsPerUser, users * rowsPerUser);

  // The sandbox keeps this in place of the digest of a seed.
  const origin = JSON.stringify({ users, subscriptions, seed, tokens });
  await recordSeed(db, sandboxId, 'generated', origin, replace);
  return { ...world.written, ...written };
}
