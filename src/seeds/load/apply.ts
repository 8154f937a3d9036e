// Loads seeds into a sandbox, in one transaction of set statements: a reader sees what was before or what is after.
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { DatabaseError } from 'pg';
import type { Tables } from '../../database/tables.ts';
import { combineSeeds } from '../format/combine.ts';
import { findContradictions } from '../format/contradictions.ts';
import type { TableName } from '../../model/kinds.ts';
import { type PlacedError, SeedError } from '../format/seed-errors.ts';
import type { Seed } from '../format/seed-types.ts';
import { readExisting } from './existing-queries.ts';
import { rowsAStatement, rowsOf, type SeedRows, toSeedRows } from './load-rows.ts';
import { type Db, lockCounters, recordSeed, rollBack, setCounters, transact } from './queries.ts';
import {
  addHidden,
  countRows,
  findTemplate,
  keepTokens,
  keepUndo,
  listTokens,
  nameTemplate,
  resetTo,
  setBaseline,
  templateKey,
  writeRows,
} from './write-queries.ts';

export interface ApplyOptions {
  readonly sandboxId: number;
  /** `merge` adds and changes; `replace` leaves exactly what the seeds say. */
  readonly mode: 'merge' | 'replace';
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

interface RowOptions extends Pick<ApplyOptions, 'seedName' | 'signal' | 'onProgress'> {
  readonly rows: SeedRows;
}

interface ReplaceOptions extends RowOptions {
  readonly sandboxId: number;
  /** Everything is checked and counted, and nothing changed. */
  readonly isTrial?: boolean | undefined;
  /** Users whom the seed names without a token keep theirs, because an export holds none. */
  readonly keepsTokens?: boolean | undefined;
  /** Keeps what was for an undo, unless the sandbox has more users and subscriptions; 0 keeps nothing. */
  readonly maxUndoRows?: number;
}

export type Changes = Readonly<Record<'created' | 'updated' | 'unchanged' | 'removed', number>> & {
  /** Of tokens, in a load that is a trial, keeps tokens or can be undone: the users who lose one. */
  readonly ended_for?: readonly string[];
};
/** Rows by table. */
export type SeedSummary = Readonly<Record<TableName, Changes>>;

/** Throws SeedError with all errors, and SandboxGone. */
export async function applySeed(db: Kysely<Tables>, options: ApplyOptions): Promise<SeedSummary> {
  const { mode, seeds, errors = [], signal } = options;
  if (mode === 'replace') return replaceBy(db, { ...options, rows: rowsOf({ seeds, errors }) });
  return transact(db, signal, (locked) => merge(locked, options));
}

/** Leaves exactly what the rows are. Throws SeedError, and SandboxGone. */
export const replaceBy = (db: Kysely<Tables>, options: ReplaceOptions) =>
  transact(db, options.signal, (locked) => replace(locked, options));

/** Returns the id of the rows' template, which is made if there is none. Throws SeedError. */
export const getTemplate = (db: Kysely<Tables>, options: RowOptions) =>
  transact(db, options.signal, async (transaction) => {
    const key = templateKey(options.rows.digest);
    return (
      (await findTemplate(transaction, key)) ?? nameTemplate(transaction, await fillHidden(transaction, options), key)
    );
  });

async function merge(db: Db, options: ApplyOptions) {
  const { sandboxId, seeds, seedName, errors = [] } = options;
  const counters = await lockCounters(db, sandboxId);
  const { seed, errors: ofOrder } = combineSeeds([await readExisting(db, sandboxId, seeds), ...seeds]);
  const all = [...errors, ...ofOrder, ...findContradictions(seed)];
  if (all.length > 0) throw new SeedError(all);
  const summary = await write(db, sandboxId, { ...options, rows: toSeedRows(seed, counters) });
  const { digest } = toSeedRows(combineSeeds(seeds).seed);
  if (seedName !== undefined) await recordSeed(db, sandboxId, seedName, digest, false);
  return summary;
}

async function replace(db: Db, options: ReplaceOptions): Promise<SeedSummary> {
  const { sandboxId, rows, seedName, isTrial = false, keepsTokens = false, maxUndoRows = 0 } = options;
  await lockCounters(db, sandboxId);
  const tellsEnded = isTrial || keepsTokens || maxUndoRows > 0;
  const held = tellsEnded ? await listTokens(db, sandboxId) : [];
  if (maxUndoRows > 0 && !isTrial) await keepUndo(db, sandboxId, maxUndoRows);
  // No other sandbox shares a template with tokens of this one.
  const key = `${templateKey(rows.digest)}${keepsTokens ? ` ${randomUUID()}` : ''}`;
  const template = (await findTemplate(db, key)) ?? (await fillHidden(db, options));
  if (keepsTokens) await keepTokens(db, sandboxId, template);
  options.signal?.throwIfAborted();
  const total = rows.tables.reduce((sum, { count }) => sum + count, 0);
  options.onProgress?.('copy', 0, total);
  const before = await countRows(db, sandboxId);
  await resetTo(db, sandboxId, template);
  const after = await countRows(db, sandboxId);
  const left = new Set(tellsEnded ? (await listTokens(db, sandboxId)).map(({ hash }) => hash) : []);
  await setBaseline(db, sandboxId, await nameTemplate(db, template, key));
  if (seedName !== undefined) await recordSeed(db, sandboxId, seedName, rows.digest, true);
  if (isTrial) await rollBack(db);
  const ended = new Set(held.filter(({ hash }) => !left.has(hash)).map(({ username }) => username));
  return Object.fromEntries(
    after.map(({ table, rows: all, written: created }, i) => {
      const unchanged = all - created;
      const changes = { created, updated: 0, unchanged, removed: (before[i]?.rows ?? 0) - unchanged };
      return [table, tellsEnded && table === 'tokens' ? { ...changes, ended_for: [...ended] } : changes];
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

/** Throws SeedError if a row doesn't fit. */
async function write(db: Db, sandboxId: number, { rows, signal, onProgress }: RowOptions) {
  const summary: Partial<Record<TableName, Changes>> = {};
  try {
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
  } catch (error) {
    // Such as a row that plain SQL has added since the sandbox was read.
    const { code = '', message, detail } = error as Partial<DatabaseError>;
    // A data exception, or a violated constraint.
    if (!/^2[23]...$/.test(code)) throw error;
    const refusal = `does not fit the sandbox: ${message}${detail === undefined ? '' : ` (${detail})`}`;
    throw new SeedError([{ file: rows.file, line: 1, column: 1, path: '', message: refusal }]);
  }
  return summary as SeedSummary;
}
