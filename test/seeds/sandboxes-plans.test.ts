// On a database fresh from its first seed the plans of foreign keys are made while tables are tiny, and stay. They must not be those
// that read a whole table for each new row (docs/decisions/0014).
import { sql } from 'kysely';
import { test } from 'tap';
import { readSandboxRequest } from '../../src/sandboxes/sandbox-requests.ts';
import { createSandboxes } from '../../src/sandboxes/sandboxes.ts';
import { analyzeTables } from '../../src/seeds/load/write-queries.ts';
import { openForTest } from '../support/service.ts';
import { load, openMigrated } from './sandbox-database.ts';

const small = `users: [{ username: ada, subscriptions: [{ notifications: all, scope: all }] }]
projects: [{ slug: demo }]`;

await test('no table is read as a whole', async (t) => {
  const { url } = await openMigrated(t);
  // One connection, so that all of it meets the same plans.
  const database = openForTest(url, undefined, { poolSize: 1 });
  t.teardown(() => database.close());
  const { pool } = database;
  await load(pool, 1, small, { mode: 'replace', seedName: 'small' });
  await analyzeTables(pool);
  const sandboxes = createSandboxes(
    { reads: pool, transactions: () => pool, loads: () => pool },
    100,
  )('http://localhost');
  await sandboxes.create('one', readSandboxRequest({ seed: { users: [{ username: 'bob', token: 'bobs' }] } }));
  await sandboxes.create('two', readSandboxRequest(undefined));
  const scans = await pool.transaction().execute(async (transaction) => {
    const inside = createSandboxes(
      { reads: transaction, transactions: () => transaction, loads: () => transaction },
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
