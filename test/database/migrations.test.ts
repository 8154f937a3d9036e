// Migrations: many at once, and the databases that are refused.
import { Client } from 'pg';
import { type Test, test } from 'tap';
import { listMigrations, migrateToLatest } from '../../src/database/migrator.ts';
import { createTestDatabase } from '../support/database.ts';

async function run(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const results = [];
    for (const statement of statements) results.push(await client.query<Record<string, unknown>>(statement));
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

const assertRefused = async (t: Test, url: string, message: RegExp): Promise<void> => {
  await t.rejects(migrateToLatest(url), { name: 'MigrationError', message });
};

await test('twenty at once on a fresh database', async (t) => {
  const url = await createTestDatabase(t);
  await Promise.all(Array.from({ length: 20 }, () => migrateToLatest(url)));
  const applied = await run(url, 'select name from understudy.kysely_migration order by name');
  t.same(
    applied.map((row) => row['name']),
    Object.keys(await listMigrations()),
  );
  t.match(await run(url, 'select name from understudy.sandboxes where name is not null'), [{ name: 'default' }]);
  const ours = `select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace`;
  t.same(await run(url, ours), [{ n: 0 }], 'nothing lies outside of our schema');
});

await test('a newer database', async (t) => {
  const url = await createTestDatabase(t);
  await migrateToLatest(url);
  await run(url, `insert into understudy.kysely_migration (name, timestamp) values ('9999-from-the-future', '')`);
  await assertRefused(t, url, /^The database is newer than this program: it has 9999-from-the-future\. Use a newer/);
});

await test('a schema that isn’t ours', async (t) => {
  const url = await createTestDatabase(t);
  await run(url, 'create schema understudy', 'create table understudy.theirs (id int)');
  await assertRefused(t, url, /schema named "understudy" that this program did not make/);
  t.same(await run(url, `select count(*)::int as n from pg_class where relname = 'theirs'`), [{ n: 1 }]);
  t.same(await run(url, `select to_regclass('understudy.kysely_migration') as made`), [{ made: null }]);
});

await test('an empty schema of our name is taken', async (t) => {
  const url = await createTestDatabase(t);
  await run(url, 'create schema understudy');
  await migrateToLatest(url);
  t.same(await run(url, `select count(*)::int as n from understudy.counters`), [{ n: 1 }]);
});

await test('a PostgreSQL that is too old', async (t) => {
  const url = await createTestDatabase(t);
  // Ours stands before the real one for whoever connects: it claims to be 14.5.
  await run(
    url,
    'create schema old',
    `create function old.current_setting(text) returns text language sql return '140005'`,
    `do $$ begin execute format('alter database %I set search_path = old, pg_catalog, public', current_database()); end $$`,
  );
  await assertRefused(t, url, /^PostgreSQL 15 or newer is needed; this server is 14\.$/);
});
