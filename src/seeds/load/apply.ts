// Loads seeds into a sandbox, in one transaction of set statements: a reader sees what was before or what is after.
import type { Kysely } from 'kysely';
import type { DatabaseError } from 'pg';
import type { Tables } from '../../database/tables.ts';
import { combineSeeds } from '../format/combine.ts';
import { findContradictions } from '../format/contradictions.ts';
import { kindNames, type TableName } from '../../model/kinds.ts';
import { foldCase } from '../../model/usernames.ts';
import { errorAt, type PlacedError, SeedError } from '../format/seed-errors.ts';
import { emptySeed, hashOf, itemsOf, type Seed, seedDigest } from '../format/seed-types.ts';
import { type HeldToken, listHeldTokens, readExisting } from './existing-queries.ts';
import { makeRows } from './load-rows.ts';
import { type Db, lockCounters, type NextIds, recordSeed, rollBack, setCounters, transact } from './queries.ts';
import {
  addHidden,
  countRows,
  findTemplate,
  insertTokens,
  keepUndo,
  nameTemplate,
  putLinks,
  resetTo,
  setBaseline,
  templateKey,
  upsertRows,
} from './write-queries.ts';

export interface LoadOptions {
  /** In order: a later one overrides an earlier one. */
  readonly seeds: readonly Seed[];
  /** Those that reading the seeds has found: thrown together with those that only the sandbox shows. */
  readonly errors?: readonly PlacedError[];
  /** What the sandbox remembers as its seed. */
  readonly seedName?: string;
  /** Aborted: everything is rolled back and the signal's reason thrown. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((what: TableName | 'copy', done: number, total: number) => void) | undefined;
}

export interface ApplyOptions extends LoadOptions {
  readonly sandboxId: number;
  /** `merge` adds and changes; `replace` leaves exactly what the seeds say. */
  readonly mode: 'merge' | 'replace';
}

export type Changes = Readonly<Record<'created' | 'updated' | 'unchanged' | 'removed', number>> & {
  /** Of tokens: the users who lose one. */
  readonly ended_for?: readonly string[];
};
/** Rows by table. */
export type SeedSummary = Readonly<Record<TableName, Changes>>;

interface CarefulOptions extends Omit<ApplyOptions, 'mode'> {
  readonly seeds: readonly [Seed];
  /** Users whom the seed names without a token keep theirs, because an export holds none. */
  readonly keepsTokens: boolean;
  /** Keeps what was for an undo, unless the sandbox has more users and subscriptions; null keeps nothing. */
  readonly maxUndoRows: number | null;
  /** Everything is checked and counted, and nothing changed. */
  readonly isTrial: boolean;
}

/** Throws SeedError with all errors, and SandboxGone. */
export const applySeed = (db: Kysely<Tables>, options: ApplyOptions) =>
  loadAll(db, options, (locked) => (options.mode === 'merge' ? merge : replace)(locked, options));

/** As applySeed to replace, in the ways that `options` says; it tells besides who loses a token. */
export const replaceCarefully = (db: Kysely<Tables>, options: CarefulOptions) =>
  loadAll(db, options, async (locked): Promise<SeedSummary> => {
    const { sandboxId, seeds, keepsTokens, maxUndoRows, isTrial } = options;
    await lockCounters(locked, sandboxId);
    const held = await listHeldTokens(locked, sandboxId);
    if (!isTrial && maxUndoRows !== null) await keepUndo(locked, sandboxId, maxUndoRows);
    const seed = keepsTokens ? keepTokens(seeds[0], held) : seeds[0];
    const summary = await replace(locked, { ...options, seeds: [seed] });
    const left = new Set((await listHeldTokens(locked, sandboxId)).map(({ hash }) => hash));
    if (isTrial) await rollBack(locked);
    const lost = held.filter(({ hash }) => !left.has(hash));
    const ended = [...new Set(lost.map(({ username }) => username))];
    return { ...summary, tokens: { ...summary.tokens, ended_for: ended } };
  });

function keepTokens(seed: Seed, held: readonly HeldToken[]): Seed {
  const given = new Set(seed.users.flatMap(({ tokens }) => tokens.map(hashOf)));
  const heldBy = Map.groupBy(held, ({ username }) => foldCase(username));
  const users = seed.users.map((user) => {
    if (user.tokens.length > 0) return user;
    const kept = (heldBy.get(foldCase(user.username)) ?? []).filter(({ hash, is_own }) => !is_own && !given.has(hash));
    return { ...user, tokens: kept.map(({ hash }) => ({ place: user.place, hash })) };
  });
  return { ...seed, users };
}

/** Returns its id. Throws SeedError. */
export const makeTemplate = (db: Kysely<Tables>, options: LoadOptions) =>
  loadAll(db, options, async (transaction) =>
    nameTemplate(transaction, await fillHidden(transaction, options), templateKey(digestOf(options))),
  );

