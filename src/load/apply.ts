// Loads a seed into a sandbox, in one transaction of set statements: a reader sees what was before or what is after.
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { settleSeed } from './copy-queries.ts';
import { seedDigest } from '../seed/digest.ts';
import { planSeed } from './plan.ts';
import type { Plan } from './planning.ts';
import { type Db, lockCounters } from './queries.ts';
import { faultAt, type Place, type Seed, SeedError } from '../seed/seed-types.ts';
import { type Kind, kinds } from '../seed/seed-schema.ts';
import {
  deleteAll,
  deleteLinks,
  type Emptied,
  insertLinks,
  insertRows,
  insertTokens,
  prepareLoad,
  recordSeed,
  setCounters,
  updateRows,
} from './write-queries.ts';

export interface ApplyOptions {
  readonly sandboxId: number;
  readonly seed: Seed;
  /** `merge` adds and changes; `replace` leaves exactly what the seed says. */
  readonly mode: 'merge' | 'replace';
  /** What the sandbox remembers as its seed. */
  readonly seedName?: string;
  /** Aborted: everything is rolled back and the signal's reason thrown. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (what: Emptied, done: number, total: number) => void;
}

export interface Changes {
  created: number;
  updated: number;
  unchanged: number;
  removed: number;
}
/** Rows by table. */
export type SeedSummary = Record<Emptied, Changes>;

// Large enough to cost little, small enough to stop between two of them.
const rowsAStatement = 5000;
// Targets before what points to them.
const order: readonly Kind[] = ['projects', 'components', 'groups', 'users', 'subscriptions'];

/** Throws SeedError with all faults where the seed doesn't fit the sandbox, and SandboxGone where there is no such sandbox. */
export async function applySeed(db: Kysely<Tables>, options: ApplyOptions): Promise<SeedSummary> {
  const { seed } = options;
  try {
    return await db
      .transaction()
      .setIsolationLevel('read committed')
      .execute((transaction) => load(transaction, options));
  } catch (error) {
    // What the plan could not foresee, such as a row that somebody added by plain SQL meanwhile.
    const refused = constraintMessage(error);
    const place: Place | undefined = [seed.users, seed.subscriptions, seed.projects, seed.groups ?? []].flat()[0]
      ?.place;
    if (refused === undefined || place === undefined) throw error;
    throw new SeedError([faultAt({ source: place.source, path: [] }, refused)]);
  }
}

async function load(db: Db, options: ApplyOptions): Promise<SeedSummary> {
  const { sandboxId, seed, mode, seedName } = options;
  await prepareLoad(db);
  const row = await lockCounters(db, sandboxId);
  const gone = mode === 'replace' ? await deleteAll(db, sandboxId) : undefined;
  const counters: Record<Kind, number> = {
    users: row.next_user_id,
    groups: row.next_group_id,
    projects: row.next_project_id,
    components: row.next_component_id,
    subscriptions: row.next_subscription_id,
  };
  if (mode === 'replace') for (const kind of kinds) counters[kind] = 1;
  const plan = await planSeed(db, sandboxId, seed, counters);
  if (plan.faults.length > 0) throw new SeedError(plan.faults);
  const summary = await write(db, plan, options);
  for (const [table, removed] of Object.entries(gone ?? {})) summary[table as Emptied].removed += removed;
  await setCounters(db, sandboxId, plan.next);
  if (seedName !== undefined) {
    const digest = seedDigest(seed);
    await recordSeed(db, sandboxId, seedName, digest, mode === 'replace');
    if (mode === 'replace') await settleSeed(db, sandboxId, digest);
  }
  options.signal?.throwIfAborted();
  return summary;
}

async function write(db: Db, plan: Plan, { sandboxId, signal, onProgress }: ApplyOptions): Promise<SeedSummary> {
  async function inChunks<T>(
    what: Emptied,
    rows: readonly T[],
    send: (chunk: T[]) => Promise<number>,
  ): Promise<number> {
    let count = 0;
    for (let done = 0; done < rows.length; done += rowsAStatement) {
      signal?.throwIfAborted();
      onProgress?.(what, done, rows.length);
      count += await send(rows.slice(done, done + rowsAStatement));
    }
    return count;
  }
  const summary: Partial<SeedSummary> = {};
  for (const kind of order) {
    const { inserts, updates } = plan.rows[kind];
    const updated = await inChunks(kind, updates, (rows) => updateRows(db, sandboxId, kind, rows));
    const created = await inChunks(kind, inserts, (rows) => insertRows(db, sandboxId, kind, rows));
    summary[kind] = { created, updated, unchanged: updates.length - updated, removed: 0 };
  }
  for (const table of ['user_groups', 'group_projects'] as const) {
    const { inserts, deletes, kept } = plan.links[table];
    const removed = await inChunks(table, deletes, (links) => deleteLinks(db, sandboxId, table, links));
    const created = await inChunks(table, inserts, (links) => insertLinks(db, sandboxId, table, links));
    summary[table] = { created, updated: 0, unchanged: kept, removed };
  }
  const created = await inChunks('tokens', plan.tokens, (tokens) => insertTokens(db, sandboxId, tokens));
  summary.tokens = { created, updated: 0, unchanged: plan.tokensKept, removed: 0 };
  return summary as SeedSummary;
}

// Class 23, integrity constraint violation, or 22, a value that the column can't hold.
function constraintMessage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !/^2[23]/.test(String(error.code))) return undefined;
  const detail = 'detail' in error && typeof error.detail === 'string' ? ` (${error.detail})` : '';
  return `does not fit the sandbox: ${error.message}${detail}`;
}
