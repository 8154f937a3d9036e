// Copies, resets, deletions and loads of sandboxes in the database, also at once.
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { test } from 'tap';
import type { Database } from '../../src/database/database.ts';
import { createExpiry } from '../../src/sandboxes/expiry.ts';
import { readSandboxRequest } from '../../src/sandboxes/sandbox-requests.ts';
import { createSandboxes } from '../../src/sandboxes/sandboxes.ts';
import { createTemplates } from '../../src/sandboxes/templates.ts';
import { addSandbox, type Db, dump, interrupt, load, openMigrated, select } from '../support/sandbox-database.ts';

// Something in every table.
const everything = `
users: [{ username: ada, email: a@example.com, token: adas, groups: [Team] }, { username: bob, email: b@example.com }]
groups:
  - { name: Team, projects: [demo], defining_project: demo, roles: [9], languages: [cs], components: [demo/app], admins: [ada] }
  - { name: Everybody, automatic: true }
projects: [{ slug: demo }, { slug: secret, private: true }]
components: [{ project: demo, slug: app }]
subscriptions:
  - { user: ada, notification: LockNotification, scope: watched }
  - { user: ada, notification: LockNotification, component: demo/app }
  - { user: bob, notification: LockNotification, project: secret }
`;

const withoutTokens = (rows: Record<string, unknown[]>) => ({ ...rows, tokens: [] });
const plain = (text: string) => readSandboxRequest({ seed: JSON.parse(text) as unknown });
const idOf = async (db: Db, name: string) =>
  Number((await select(db, `select id from understudy.sandboxes where name = '${name}'`))[0]?.['id']);

