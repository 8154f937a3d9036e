// The statements on sandboxes: expiry where something is locked or fails, and plans on a database fresh from its first seed.
import { sql } from 'kysely';
import { test } from 'tap';
import { createSandboxes } from '../../src/sandboxes/sandboxes.ts';
import { readSandboxRequest } from '../../src/sandboxes/sandbox-requests.ts';
import { createExpiry } from '../../src/sandboxes/expiry.ts';
import { createSeededDatabase, openForTest } from '../support/service.ts';
import { analyzeTables } from '../../src/seeds/load/write-queries.ts';
import { load, openMigrated } from '../support/sandbox-database.ts';

await test('expiry loses no use and waits for no lock', async (suite) => {
  const url = await createSeededDatabase(suite, 'documented');
  const database = openForTest(url, undefined, { statementTimeoutMs: 1000 });
  suite.teardown(() => database.close());
  const db = database.load;
  const sandboxes = createSandboxes(database, 100)('');
  const expire = async (...names: string[]) => {
    for (const name of names) await sandboxes.create(name, readSandboxRequest(undefined));
    await sql`update understudy.sandboxes set expires_at = now() - interval '1 hour' where name = any(${names})`.execute(
      db,
    );
  };
  const left = async () => (await sandboxes.list()).map(({ name }) => name);

  await suite.test('renewals skip a locked sandbox, and renew it later', async (t) => {
    await expire('locked', 'old', 'used');
    const expiry = createExpiry(database);
    for (const name of ['locked', 'used', 'nowhere']) expiry.noteUse(name);
    await db.transaction().execute(async (trx) => {
      await sql`select from understudy.sandboxes where name = 'locked' for update`.execute(trx);
      t.strictSame(await expiry.tick(), ['old']);
      t.strictSame(
        ['locked', 'used', 'nowhere'].map((name) => expiry.isNoted(name)),
        [true, false, false],
      );
    });
    t.strictSame(await expiry.tick(), []);
    t.equal(expiry.isNoted('locked'), false);
    t.strictSame(await left(), ['default', 'locked', 'used']);
    t.ok((await sandboxes.get('locked')).expires! > new Date().toISOString(), 'renewed');
  });

  await suite.test('notes are kept while the database fails', async (t) => {
    await expire('used');
    const expiry = createExpiry(database);
    expiry.noteUse('used');
    await db.transaction().execute(async (trx) => {
      await sql`lock table understudy.sandboxes in access exclusive mode`.execute(trx);
      await t.rejects(expiry.tick(), { name: 'DatabaseUnavailable' });
    });
    t.strictSame(await expiry.tick(), []);
    t.ok((await left()).includes('used'));
  });

  await suite.test('a sandbox that can’t be dropped doesn’t keep others', async (t) => {
    await expire('first', 'second');
    const dropped: string[] = [];
    const expiry = createExpiry(database, (name) => dropped.push(name));
    await db.transaction().execute(async (trx) => {
      await sql`select from understudy.counters where sandbox_id =
        (select id from understudy.sandboxes where name = 'first') for update`.execute(trx);
      await t.rejects(expiry.tick(), { errors: [{ name: 'DatabaseUnavailable' }] });
      t.strictSame(dropped, ['second']);
    });
    t.strictSame(await expiry.tick(), ['first']);
  });
});

const small = `users: [{ username: ada, subscriptions: [{ notifications: all, scope: all }] }]
projects: [{ slug: demo }]`;

await test('no statement on sandboxes reads a whole table', async (t) => {
  const { url } = await openMigrated(t);
  // One connection, so that all of it meets the same plans.
  const database = openForTest(url, undefined, { poolSize: 1 });
  t.teardown(() => database.close());
  const { load: pool } = database;
  await load(pool, 1, small, { mode: 'replace', seedName: 'small' });
  await analyzeTables(pool);
  const sandboxes = createSandboxes({ read: pool, act: () => pool, load: pool }, 100)('http://localhost');
  await sandboxes.create('one', readSandboxRequest({ seed: { users: [{ username: 'bob', token: 'bobs' }] } }));
  await sandboxes.create('two', readSandboxRequest(undefined));
  const scans = await pool.transaction().execute(async (transaction) => {
    const inside = createSandboxes(
      { read: transaction, act: () => transaction, load: transaction },
      100,
    )('http://localhost');
    await inside.create('three', readSandboxRequest(undefined));
    await inside.reset('three');
    await inside.delete('two');
    const { rows } = await sql<{ relname: string; seq_tup_read: string }>`
      select relname, seq_tup_read from pg_stat_xact_user_tables
      where schemaname = 'understudy' and relname <> 'sandboxes' and seq_tup_read > 0`.execute(transaction);
    return rows;
  });
  t.strictSame(scans, []);
});