/** One transaction, which any error rolls back. */
async function loadAll<T>(db: Kysely<Tables>, { seeds, signal }: LoadOptions, work: (db: Db) => Promise<T>) {
  try {
    return await transact(db, signal, work);
  } catch (error) {
    // Such as a row that plain SQL has added since the sandbox was read.
    const place = seeds.flatMap((seed) => kindNames.flatMap((kind) => itemsOf(seed, kind)))[0]?.place;
    const { code = '', message, detail } = error as Partial<DatabaseError>;
    // A data exception, or a violated constraint.
    if (place === undefined || !/^2[23]...$/.test(code)) throw error;
    const refusal = `does not fit the sandbox: ${message}${detail === undefined ? '' : ` (${detail})`}`;
    throw new SeedError([errorAt({ ...place, path: [] }, refusal)]);
  }
}

const digestOf = ({ seeds }: LoadOptions): string =>
  seedDigest(seeds.length === 1 ? (seeds[0] as Seed) : combineSeeds(seeds).seed);

async function merge(db: Db, options: ApplyOptions) {
  const { sandboxId, seeds, seedName } = options;
  const counters = await lockCounters(db, sandboxId);
  const summary = await load(db, sandboxId, await readExisting(db, sandboxId, seeds), counters, options);
  if (seedName !== undefined) await recordSeed(db, sandboxId, seedName, digestOf(options), false);
  return summary;
}

async function replace(db: Db, options: Omit<ApplyOptions, 'mode'>): Promise<SeedSummary> {
  const { sandboxId, seeds, seedName } = options;
  await lockCounters(db, sandboxId);
  const digest = digestOf(options);
  const key = templateKey(digest);
  const template = (await findTemplate(db, key)) ?? (await fillHidden(db, options));
  options.signal?.throwIfAborted();
  options.onProgress?.('copy', 0, seeds.flatMap(({ users, subscriptions }) => [...users, ...subscriptions]).length);
  const before = await countRows(db, sandboxId);
  await resetTo(db, sandboxId, template);
  const after = await countRows(db, sandboxId);
  await setBaseline(db, sandboxId, await nameTemplate(db, template, key));
  if (seedName !== undefined) await recordSeed(db, sandboxId, seedName, digest, true);
  return Object.fromEntries(
    after.map(({ table, rows, written: created }, i) => {
      const unchanged = rows - created;
      return [table, { created, updated: 0, unchanged, removed: (before[i]?.rows ?? 0) - unchanged }];
    }),
  ) as unknown as SeedSummary;
}

async function fillHidden(db: Db, options: LoadOptions) {
  const id = await addHidden(db);
  await load(db, id, emptySeed, await lockCounters(db, id), options);
  if (options.seedName !== undefined) await recordSeed(db, id, options.seedName, digestOf(options), true);
  return id;
}

// Large enough to cost little, small enough to stop between two statements when the signal aborts.
const rowsAStatement = 5000;

/** Adds seeds to what a sandbox holds. */
async function load(
  db: Db,
  sandboxId: number,
  existing: Seed,
  counters: NextIds,
  { seeds, errors = [], signal, onProgress }: LoadOptions,
) {
  const { seed, errors: ofOrder } = combineSeeds([existing, ...seeds]);
  const all = [...errors, ...ofOrder, ...findContradictions(seed)];
  if (all.length > 0) throw new SeedError(all);
  const { kinds, links, tokens, next } = makeRows(seed, existing, counters);
  const summary: Partial<Record<TableName, Changes>> = {};
  /** `counts` are known without the database. */
  async function put<T>(
    table: TableName,
    rows: readonly T[],
    send: (chunk: T[]) => Promise<{ written: number; removed?: number }>,
    counts: { readonly created?: number; readonly total?: number } = {},
  ) {
    let [written, removed] = [0, 0];
    for (let done = 0; done < rows.length; done += rowsAStatement) {
      signal?.throwIfAborted();
      onProgress?.(table, done, rows.length);
      const sent = await send(rows.slice(done, done + rowsAStatement));
      written += sent.written;
      removed += sent.removed ?? 0;
    }
    const { created = written, total = rows.length } = counts;
    summary[table] = { created, updated: written - created, unchanged: total - written, removed };
  }
  for (const { kind, rows, created } of kinds)
    await put(kind, rows, (chunk) => upsertRows(db, sandboxId, kind, chunk), { created });
  for (const table of ['user_groups', 'group_projects'] as const) {
    const total = links[table].reduce((sum, { others }) => sum + others.length, 0);
    await put(table, links[table], (chunk) => putLinks(db, sandboxId, table, chunk), { total });
  }
  await put('tokens', tokens, (chunk) => insertTokens(db, sandboxId, chunk));
  await setCounters(db, sandboxId, next, seed.now);
  return summary as SeedSummary;
}
