// Migrations: simultaneous ones, and databases that are refused.
import { Client } from 'pg';
import { type Test, test } from 'tap';
import { checksumOf, listMigrations } from '../../migrations/index.ts';
import { findSchema, migrateToLatest } from '../../src/database/migrator.ts';
import { sandboxRows } from '../../src/database/sandbox-rows.ts';
import { createTestDatabase } from '../support/database.ts';
import { startCommand } from '../support/process.ts';
import recorded from './migration-checksums.json' with { type: 'json' };

type Checksums = Readonly<Record<string, string>>;

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
  await t.rejects(migrateToLatest(url), { message });
};

await test('of twenty migrations of a fresh database at once one does the work', async (t) => {
  const url = await createTestDatabase(t);
  await Promise.all(Array.from({ length: 20 }, () => migrateToLatest(url)));
  t.same(
    await run(url, 'select name, checksum from understudy.applied_migrations order by name'),
    [...listMigrations(), sandboxRows].map(({ name, checksum }) => ({ name, checksum })),
  );
  t.match(await run(url, 'select name from understudy.sandboxes where name is not null'), [{ name: 'default' }]);
  // A used sequence would go back after a crash of the embedded server, and a sandbox would get the id of an older one.
  t.match(await run(url, 'select is_called from understudy.sandboxes_id_seq'), [{ is_called: false }]);
  const ours = `select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace`;
  t.same(await run(url, ours), [{ n: 0 }], 'nothing lies outside of our schema');
});

/** Which recorded migrations were changed or removed, and which aren't recorded. */
function findThawed(kept: Checksums, now: Checksums): string[] {
  return [...new Set([...Object.keys(kept), ...Object.keys(now)])]
    .filter((name) => kept[name] !== now[name])
    .toSorted();
}

await test('a migration stays as 0.1.0 and later versions have it', async (t) => {
  const now = Object.fromEntries(listMigrations().map(({ name, checksum }) => [name, checksum]));
  const advice =
    'a released migration stays: undo the change and add a migration. Before 0.1.0 is released, make the dump anew ' +
    '(test/migrations/make-dump.sh). In both cases test/database/migration-checksums.json is then';
  t.same(findThawed(recorded, now), [], `${advice} ${JSON.stringify(now, undefined, 2)}`);

  const kept = { one: '1', two: '2' };
  t.same(findThawed(kept, kept), []);
  t.same(findThawed(kept, { one: '1', two: 'x' }), ['two']);
  t.same(findThawed(kept, { one: '1' }), ['two']);
  t.same(findThawed(kept, { ...kept, three: '3' }), ['three']);
});

await test('a checksum depends on the SQL, not on its layout', async (t) => {
  const sum = checksumOf(['select 1,\n  2', 'select 3']);
  t.equal(checksumOf(['  select 1, 2', 'select\t3\n']), sum);
  t.not(checksumOf(['select 1, 3', 'select 3']), sum);
  t.not(checksumOf(['select 1, 2 select 3']), sum);
  t.match(sum, /^[0-9a-f]{64}$/);
});

await test('the functions that copy sandboxes are created again if their text has changed', async (t) => {
  const url = await createTestDatabase(t);
  await migrateToLatest(url);
  t.same(await migrateToLatest(url), []);
  const source = `select md5(string_agg(prosrc, '' order by proname)) as source from pg_proc where proname ~ '_rows$'`;
  const before = await run(url, source);
  await run(
    url,
    'create or replace function understudy.drop_rows(target integer) returns void language sql as $$ select $$',
    `update understudy.applied_migrations set checksum = 'of an older text' where name = 'sandbox-rows'`,
  );
  t.equal(await findSchema(url), 'older');
  t.notSame(await run(url, source), before);
  t.same(await migrateToLatest(url), ['sandbox-rows']);
  t.equal(await findSchema(url), 'newest');
  t.same(await run(url, source), before);
});

await test('a newer database is refused', async (t) => {
  const url = await createTestDatabase(t);
  await migrateToLatest(url);
  await run(url, `insert into understudy.applied_migrations (name, checksum) values ('9999-from-the-future', '')`);
  await assertRefused(t, url, /^The database is newer than this program: it has 9999-from-the-future\. Use a newer/);
});