/** Every row of the sandbox in every table of the schema that has sandboxes, whether this program knows the table or not. */
async function dumpAll(db: Db, id: number): Promise<Record<string, unknown[]>> {
  const tables = await select(
    db,
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'understudy' and c.column_name = 'sandbox_id' and t.table_type = 'BASE TABLE'
       and c.table_name <> 'sandbox_tokens' order by 1`,
  );
  const all: [string, unknown[]][] = [];
  for (const { name } of tables) {
    const rows = await select(
      db,
      `select (to_jsonb(x) - 'sandbox_id')::text as row from understudy.${String(name)} x where sandbox_id = ${id} order by 1`,
    );
    all.push([String(name), rows.map((row) => row['row'])]);
  }
  return Object.fromEntries(all);
}

await test('copies and resets make equal rows, and nothing is left of a dropped sandbox', async (suite) => {
  const { db } = await openMigrated(suite);
  const sandboxes = createSandboxes({ read: db, act: () => db, load: db }, 1000)('http://localhost');
  await load(db, 1, everything, { mode: 'replace', seedName: 'everything' });
  const expected = await dumpAll(db, 1);
  const ownTokens = async (id: number) =>
    (
      await select(db, `select encode(hash, 'hex') as hash from understudy.sandbox_tokens where sandbox_id = ${id}`)
    ).map((row) => row['hash']);
  /** Without the sandbox's own tokens, which differ each time. */
  async function dumpSandbox(name: string) {
    const id = await idOf(db, name);
    const own = await ownTokens(id);
    const rows = await dumpAll(db, id);
    return {
      ...rows,
      tokens: rows['tokens']?.filter((row) => !own.some((hash) => String(row).includes(String(hash)))),
    };
  }

  await suite.test('a copy has the rows of every table', async (t) => {
    for (const [table, rows] of Object.entries(expected)) t.ok(rows.length > 0, `the seed above has rows of ${table}`);
    await sandboxes.create('copy', readSandboxRequest(undefined));
    t.strictSame(await dumpSandbox('copy'), expected);
  });

  await suite.test('a reset undoes every change, and touches nothing else', async (t) => {
    await sandboxes.create('other', readSandboxRequest(undefined));
    const other = await dumpAll(db, await idOf(db, 'other'));
    const id = await idOf(db, 'copy');
    const changes = [
      `update understudy.users set username = username || 'x', email = case email when 'a@example.com' then 'c@example.com' end where sandbox_id = $id`,
      `delete from understudy.users where sandbox_id = $id and id = 1`,
      `delete from understudy.users where sandbox_id = $id`,
      `delete from understudy.projects where sandbox_id = $id`,
      `update understudy.projects set slug = 'x', private = true where sandbox_id = $id and slug = 'demo'`,
      `update understudy.subscriptions set frequency = 4 where sandbox_id = $id`,
      `insert into understudy.users (sandbox_id, username, profile) values ($id, 'new', '{"a": 1}')`,
      `insert into understudy.subscriptions (sandbox_id, user_id, notification, scope, frequency)
         select $id, 2, 'RepositoryNotification', s, 1 from unnest(array[0,10,20]) s`,
      `update understudy.users set profile = '{"a": 1.0}' where sandbox_id = $id`,
      `delete from understudy.group_projects where sandbox_id = $id`,
      `delete from understudy.group_components where sandbox_id = $id`,
      `delete from understudy.group_admins where sandbox_id = $id`,
      `delete from understudy.user_groups where sandbox_id = $id`,
      `update understudy.groups set languages = '{de}', roles = '{1,9}', enforced_2fa = true where sandbox_id = $id`,
      `insert into understudy.user_groups (sandbox_id, user_id, group_id) select $id, u.id, g.id
         from understudy.users u join understudy.groups g using (sandbox_id) where sandbox_id = $id on conflict do nothing`,
      `update understudy.tokens set user_id = 2 where sandbox_id = $id`,
      `select understudy.add_token('bob', 'bobs', $id)`,
    ];
    for (const change of changes) {
      await select(db, change.replaceAll('$id', String(id)));
      await sandboxes.reset('copy');
      t.strictSame(await dumpSandbox('copy'), expected, change);
      const usable = await select(
        db,
        `select count(*)::int as n from understudy.sandbox_tokens o join understudy.tokens t using (sandbox_id, hash) where sandbox_id = ${id}`,
      );
      t.strictSame(usable, [{ n: 2 }], 'its own tokens are usable');
    }
    t.strictSame(await dumpAll(db, await idOf(db, 'other')), other);
    t.strictSame(await dumpAll(db, 1), expected);
  });

  await suite.test('a reset writes the rows that differ, and none that refer to them', async (t) => {
    const id = await idOf(db, 'copy');
    for (const [change, written] of [
      ['select', {}],
      [
        `update understudy.users set full_name = 'x', profile = '{"a": 1}' where sandbox_id = $id and id = 1`,
        { users: 1 },
      ],
      [`update understudy.groups set name = 'x' where sandbox_id = $id and id = 1`, { groups: 1 }],
      [`update understudy.projects set name = 'x', web = 'y' where sandbox_id = $id and id = 1`, { projects: 1 }],
      [`update understudy.components set name = 'x' where sandbox_id = $id`, { components: 1 }],
      [`update understudy.subscriptions set frequency = 4 where sandbox_id = $id and id = 2`, { subscriptions: 1 }],
      [`delete from understudy.subscriptions where sandbox_id = $id and id = 1`, { subscriptions: 1 }],
    ] as const) {
      const before = await dump(db, id, { versions: true });
      await select(db, change.replaceAll('$id', String(id)));
      await sandboxes.reset('copy');
      const after = Object.entries(await dump(db, id, { versions: true }));
      const counts = after.map(([table, rows]) => [table, rows.filter((row) => !before[table]?.includes(row)).length]);
      t.strictSame(Object.fromEntries(counts.filter(([, count]) => count !== 0)), written, change);
    }
    t.strictSame(await dumpSandbox('copy'), expected);
  });

  await suite.test('names and addresses that changed places come back', async (t) => {
    const id = await idOf(db, 'copy');
    for (const [from, to] of [
      ['ada', 'x'],
      ['bob', 'ada'],
      ['x', 'bob'],
    ])
      await select(
        db,
        `update understudy.users set username = '${to}' where sandbox_id = ${id} and username = '${from}'`,
      );
    await sandboxes.reset('copy');
    t.strictSame(await dumpSandbox('copy'), expected);
  });

  await suite.test('a reader sees the old state until the reset is complete', async (t) => {
    const id = await idOf(db, 'copy');
    const count = async () => {
      const [row] = await select(
        db,
        `select (select count(*) from understudy.users where sandbox_id = ${id}) || ' ' ||
           (select count(*) from understudy.subscriptions where sandbox_id = ${id} and frequency <> 4) as state`,
      );
      return row?.['state'];
    };
    await select(db, `delete from understudy.users where sandbox_id = ${id} and username = 'bob'`);
    await select(db, `update understudy.subscriptions set frequency = 4 where sandbox_id = ${id}`);
    await interrupt(
      db,
      `select from understudy.subscriptions where sandbox_id = ${id}`,
      () => sandboxes.reset('copy'),
      async () => t.equal(await count(), '1 0'),
    );
    t.equal(await count(), '2 3');
  });

  await suite.test('all sandboxes of one seed share a template', async (t) => {
    const seed = '{"users": [{"username": "zoe"}]}';
    await Promise.all(['t1', 't2', 't3', 't4', 't5'].map((name) => sandboxes.create(name, plain(seed))));
    const baselines = await select(db, `select distinct baseline_id from understudy.sandboxes where name like 't_'`);
    t.equal(baselines.length, 1);
  });

  await suite.test('nothing is left of a sandbox that was dropped', async (t) => {
    await sandboxes.create('gone', readSandboxRequest({ from: 'copy' }));
    await sandboxes.putSnapshot('gone', 'one');
    const ids = await select(
      db,
      `select s.id, s.baseline_id, x.id as snapshot from understudy.sandboxes s join understudy.sandboxes x on x.snapshot_of = s.id where s.name = 'gone'`,
    );
    await sandboxes.delete('gone');
    for (const id of Object.values(ids[0] ?? {})) {
      const rows = Object.entries(await dumpAll(db, Number(id))).filter(([, list]) => list.length > 0);
      t.strictSame(rows, [], String(id));
      t.strictSame(await select(db, `select from understudy.sandboxes where id = ${Number(id)}`), []);
    }
  });

  await suite.test('expired sandboxes go, used ones stay; safe with several services', async (t) => {
    for (const name of ['old', 'used', 'fresh']) await sandboxes.create(name, readSandboxRequest(undefined));
    await select(
      db,
      `update understudy.sandboxes set expires_at = now() - interval '1 hour' where name in ('old', 'used')`,
    );
    const services = [
      createExpiry({ read: db, act: () => db }),
      createExpiry({ read: db, act: () => db }),
      createExpiry({ read: db, act: () => db }),
    ];
    services[0]?.noteUse('used');
    services[0]?.noteUse('nowhere');
    t.strictSame(await services[0]?.tick(), ['old']);
    const dropped = await Promise.all(services.map((service) => service.tick()));
    t.strictSame(dropped.flat(), []);
    await select(db, `update understudy.sandboxes set expires_at = now() - interval '1 hour' where name like 't_'`);
    const names = (await Promise.all(services.map((service) => service.tick()))).flat();
    t.strictSame(names.toSorted(), ['t1', 't2', 't3', 't4', 't5'], 'each by one of them');
    const left = await sandboxes.list();
    t.strictSame(
      left.map(({ name }) => name),
      ['copy', 'default', 'fresh', 'other', 'used'],
    );
  });

  await suite.test('an unused template is deleted, and made again when needed', async (t) => {
    const request = plain('{"users": [{"username": "zoe"}]}');
    await sandboxes.create('kept', plain('{"users": [{"username": "yan"}]}'));
    await createExpiry({ read: db, act: () => db }, undefined, -1).tick();
    const templates = await select(db, 'select from understudy.sandboxes where template_key is not null');
    t.equal(templates.length, 2, 'those of default and kept');
    t.match(await sandboxes.create('after', request), { users: [{ username: 'zoe' }] });
  });

  await suite.test('a finished copy waits for the second sandbox after the first, and is what a copy is', async (t) => {
    const request = plain('{"users": [{"username": "vic", "token": "vics"}], "now": "2026-01-02T03:04:05Z"}');
    const waiting = async () => {
      const rows = await select(
        db,
        `select w.id from understudy.sandboxes w join understudy.sandboxes s on s.name = 'w1' and s.baseline_id = w.baseline_id
         where w.name is null and w.snapshot_of is null`,
      );
      return rows.map(({ id }) => Number(id));
    };
    const untilWaiting = async () => {
      while ((await waiting()).length === 0) await sleep(5);
      return (await waiting())[0];
    };
    await sandboxes.create('w1', request);
    t.strictSame(await waiting(), [], 'none after the first');
    await sandboxes.create('w2', request);
    const copy = await untilWaiting();
    const begun = await dumpAll(db, await idOf(db, 'w1'));
    await sandboxes.create('w3', request);
    t.equal(await idOf(db, 'w3'), copy);
    t.match(await sandboxes.get('w3'), {
      seed: 'inline',
      clock: '2026-01-02T03:04:05Z',
      expires_in_seconds: 86_400,
    });
    t.strictSame(withoutTokens(await dumpAll(db, await idOf(db, 'w3'))), withoutTokens(begun));
    t.ok(
      Date.parse((await sandboxes.get('w3')).created) >= Date.parse((await sandboxes.get('w2')).created),
      'made now',
    );

    await untilWaiting();
    const names = (await sandboxes.list()).map(({ name }) => name);
    t.strictSame(
      names.filter((name) => name.startsWith('w')),
      ['w1', 'w2', 'w3'],
      'what waits is no sandbox',
    );
    await Promise.all(['w4', 'w5', 'w6'].map((name) => sandboxes.create(name, request)));
    t.equal(new Set(await Promise.all(['w4', 'w5', 'w6'].map((name) => idOf(db, name)))).size, 3, 'one took it');

    const [template] = await select(db, `select baseline_id as id from understudy.sandboxes where name = 'w1'`);
    const add = (most: number) =>
      select(db, `select understudy.add_waiting_copy(${String(template?.['id'])}, ${most}) as made`);
    await untilWaiting();
    t.strictSame(await add(10), [{ made: false }], 'one waits');
    await select(db, `select understudy.drop_unused_template(${(await waiting())[0]})`);
    t.strictSame(await add(0), [{ made: false }], 'the template is too large');
    t.strictSame(await add(1), [{ made: true }]);
    for (const name of ['w1', 'w2', 'w3', 'w4', 'w5', 'w6']) await sandboxes.delete(name);
    await createExpiry({ read: db, act: () => db }, undefined, -1).tick();
    const left = `select id from understudy.sandboxes where ${String(template?.['id'])} in (id, baseline_id)`;
    t.strictSame(await select(db, left), [], 'it goes with its template, which it doesn’t keep');
  });

  await suite.test('a reset returns to a seed that replaced the content later, not to a merged one', async (t) => {
    const id = await idOf(db, 'kept');
    await load(db, id, 'users: [{ username: xan }]', { seedName: 'more' });
    await sandboxes.reset('kept');
    const names = () => select(db, `select username from understudy.users where sandbox_id = ${id} order by id`);
    t.strictSame(await names(), [{ username: 'yan' }]);
    await load(db, id, 'users: [{ username: wim }]', { mode: 'replace', seedName: 'whole' });
    await load(db, id, 'users: [{ username: xan }]', { seedName: 'more' });
    await sandboxes.reset('kept');
    t.strictSame(await names(), [{ username: 'wim' }]);
  });

  await suite.test('a sandbox that plain SQL made has nothing to be reset to', async (t) => {
    await sql`with made as (insert into understudy.sandboxes (name) values ('by-sql') returning id)
      insert into understudy.counters (sandbox_id) select id from made`.execute(db);
    await t.rejects(sandboxes.reset('by-sql'), /has no baseline to reset to/);
    await sandboxes.putSnapshot('by-sql', 'empty');
    await sandboxes.restore('by-sql', 'empty');
    await sandboxes.delete('by-sql');
  });
});

const seedOf = (user: string, names: string): string =>
  `users: [{ username: ${user}, subscriptions: [{ notifications: ${names}, scopes: [all, watched, administered] }] }]`;

await test('a template that could not be made is forgotten, and not the one that is made after it', async (t) => {
  const found: PromiseWithResolvers<number>[] = [];
  const find = async () => {
    const waiting = Promise.withResolvers<number>();
    found.push(waiting);
    return waiting.promise;
  };
  const query: unknown = new Proxy({}, { get: (_, name) => (name === 'execute' ? find : () => query) });
  const templates = createTemplates(query as Database['load']);
  const seed = { text: 'users: []', file: 's' };
  const first = templates.get(seed, { sandbox: 'a' });
  await turn();
  templates.forget(seed);
  const second = templates.get(seed, { sandbox: 'b' });
  await turn();
  found[0]?.reject(new Error('gone'));
  await t.rejects(first, { message: 'gone' });
  const third = templates.get(seed, { sandbox: 'c' });
  for (const waiting of found) waiting.resolve(7);
  t.strictSame(await Promise.all([second, third]), [7, 7]);
  t.equal(found.length, 2);
});

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
});
