// A migrated database for one test file, and queries for tests of seeds.
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import type { Test } from 'tap';
import { migrateToLatest } from '../../src/database/migrator.ts';
import type { Tables } from '../../src/database/tables.ts';
import { tableNames } from '../../src/model/kinds.ts';
import { applySeed, type ApplyOptions, type SeedSummary } from '../../src/seeds/load/apply.ts';
import { parseSeed } from '../../src/seeds/format/read-seeds.ts';
import { SeedError } from '../../src/seeds/format/seed-errors.ts';
import { createDatabaseFromTemplate } from './database.ts';

export type Db = Kysely<Tables>;

export async function openMigrated(t: Test): Promise<{ url: string; db: Db }> {
  const url = await createDatabaseFromTemplate(t, 'migrated', migrateToLatest);
  return { url, db: openDb(t, url) };
}

export function openDb(t: Test, url: string): Db {
  const pool = new Pool({ connectionString: url, max: 10 });
  // The database may be dropped while connections are still closing.
  pool.on('error', () => undefined);
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  t.teardown(() => db.destroy());
  return db;
}

/** Adds a sandbox. Tests of one file that each add a sandbox don't see each other's rows. */
export async function addSandbox(db: Db, name: string | null = null): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (insert into understudy.sandboxes (name) values (${name}) returning id)
    insert into understudy.counters (sandbox_id) select id from made returning sandbox_id as id`.execute(db);
  return (rows[0] as { id: number }).id;
}

/** Loads YAML; throws SeedError. */
export function load(
  db: Db,
  sandboxId: number,
  yaml: string,
  options: Partial<ApplyOptions> = {},
): Promise<SeedSummary> {
  const read = parseSeed({ text: yaml, file: 'test.yaml' });
  return applySeed(db, { ...read, sandboxId, mode: 'merge', seedName: 'test', ...options });
}

/** The errors that a load reports, as `line path message`. */
export async function errorsOf(loading: Promise<unknown>): Promise<string[]> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof SeedError) return error.errors.map(({ line, path, message }) => `${line} ${path} ${message}`);
    throw error;
  }
  return [];
}

export async function select(db: Db, text: string): Promise<Record<string, unknown>[]> {
  return (await sql.raw<Record<string, unknown>>(text).execute(db)).rows;
}

/**
 * Locks the rows that `lock` selects, starts `work`, and calls `meanwhile` when `work` waits for the lock.
 */
export async function interrupt(
  db: Db,
  lock: string,
  work: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  let working: Promise<unknown> | undefined;
  await db.transaction().execute(async (holder) => {
    const { rows } = await sql.raw(`${lock} for update`).execute(holder);
    if (rows.length === 0) throw new Error(`no rows to lock: ${lock}`);
    working = work();
    const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await select(db, isWaiting)).length === 0) await sleep(5);
    await meanwhile();
  });
  await working;
}

/** Every row of a sandbox, by table. With `versions`, a row begins with its xmin, which each write changes. */
export async function dump(db: Db, sandboxId: number, { versions = false } = {}): Promise<Record<string, unknown[]>> {
  const all: [string, unknown[]][] = [];
  for (const table of [...tableNames, 'counters']) {
    const rows = await select(
      db,
      `select ${versions ? 'xmin::text, ' : ''}(to_jsonb(x) - 'sandbox_id')::text as row
       from understudy.${table} x where sandbox_id = ${sandboxId} order by row`,
    );
    all.push([table, rows.map((row) => Object.values(row).join(' '))]);
  }
  return Object.fromEntries(all);
}