await test('a database of other migrations is refused', async (t) => {
  const url = await createTestDatabase(t);
  await migrateToLatest(url);
  const [, second, third] = listMigrations();
  await run(url, 'create table public.kept as select * from understudy.applied_migrations');
  const dropSchema = /psql "\$DATABASE_URL" -c 'drop schema understudy cascade'$/;
  for (const change of [
    `update understudy.applied_migrations set checksum = repeat('0', 64) where name = '${second?.name}'`,
    `update understudy.applied_migrations set name = '${second?.name}x' where name = '${second?.name}'`,
    `delete from understudy.applied_migrations where name = '${second?.name}'`,
  ]) {
    await run(url, change);
    await assertRefused(t, url, change.startsWith('delete') ? new RegExp(`its ${third?.name} differs`) : /its 0002-/);
    await assertRefused(t, url, dropSchema);
    await run(url, 'delete from understudy.applied_migrations');
    await run(url, 'insert into understudy.applied_migrations select * from public.kept');
  }
  await migrateToLatest(url);

  await run(url, 'update understudy.applied_migrations set checksum = reverse(checksum)');
  await t.rejects(migrateToLatest(url, '/data/understudy'), {
    message: /remove the data folder: rm -r '\/data\/understudy'$/,
  });
  await run(url, 'drop schema understudy cascade');
  await migrateToLatest(url);
});

await test('on such a database the process exits with 78', async (t) => {
  const url = await createTestDatabase(t);
  await migrateToLatest(url);
  await run(url, 'update understudy.applied_migrations set checksum = reverse(checksum)');
  const { ended, said } = startCommand(t, ['serve'], { DATABASE_URL: url, PORT: '0' });
  t.equal(await ended, 78);
  t.match(said.stderr, /The database was made by other migrations.*drop schema understudy cascade'\n$/);
});

const foreign: Readonly<Record<string, string>> = {
  'a table': 'create table understudy.theirs (id int)',
  'a table named as ours': 'create table understudy.applied_migrations (id int)',
  'a view': 'create view understudy.theirs as select 1 as one',
  'a sequence': 'create sequence understudy.theirs',
  'a function': 'create function understudy.theirs() returns int language sql return 1',
  'a procedure': 'create procedure understudy.theirs() language sql begin atomic end',
  'an enum': `create type understudy.theirs as enum ('a')`,
  'a composite type': 'create type understudy.theirs as (a int)',
  'a domain': 'create domain understudy.theirs as int',
  'an operator': 'create operator understudy.=== (leftarg = int, rightarg = int, function = int4eq)',
  'a collation': `create collation understudy.theirs (locale = 'C')`,
  'a text search configuration': 'create text search configuration understudy.theirs (copy = pg_catalog.simple)',
};

await test('a schema of our name with other content is refused', async (t) => {
  const url = await createTestDatabase(t);
  for (const [what, statement] of Object.entries(foreign)) {
    await run(url, 'create schema understudy', statement);
    await assertRefused(t, url, /schema named "understudy" that this program did not make/);
    const kept = `select count(*)::int as n from pg_depend where refobjid = to_regnamespace('understudy')`;
    t.same(await run(url, kept), [{ n: 1 }], `${what}: nothing was added or removed`);
    await run(url, 'drop schema understudy cascade');
  }
});

await test('an empty schema of our name is used', async (t) => {
  const url = await createTestDatabase(t);
  await run(
    url,
    'create schema understudy',
    'alter default privileges in schema understudy grant select on tables to public',
  );
  await migrateToLatest(url);
  t.same(await run(url, `select count(*)::int as n from understudy.counters`), [{ n: 1 }]);
});

await test('a PostgreSQL that is too old is refused', async (t) => {
  const url = await createTestDatabase(t);
  // Our function comes before PostgreSQL's own on the search path, and claims to be 14.5.
  await run(
    url,
    'create schema old',
    `create function old.current_setting(text) returns text language sql return '140005'`,
    `do $$ begin execute format('alter database %I set search_path = old, pg_catalog, public', current_database()); end $$`,
  );
  await assertRefused(t, url, /^PostgreSQL 15 or newer is needed; this server is 14\.$/);
});
