// Loading while others read, write and load is atomic and causes no deadlock.
import { sql } from 'kysely';
import { test } from 'tap';
import { addSandbox, dump, interrupt, load, openMigrated, select } from '../support/sandbox-database.ts';

const seedOf = (user: string, names: string): string =>
  `users: [{ username: ${user}, subscriptions: [{ notifications: ${names}, scopes: [all, watched, administered] }] }]`;

await test('simultaneous loads are atomic and don’t deadlock', async (suite) => {
  const { db } = await openMigrated(suite);

  await suite.test('a reader sees the old state until the load is complete', async (t) => {
    const id = await addSandbox(db);
    const [one, two] = [seedOf('one', 'all'), seedOf('two', '[LockNotification]')];
    await load(db, id, one, { mode: 'replace' });
    const state = async () => {
      const [row] = await select(
        db,
        `select string_agg(username, ' ') || ' ' || (select count(*) from understudy.subscriptions where sandbox_id = ${id}) as state
         from understudy.users where sandbox_id = ${id}`,
      );
      return row?.['state'];
    };
    await interrupt(
      db,
      `select from understudy.subscriptions where sandbox_id = ${id}`,
      () => load(db, id, two, { mode: 'replace' }),
      async () => t.equal(await state(), 'one 69'),
    );
    t.equal(await state(), 'two 3');
  });

  await suite.test('equal seeds at once: one loads, the others find everything there', async (t) => {
    const id = await addSandbox(db);
    const summaries = await Promise.all(Array.from({ length: 8 }, () => load(db, id, seedOf('ada', 'all'))));
    t.strictSame(
      summaries.map((summary) => summary.users.created).toSorted((a, b) => a - b),
      [0, 0, 0, 0, 0, 0, 0, 1],
    );
    t.equal((await dump(db, id))['subscriptions']?.length, 69);
  });

  await suite.test('loads, replacements and the service’s own creation at once', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, seedOf('ada', 'all'));
    const create = (n: number) =>
      sql`with next as (update understudy.counters set next_user_id = next_user_id + 1 where sandbox_id = ${id} returning next_user_id - 1 as id)
        insert into understudy.users (sandbox_id, id, username) select ${id}::int4, id, ${`made${n}`} from next`.execute(
        db,
      );
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        n % 3 === 0
          ? load(db, id, seedOf('ada', 'all'), { mode: 'replace' })
          : n % 3 === 1
            ? load(db, id, seedOf(`user${n}`, '[LockNotification]'))
            : create(n),
      ),
    );
    const [row] = await select(
      db,
      `select max(id) < (select next_user_id from understudy.counters where sandbox_id = ${id}) as below from understudy.users where sandbox_id = ${id}`,
    );
    t.equal(row?.['below'], true);
  });

  await suite.test('a load that is stopped in the middle loads nothing', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, seedOf('ada', 'all'));
    const before = await dump(db, id, { versions: true });
    const controller = new AbortController();
    const steps: string[] = [];
    const loading = load(db, id, seedOf('bob', '[LockNotification]'), {
      mode: 'replace',
      signal: controller.signal,
      onProgress: (what) => {
        steps.push(what);
        if (what === 'subscriptions') controller.abort();
      },
    });
    await t.rejects(loading, { name: 'AbortError' });
    t.ok(steps.includes('users'));
    t.strictSame(await dump(db, id, { versions: true }), before);
  });

  await suite.test('a seed of many rows is written by set statements', async (t) => {
    const id = await addSandbox(db);
    const users = Array.from({ length: 6000 }, (_, n) => ({ username: `user${n}`, token: `token${n}` }));
    const subscriptions = users.map((user) => ({ user: user.username, notification: 'LockNotification', scope: 10 }));
    const summary = await load(db, id, JSON.stringify({ users, subscriptions }));
    t.match(summary, { users: { created: 6000 }, tokens: { created: 6000 }, subscriptions: { created: 6000 } });
    t.match(await load(db, id, JSON.stringify({ users, subscriptions })), {
      users: { created: 0, updated: 0, unchanged: 6000 },
      subscriptions: { created: 0, updated: 0, unchanged: 6000 },
    });
  });
});
