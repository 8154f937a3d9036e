// Expiry where something is locked or fails: no use is lost, and no sandbox keeps others from being dropped.
import { sql } from 'kysely';
import { test } from 'tap';
import { createSandboxes } from '../../src/sandboxes/sandboxes.ts';
import { readSandboxRequest } from '../../src/sandboxes/sandbox-requests.ts';
import { createExpiry } from '../../src/sandboxes/expiry.ts';
import { createSeededDatabase, openForTest } from '../support/service.ts';

await test('expiry', async (suite) => {
  const url = await createSeededDatabase(suite, 'documented');
  const database = openForTest(url, undefined, { statementTimeoutMs: 1000 });
  suite.teardown(() => database.close());
  const db = database.pool;
  const sandboxes = createSandboxes({ reads: db, transactions: () => db, loads: () => db }, 100)('');
  const expire = async (...names: string[]) => {
    for (const name of names) await sandboxes.create(name, readSandboxRequest(undefined));
    await sql`update understudy.sandboxes set expires_at = now() - interval '1 hour' where name = any(${names})`.execute(
      db,
    );
  };
  const left = async () => (await sandboxes.list()).map(({ name }) => name);

  await suite.test('a locked sandbox is waited for by nobody, and renewed later', async (t) => {
    await expire('locked', 'old', 'used');
    const expiry = createExpiry(db);
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
    const expiry = createExpiry(db);
    expiry.noteUse('used');
    await db.transaction().execute(async (trx) => {
      await sql`lock table understudy.sandboxes in access exclusive mode`.execute(trx);
      await t.rejects(expiry.tick(), { code: '57014' });
    });
    t.strictSame(await expiry.tick(), []);
    t.ok((await left()).includes('used'));
  });

  await suite.test('one that can’t be dropped keeps no other', async (t) => {
    await expire('first', 'second');
    const dropped: string[] = [];
    const expiry = createExpiry(db, { onDeleted: (name) => dropped.push(name) });
    await db.transaction().execute(async (trx) => {
      await sql`select from understudy.counters where sandbox_id =
        (select id from understudy.sandboxes where name = 'first') for update`.execute(trx);
      await t.rejects(expiry.tick(), { errors: [{ code: '57014' }] });
      t.strictSame(dropped, ['second']);
    });
    t.strictSame(await expiry.tick(), ['first']);
  });
});
