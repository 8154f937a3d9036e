// Brings a database to the newest schema. Of many processes that start at once, one migrates.
import { Client } from 'pg';
import { listMigrations, type Migration } from '../../migrations/index.ts';
import { UserError } from '../base/failure.ts';
import { sandboxRows } from './sandbox-rows.ts';

type Applied = Pick<Migration, 'name' | 'checksum'>;

// Other programs on the server are unlikely to use this number.
const lockKey = 7_362_011_509;
const connectionTimeoutMillis = 3000;

/**
 * Runs all missing migrations, and sandbox-rows.ts if it changed, in one transaction. Returns their names.
 * @param dataDir the embedded server's folder, if the database is there
 * @throws UserError if the server is too old, or the schema is newer than ours, differs or isn't ours
 */
export const migrateToLatest = (url: string, dataDir?: string) =>
  withClient(url, async (client) => {
    await client.query('begin isolation level read committed');
    // The lock comes before all reads and ends with the transaction. A session's lock would stay with
    // a pooler's connection.
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const { applied, pending } = await inspect(client, dataDir);
    if (applied.length === 0) {
      await client.query(`
        create schema if not exists understudy;
        create table if not exists understudy.applied_migrations (
          name text primary key,
          checksum text not null,
          applied_at timestamptz not null default now()
        )`);
    }
    for (const { name, statements, checksum } of pending) {
      for (const statement of statements) await client.query(statement);
      await client.query(
        `insert into understudy.applied_migrations (name, checksum) values ($1, $2)
         on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
        [name, checksum],
      );
    }
    await client.query('commit');
    return pending.map(({ name }) => name);
  });

/** Compares the schema with the newest. Writes nothing; throws as migrateToLatest. */
export const findSchema = (url: string, dataDir?: string) =>
  withClient(url, async (client) => {
    const { applied, pending } = await inspect(client, dataDir);
    return applied.length === 0 ? 'missing' : pending.length > 0 ? 'older' : 'newest';
  });

/** Makes the URL's database, over a connection to the database `postgres`. Returns its name. */
export async function createDatabase(url: string) {
  const server = new URL(url);
  const name = decodeURIComponent(server.pathname.slice(1));
  server.pathname = '/postgres';
  await withClient(server.href, (client) => client.query(`create database ${client.escapeIdentifier(name)}`));
  return name;
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis, application_name: 'understudy-migrate' });
  // The running statement throws too. Without a listener, this event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    client.end().catch(() => undefined);
  }
}

async function inspect(client: Client, dataDir: string | undefined) {
  const { rows } = await client.query<{ version: number; holds_something: boolean; columns: string[] }>(inspectServer);
  const { version, holds_something, columns } = rows[0]!;
  if (version < 15) throw new UserError(`PostgreSQL 15 or newer is needed; this server is ${version}.`);
  const isOurs = columns.join(' ') === 'name checksum applied_at';
  if (!isOurs && holds_something)
    throw new UserError(
      'The database has a schema named "understudy" that this program did not make. Rename it, or use another database.',
    );
  const listApplied = 'select name, checksum from understudy.applied_migrations order by name';
  const applied = isOurs ? (await client.query<Applied>(listApplied)).rows : [];
  const migrations = listMigrations();
  const ofFiles = applied.filter(({ name }) => name !== sandboxRows.name);
  refuseUnknown(ofFiles, migrations, dataDir);
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const pending = [...migrations, sandboxRows].filter(({ name, checksum }) => checksums.get(name) !== checksum);
  return { applied, pending };
}

export const schemaChecksums = () => [...listMigrations(), sandboxRows].map(({ checksum }) => checksum);

// In pg_depend, a schema's content depends on the schema. Default privileges and publications are left out.
const inspectServer = `
  select
    current_setting('server_version_num')::int / 10000 as version,
    exists (
      select from pg_depend d
      where d.refclassid = 'pg_namespace'::regclass
        and d.refobjid = to_regnamespace('understudy')
        and d.classid <> all('{pg_default_acl,pg_publication_namespace}'::regclass[]::oid[])
    ) as holds_something,
    array(
      select attname::text
      from pg_attribute
      where attrelid = to_regclass('understudy.applied_migrations') and attnum > 0
      order by attnum
    ) as columns`;

function refuseUnknown(applied: readonly Applied[], migrations: readonly Migration[], dataDir?: string) {
  const unknown = applied.slice(migrations.length).map(({ name }) => name);
  const last = migrations.at(-1)?.name ?? '';
  if (unknown.length > 0 && unknown.every((name) => name > last))
    throw new UserError(
      `The database is newer than this program: it has ${unknown.join(', ')}. Use a newer program, or another database.`,
    );
  const changed = applied.find(
    ({ name, checksum }, n) => migrations[n]?.name !== name || migrations[n].checksum !== checksum,
  );
  if (changed === undefined) return;
  const remove =
    dataDir === undefined
      ? `drop the schema: psql "$DATABASE_URL" -c 'drop schema understudy cascade'`
      : `remove the data folder: rm -r '${dataDir}'`;
  throw new UserError(
    `The database was made by other migrations than this program's: its ${changed.name} differs. ` +
      'To keep data, export it with the version that made the database ' +
      `(weblate-understudy export, while its service runs). Then ${remove}`,
  );
}
