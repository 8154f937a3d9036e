// Loads seeds into a sandbox, in one transaction: readers see the content before or after it.
import { randomUUID } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { Kysely } from 'kysely';
import type { DatabaseError } from 'pg';
import type { Tables } from '../../database/tables.ts';
import { combineSeeds } from '../format/combine.ts';
import { combineWhole } from '../format/read-seeds.ts';
import type { TableName } from '../../model/kinds.ts';
import { type PlacedError, SeedError } from '../format/seed-errors.ts';
import type { Seed } from '../format/seed-types.ts';
import { readExisting } from './existing-queries.ts';
import { rowsAStatement, type SeedRows, toSeedRows } from './load-rows.ts';
import type { NamedSeed } from './named-seed.ts';
import * as queries from './queries.ts';
import * as writes from './write-queries.ts';

export interface ApplyOptions {
  readonly sandboxId: number;
  /** `merge` adds and changes; `replace` leaves exactly what the seeds say. */
  readonly mode: 'merge' | 'replace';
  /** Later seeds override earlier ones. */
  readonly seeds: readonly Seed[];
  /** The seeds' errors, thrown together with errors that only the sandbox's content shows. */
  readonly errors?: readonly PlacedError[];
  /** The seed's name, which the sandbox keeps. */
  readonly seedName: string;
  /** An abort rolls everything back, and throws its reason. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((what: TableName | 'copy', done: number, total: number) => void) | undefined;
}

interface RowOptions extends Pick<ApplyOptions, 'seedName' | 'signal' | 'onProgress'> {
  readonly rows: SeedRows;
}

interface ReplaceOptions extends RowOptions {
  readonly sandboxId: number;
  /** Checks and counts everything; changes nothing. */
  readonly isTrial?: boolean | undefined;
  /** Users without a token in the seed keep their tokens: exports hold no tokens. */
  readonly keepsTokens?: boolean | undefined;
  /** Keeps the former content for an undo, unless it has more users and subscriptions than this. */
  readonly maxUndoRows?: number;
}

export type Changes = Readonly<Record<'created' | 'updated' | 'unchanged' | 'removed', number>> & {
  /** Who loses tokens. Only for the table `tokens`, if the load is a trial, keeps tokens or can be undone. */
  readonly ended_for?: readonly string[];
};
export type SeedSummary = Readonly<Record<TableName, Changes>>;

/** Throws SeedError with all errors, or SandboxGone. */
export async function applySeed(pool: Kysely<Tables>, options: ApplyOptions) {
  const { mode, sandboxId, seeds, seedName, errors = [], signal } = options;
  if (mode === 'replace') return replaceBy(pool, { ...options, rows: toSeedRows(combineWhole({ seeds, errors })) });
  return queries.transact(pool, signal, async (db) => {
    const counters = await queries.lockCounters(db, sandboxId);
    const existing = await readExisting(db, sandboxId, seeds);
    const seed = combineWhole({ seeds: [existing, ...seeds], errors });
    const summary = await write(db, sandboxId, { ...options, rows: toSeedRows(seed, counters) });
    const { digest } = toSeedRows(combineSeeds(seeds).seed);
    await queries.recordSeed(db, sandboxId, seedName, digest, false);
    return summary;
  });
}

/** Returns the id of the rows' template, a hidden sandbox; makes it if needed. Throws SeedError. */
export const getTemplate = (pool: Kysely<Tables>, options: RowOptions) =>
  queries.transact(pool, options.signal, async (db) => {
    const { digest } = options.rows;
    const found = await writes.findTemplate(db, digest);
    return found ?? writes.nameTemplate(db, await fillHidden(db, options), digest);
  });

/** Makes the sandbox hold exactly the rows. Throws SeedError or SandboxGone. */
export const replaceBy = (pool: Kysely<Tables>, options: ReplaceOptions) =>
  queries.transact(pool, options.signal, async (db) => {
    const { sandboxId, rows, seedName, isTrial = false, keepsTokens = false, maxUndoRows = 0 } = options;
    await queries.lockCounters(db, sandboxId);
    const tellsEnded = isTrial || keepsTokens || maxUndoRows > 0;
    const listHeld = async () => (tellsEnded ? writes.listTokens(db, sandboxId) : []);
    const held = await listHeld();
    if (maxUndoRows > 0 && !isTrial) await writes.keepUndo(db, sandboxId, maxUndoRows);
    // No other sandbox may find a template with tokens of this sandbox.
    const content = keepsTokens ? `${rows.digest} ${randomUUID()}` : rows.digest;
    const template = (await writes.findTemplate(db, content)) ?? (await fillHidden(db, options));
    if (keepsTokens) await writes.keepTokens(db, sandboxId, template);
    options.signal?.throwIfAborted();
    const total = rows.tables.reduce((sum, { count }) => sum + count, 0);
    options.onProgress?.('copy', 0, total);
    const before = await writes.countRows(db, sandboxId);
    await writes.resetTo(db, sandboxId, template);
    const after = await writes.countRows(db, sandboxId);
    const left = new Set((await listHeld()).map(({ hash }) => hash));
    await writes.setBaseline(db, sandboxId, await writes.nameTemplate(db, template, content));
    await queries.recordSeed(db, sandboxId, seedName, rows.digest, true);
    if (isTrial) await queries.rollBack(db);
    const ended = new Set(held.filter(({ hash }) => !left.has(hash)).map(({ username }) => username));
    return Object.fromEntries(
      after.map(({ table, rows: all, written: created }, i) => {
        const unchanged = all - created;
        const changes = { created, updated: 0, unchanged, removed: (before[i]?.rows ?? 0) - unchanged };
        return [table, tellsEnded && table === 'tokens' ? { ...changes, ended_for: [...ended] } : changes];
      }),
    ) as SeedSummary;
  });

