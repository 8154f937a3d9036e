// Brings a database to the newest tables. Safe when many processes start at once: one migrates, the others wait for it.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { surviveLoss } from './database.ts';

/** The message says what is wrong with the database and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

const folder = join(import.meta.dirname, '../../migrations');
// Any number that other programs on the same server are unlikely to take.
const lockKey = 7_362_011_509;
const connectionTimeoutMillis = 5000;

/** Migration files by name, in order. */
export async function listMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).toSorted();
  const modules = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<Migration>));
  return Object.fromEntries(files.map((file, i) => [file.replace(/\.ts$/, ''), modules[i] as Migration]));
}

/**
 * Migrates the database at `url`, or throws MigrationError where its schema isn't ours or is newer than this program. The lock is
 * taken before the first look: Kysely's own is taken only after it has made its tables, and two that make them at once fail. It
 * belongs to a transaction of its own, because through a pooler a session's lock may stay with a connection that is not ours.
 */
export async function migrateToLatest(url: string): Promise<void> {
  const pool = new Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis,
    application_name: 'understudy-migrate',
  });
  surviveLoss(pool);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await db.transaction().execute(async (locked) => {
      await locked.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock($1)', [lockKey]));
      await migrate(db);
    });
  } finally {
    await db.destroy();
  }
}

async function migrate(db: Kysely<unknown>): Promise<void> {
  await refuseForeign(db);
  const migrations = await listMigrations();
  await refuseNewer(db, Object.keys(migrations));
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: 'understudy',
  }).migrateToLatest();
  if (error !== undefined) throw error;
}

async function refuseForeign(db: Kysely<unknown>): Promise<void> {
  const version = Number(await one(db, `select current_setting('server_version_num') as value`));
  if (version < 150_000)
    throw new MigrationError(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`);
  const schema = await one(
    db,
    `select case when to_regnamespace('understudy') is null then 'absent'
       when to_regclass('understudy.kysely_migration') is not null then 'ours'
       when exists (select from pg_class where relnamespace = to_regnamespace('understudy')) then 'foreign'
       else 'empty' end as value`,
  );
  if (schema === 'foreign')
    throw new MigrationError(
      'The database has a schema named "understudy" that this program did not make. Use another database, or rename that schema.',
    );
}

async function refuseNewer(db: Kysely<unknown>, known: string[]): Promise<void> {
  if ((await one(db, `select to_regclass('understudy.kysely_migration') as value`)) === null) return;
  const applied = await db.executeQuery<{ name: string }>(
    CompiledQuery.raw('select name from understudy.kysely_migration order by name'),
  );
  const unknown = applied.rows.map((row) => row.name).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new MigrationError(
      `The database is newer than this program: it has ${unknown.join(', ')}. Use a newer Understudy, or another database.`,
    );
}

async function one(db: Kysely<unknown>, text: string): Promise<unknown> {
  const { rows } = await db.executeQuery<{ value: unknown }>(CompiledQuery.raw(text));
  return rows[0]?.value;
}
