// Loads seeds into a sandbox, in one transaction of set statements: a reader sees what was before or what is after.
import * as crypto from 'node:crypto';
import type { Kysely } from 'kysely';
import type { DatabaseError } from 'pg';
import type { Tables } from '../../database/tables.ts';
import { combineSeeds } from '../format/combine.ts';
import { findContradictions } from '../format/contradictions.ts';
import { kindNames, type TableName } from '../../model/kinds.ts';
import { foldCase } from '../../model/usernames.ts';
import { type PlacedError, SeedError } from '../format/seed-errors.ts';
import { itemsOf, type Seed, seedDigest } from '../format/seed-types.ts';
import { type HeldToken, listHeldTokens, readExisting } from './existing-queries.ts';
import { rowsAStatement, rowsOf, type SeedRows, toSeedRows } from './load-rows.ts';
import { type Db, lockCounters, recordSeed, rollBack, setCounters, transact } from './queries.ts';
import {
  addHidden,
  countRows,
  findTemplate,
  keepUndo,
  nameTemplate,
  resetTo,
  setBaseline,
  templateKey,
  writeRows,
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

interface RowOptions extends Pick<LoadOptions, 'seedName' | 'signal' | 'onProgress'> {
  readonly rows: SeedRows;
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

interface CarefulOptions extends RowOptions {
  readonly sandboxId: number;
  /** Users whom the seed names without a token keep theirs, because an export holds none. */
  readonly keepsTokens: boolean;
  /** Keeps what was for an undo, unless the sandbox has more users and subscriptions; null keeps nothing. */
  readonly maxUndoRows: number | null;
  /** Everything is checked and counted, and nothing changed. */
  readonly isTrial: boolean;
}

/** Throws SeedError with all errors, and SandboxGone. */
export async function applySeed(db: Kysely<Tables>, options: ApplyOptions): Promise<SeedSummary> {
  const { mode, seeds, errors = [], signal } = options;
  if (mode === 'replace') return replaceBy(db, { ...options, rows: rowsOf({ seeds, errors }) });
  const [first] = seeds.flatMap((seed) => kindNames.flatMap((kind) => itemsOf(seed, kind)));
  return loadAll(db, { file: first?.place.source.file, signal }, (locked) => merge(locked, options));
}

/** Leaves exactly what the rows are. Throws SeedError, and SandboxGone. */
export const replaceBy = (db: Kysely<Tables>, options: RowOptions & { readonly sandboxId: number }) =>
  loadAll(db, { ...options, file: options.rows.file }, (locked) => replace(locked, options));

/** As replaceBy, in the ways that `options` says; it tells besides who loses a token. */
export const replaceCarefully = (db: Kysely<Tables>, options: CarefulOptions) =>
  loadAll(db, { ...options, file: options.rows.file }, async (locked): Promise<SeedSummary> => {
    const { sandboxId, keepsTokens, maxUndoRows, isTrial } = options;
    await lockCounters(locked, sandboxId);
    const held = await listHeldTokens(locked, sandboxId);
    if (!isTrial && maxUndoRows !== null) await keepUndo(locked, sandboxId, maxUndoRows);
    const rows = keepsTokens ? keepTokens(options.rows, held) : options.rows;
    const summary = await replace(locked, { ...options, rows });
    const left = new Set((await listHeldTokens(locked, sandboxId)).map(({ hash }) => hash));
    if (isTrial) await rollBack(locked);
    const lost = held.filter(({ hash }) => !left.has(hash));
    const ended = [...new Set(lost.map(({ username }) => username))];
    return { ...summary, tokens: { ...summary.tokens, ended_for: ended } };
  });

function keepTokens(rows: SeedRows, held: readonly HeldToken[]): SeedRows {
  const given = rows.tables.find(({ table }) => table === 'tokens')?.chunks ?? [];
  const hashes = new Set(given.flatMap((chunk) => (JSON.parse(chunk) as { hash: string }[]).map(({ hash }) => hash)));
  const kept = held.flatMap(({ hash, username, is_own }) => {
    const user = rows.tokenless.get(foldCase(username));
    return user === undefined || is_own || hashes.has(hash) ? [] : [{ hash, user }];
  });
  if (kept.length === 0) return rows;
  const chunk = JSON.stringify(kept);
  const tables = rows.tables.map((one) =>
    one.table === 'tokens'
      ? { ...one, chunks: [...one.chunks, chunk], count: one.count + kept.length, links: one.links + kept.length }
      : one,
  );
  return { ...rows, tables, digest: crypto.hash('sha256', `${rows.digest} ${chunk}`) };
}

/** Returns its id. Throws SeedError. */
export const makeTemplate = (db: Kysely<Tables>, options: RowOptions) =>
  loadAll(db, { ...options, file: options.rows.file }, async (transaction) =>
    nameTemplate(transaction, await fillHidden(transaction, options), templateKey(options.rows.digest)),
  );

/** One transaction, which any error rolls back. */
async function loadAll<T>(
  db: Kysely<Tables>,
  { file, signal }: { readonly file: string | undefined; readonly signal?: AbortSignal | undefined },
  work: (db: Db) => Promise<T>,
) {
  try {
    return await transact(db, signal, work);
  } catch (error) {
    // Such as a row that plain SQL has added since the sandbox was read.
    const { code = '', message, detail } = error as Partial<DatabaseError>;
    // A data exception, or a violated constraint.
    if (file === undefined || !/^2[23]...$/.test(code)) throw error;
    const refusal = `does not fit the sandbox: ${message}${detail === undefined ? '' : ` (${detail})`}`;
    throw new SeedError([{ file, line: 1, column: 1, path: '', message: refusal }]);
  }
}

async function merge(db: Db, options: ApplyOptions) {
  const { sandboxId, seeds, seedName, errors = [] } = options;
  const counters = await lockCounters(db, sandboxId);
  const existing = await readExisting(db, sandboxId, seeds);
  const { seed, errors: ofOrder } = combineSeeds([existing, ...seeds]);
  const all = [...errors, ...ofOrder, ...findContradictions(seed)];
  if (all.length > 0) throw new SeedError(all);
  const summary = await write(db, sandboxId, { ...options, rows: toSeedRows(seed, existing, counters) });
  const digest = seedDigest(combineSeeds(seeds).seed);
  if (seedName !== undefined) await recordSeed(db, sandboxId, seedName, digest, false);
  return summary;
}

async function replace(db: Db, options: RowOptions & { readonly sandboxId: number }): Promise<SeedSummary> {
  const { sandboxId, rows, seedName } = options;
  await lockCounters(db, sandboxId);
  const key = templateKey(rows.digest);
  const template = (await findTemplate(db, key)) ?? (await fillHidden(db, options));
  options.signal?.throwIfAborted();
  const copied = rows.tables.map(({ table, count }) => (table === 'users' || table === 'subscriptions' ? count : 0));
  options.onProgress?.(
    'copy',
    0,
    copied.reduce((a, b) => a + b),
  );
  const before = await countRows(db, sandboxId);
  await resetTo(db, sandboxId, template);
  const after = await countRows(db, sandboxId);
  await setBaseline(db, sandboxId, await nameTemplate(db, template, key));
  if (seedName !== undefined) await recordSeed(db, sandboxId, seedName, rows.digest, true);
  return Object.fromEntries(
    after.map(({ table, rows: all, written: created }, i) => {
      const unchanged = all - created;
      return [table, { created, updated: 0, unchanged, removed: (before[i]?.rows ?? 0) - unchanged }];
    }),
  ) as unknown as SeedSummary;
}

async function fillHidden(db: Db, options: RowOptions) {
  const { rows, seedName } = options;
  const id = await addHidden(db);
  await write(db, id, options);
  if (seedName !== undefined) await recordSeed(db, id, seedName, rows.digest, true);
  return id;
}

async function write(db: Db, sandboxId: number, { rows, signal, onProgress }: RowOptions) {
  const summary: Partial<Record<TableName, Changes>> = {};
  for (const { table, chunks, count, links, created } of rows.tables) {
    let [written, removed] = [0, 0];
    for (const [i, chunk] of chunks.entries()) {
      signal?.throwIfAborted();
      onProgress?.(table, i * rowsAStatement, count);
      const sent = await writeRows(db, sandboxId, table, chunk);
      written += sent.written;
      removed += sent.removed ?? 0;
    }
    const made = created ?? written;
    summary[table] = { created: made, updated: written - made, unchanged: links - written, removed };
  }
  await setCounters(db, sandboxId, rows.next, rows.now);
  return summary as SeedSummary;
}