async function fillHidden(db: queries.Db, options: RowOptions) {
  const { rows, seedName } = options;
  const id = await writes.addHidden(db);
  await write(db, id, options);
  await queries.recordSeed(db, id, seedName, rows.digest, true);
  return id;
}

/** Throws SeedError if a row doesn't fit. */
async function write(db: queries.Db, sandboxId: number, { rows, signal, onProgress }: RowOptions) {
  const summary: Partial<Record<TableName, Changes>> = {};
  try {
    for (const { table, chunks, count, links, created } of rows.tables) {
      let [written, removed] = [0, 0];
      for (const [i, chunk] of chunks.entries()) {
        signal?.throwIfAborted();
        onProgress?.(table, i * rowsAStatement, count);
        const sent = await writes.writeRows(db, sandboxId, table, chunk);
        written += sent.written;
        removed += sent.removed;
      }
      const made = created ?? written;
      summary[table] = { created: made, updated: written - made, unchanged: links - written, removed };
    }
    await queries.setCounters(db, sandboxId, rows.next, rows.now);
  } catch (error) {
    // A write fails, for example, if plain SQL added a row after the sandbox was read.
    const { code = '', message, detail } = error as Partial<DatabaseError>;
    // Data exceptions and violated constraints are the seed's errors.
    if (!/^2[23]...$/.test(code)) throw error;
    const refusal = `does not fit the sandbox: ${message}${detail === undefined ? '' : ` (${detail})`}`;
    throw new SeedError([{ file: rows.file, line: 1, column: 1, path: '', message: refusal }]);
  }
  return summary as SeedSummary;
}

/** Fills the default sandbox once. A later change of the seed is only noted: the data may be in use. */
export async function seedDefaultSandbox(
  db: Kysely<Tables>,
  { name, file, digest, getRows }: NamedSeed,
  { note, signal, onProgress }: Pick<ApplyOptions, 'signal' | 'onProgress'> & { note: (line: string) => void },
) {
  const seedName = basename(name, extname(name));
  if (await queries.startClocks(db, seedName, digest)) return;
  // A transaction's lock holds through a pooler too.
  await queries.transact(db, signal, async (locked) => {
    await queries.lockSeeding(locked, () => note('waiting: another service is filling this database'));
    const sandbox = await queries.getDefaultSandbox(db);
    if (sandbox.seeded_at === null) {
      await replaceBy(db, { sandboxId: sandbox.id, rows: getRows(), seedName, signal, onProgress });
      await writes.analyzeTables(db);
    } else if (sandbox.seed_digest !== digest) {
      const advice = `to replace it: weblate-understudy seed --replace ${file}`;
      note(`the seed ${name} was not loaded: this database holds data already; ${advice}`);
    }
  });
}

const words: Readonly<Record<TableName, string>> = {
  users: 'users',
  tokens: 'tokens',
  groups: 'groups',
  user_groups: 'memberships',
  projects: 'projects',
  group_projects: 'projects of groups',
  group_components: 'components of groups',
  group_admins: 'admins of groups',
  components: 'components',
  subscriptions: 'subscriptions',
};
const kinds = ['created', 'updated', 'unchanged', 'removed'] as const;

export const hasChanges = (summary: SeedSummary) =>
  Object.values(summary).some(({ created, updated, removed }) => created + updated + removed > 0);

/** Lines such as `users: 2 created, 6 unchanged`. */
export function describeSummary(summary: SeedSummary) {
  return Object.entries(words).flatMap(([table, word]) => {
    const changes = summary[table as TableName];
    const parts = kinds.filter((kind) => changes[kind] > 0).map((kind) => `${changes[kind]} ${kind}`);
    return parts.length === 0 ? [] : [`${word}: ${parts.join(', ')}`];
  });
}
