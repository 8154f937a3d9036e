// Merging a seed into a sandbox, and the ids that a load assigns.
import { join } from 'node:path';
import { test } from 'tap';
import { applySeed, hasChanges, type SeedSummary } from '../../src/seeds/load/apply.ts';
import { readSeedFile } from '../support/read-seed-file.ts';
import { addSandbox, type Db, dump, errorsOf, load, openMigrated, select } from '../support/sandbox-database.ts';

const root = join(import.meta.dirname, '../..');

const rowsOf = (db: Db, id: number, table: string, columns = 'id, *') =>
  select(db, `select ${columns} from understudy.${table} where sandbox_id = ${id} order by 1`);

await test('a merge matches existing things, changes what the seed names, and leaves the rest', async (suite) => {
  const { db } = await openMigrated(suite);

  for (const file of ['seeds/documented.yaml', 'test/transcripts/data/seed.json'])
    await suite.test(`${file} twice: the second time changes no row`, async (t) => {
      const sandboxId = await addSandbox(db);
      const seed = await readSeedFile(join(root, file));
      const options = { sandboxId, seeds: [seed], mode: 'merge', seedName: file } as const;
      const first = await applySeed(db, options);
      t.equal(first.subscriptions.created, seed.subscriptions.length);
      t.equal(first.users.created, seed.users.length);
      const before = await dump(db, sandboxId, { versions: true });
      const sandbox = await select(db, `select xmin::text, * from understudy.sandboxes where id = ${sandboxId}`);
      const second = await applySeed(db, options);
      t.equal(hasChanges(second), false);
      t.equal(second.subscriptions.unchanged, seed.subscriptions.length);
      t.strictSame(await dump(db, sandboxId, { versions: true }), before);
      t.strictSame(await select(db, `select xmin::text, * from understudy.sandboxes where id = ${sandboxId}`), sandbox);
    });

  await suite.test('changes what the seed says and leaves what it does not', async (t) => {
    const id = await addSandbox(db);
    await load(
      db,
      id,
      `users:
  - { username: Ada, full_name: Ada, email: ada@example.com, is_bot: true, last_login: 2026-03-04, profile: { a: 1 }, token: one }
  - { username: bob }
groups: [{ name: Team, projects: [demo] }, { name: Everybody, automatic: true }]
projects: [{ slug: demo, name: Demo }]
components: [{ project: demo, slug: app }]
subscriptions: [{ user: ada, notification: LockNotification, component: demo/app }]`,
    );
    const summary = await load(
      db,
      id,
      `users:
  - { username: ADA, email: null, token: two, groups: [Team] }
  - { username: carl }
groups: [{ name: Team, projects: [] }]
projects: [{ slug: demo, private: true }]
subscriptions: [{ user: ada, notification: LockNotification, component: demo/app, frequency: daily }]`,
    );
    t.match(summary, {
      users: { created: 1, updated: 1, unchanged: 0 },
      groups: { created: 0, updated: 0, unchanged: 1 },
      projects: { updated: 1 },
      group_projects: { removed: 1 },
      user_groups: { created: 2, removed: 1 },
      tokens: { created: 1 },
      subscriptions: { updated: 1 },
    } satisfies Partial<Record<keyof SeedSummary, object>>);
    t.match(await rowsOf(db, id, 'users'), [
      { id: 1, username: 'ADA', full_name: 'Ada', email: null, is_bot: true, profile: { a: 1 } },
      { id: 2, username: 'bob' },
      { id: 3, username: 'carl' },
    ]);
    t.match(await rowsOf(db, id, 'subscriptions'), [
      { id: 1, frequency: 2, project: null, component: 'demo/app', private_project_id: 1 },
    ]);
    const again = 'subscriptions: [{ user: ada, notification: LockNotification, component: demo/app }]';
    t.match(await load(db, id, again), { subscriptions: { updated: 0, unchanged: 1 } }, 'what it leaves out stays');
    const members = `select u.username, g.name from understudy.user_groups m
      join understudy.users u on (u.sandbox_id, u.id) = (m.sandbox_id, m.user_id)
      join understudy.groups g on (g.sandbox_id, g.id) = (m.sandbox_id, m.group_id) where m.sandbox_id = ${id} order by u.id`;
    t.strictSame(await select(db, members), [
      { username: 'ADA', name: 'Team' },
      { username: 'bob', name: 'Everybody' },
      { username: 'carl', name: 'Everybody' },
    ]);
  });

  await suite.test('a seed may name what only the sandbox has', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, 'users: [{ username: jürgen }]\nprojects: [{ slug: demo }]\ngroups: [{ name: Team }]');
    await load(
      db,
      id,
      `users: [{ username: ada, groups: [Team] }]
components: [{ project: demo, slug: app }]
subscriptions: [{ user: JÜRGEN, notification: LockNotification, project: demo }]`,
    );
    t.match(await rowsOf(db, id, 'subscriptions'), [{ user_id: 1 }]);
    t.strictSame(
      await errorsOf(load(db, id, 'subscriptions: [{ user: x, notification: LockNotification, scope: 0 }]')),
      ['1 subscriptions[0].user names a user that is not there: x'],
    );
  });

  await suite.test('a value that another thing of the sandbox has is an error, and nothing is loaded', async (t) => {
    const id = await addSandbox(db);
    await load(
      db,
      id,
      `users: [{ id: 5, username: ada, email: ada@example.com, token: one }, { id: 6, username: bob }]
groups: [{ id: 1, name: Team }, { id: 2, name: Team }]
projects: [{ id: 3, slug: demo }]
components: [{ id: 4, project: demo, slug: app }]
subscriptions: [{ id: 7, user: ada, notification: LockNotification, scope: 0 }]`,
    );
    const before = await dump(db, id, { versions: true });
    const errors = await errorsOf(
      load(
        db,
        id,
        `users:
  - { id: 5, username: new }
  - { id: 9, username: bob, email: ADA@example.com, token: one }
groups: [{ name: Team, automatic: true }]
projects: [{ id: 3, slug: other }]
components: [{ id: 4, project: other, slug: app }]
subscriptions:
  - { id: 7, user: bob, notification: LockNotification, scope: 0 }
  - { id: 8, user: ada, notification: LockNotification, scope: 0 }`,
      ),
    );
    t.strictSame(errors.toSorted(), [
      '2 users[0].id belongs to ada in the sandbox',
      '3 users[1].email belongs to ada in the sandbox',
      "3 users[1].id is 6 in the sandbox, and ids don't change",
      '3 users[1].token belongs to ada in the sandbox',
      '4 groups[0].name is the name of several groups: 1, 2; give the id',
      '5 projects[0].id belongs to demo in the sandbox',
      '6 components[0].id belongs to demo/app in the sandbox',
      '8 subscriptions[0].id belongs to the subscription of ada to LockNotification in the sandbox',
      "9 subscriptions[1].id is 7 in the sandbox, and ids don't change",
    ]);
    t.strictSame(await dump(db, id, { versions: true }), before);
  });

  await suite.test('a name that two groups of the sandbox share is ambiguous', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, 'groups: [{ id: 1, name: Team }, { id: 2, name: Team }]');
    t.strictSame(await errorsOf(load(db, id, 'users: [{ username: ada, groups: [Team] }]')), [
      '1 users[0].groups[0] names several groups: Team; use the id',
    ]);
    await load(db, id, 'users: [{ username: ada, groups: [2] }]');
    t.strictSame(await rowsOf(db, id, 'user_groups', 'group_id'), [{ group_id: 2 }]);
  });

  for (const [what, before, text, groups] of [
    [
      'renames a group by its id, and has another of its former name',
      'groups: [{ id: 1, name: Old }]',
      'groups: [{ id: 1, name: New }, { name: Old }]',
      ['1 New', '2 Old'],
    ],
    [
      'has a group of a project and one of the same name without',
      'groups: [{ name: Team, defining_project: demo }]\nprojects: [{ slug: demo }]',
      'groups: [{ name: Team }, { name: Team, defining_project: demo }]',
      ['1 Team', '2 Team'],
    ],
    [
      'leaves out the project of the only group of its name',
      'groups: [{ name: Team, defining_project: demo }]\nprojects: [{ slug: demo }]',
      'groups: [{ name: Team, automatic: true }]',
      ['1 Team'],
    ],
  ] as const)
    await suite.test(`a seed that ${what}: the second time changes no row`, async (t) => {
      const id = await addSandbox(db);
      await load(db, id, before);
      await load(db, id, text);
      const once = await dump(db, id, { versions: true });
      await load(db, id, text);
      t.strictSame(await dump(db, id, { versions: true }), once);
      const named = await rowsOf(db, id, 'groups', "id || ' ' || name as is");
      t.strictSame(
        named.map((row) => row['is']),
        groups,
      );
    });

  await suite.test('an address that one user gives up may be another’s', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, 'users: [{ id: 5, username: ada, email: ada@example.com }]');
    await load(db, id, 'users: [{ username: ada, email: null }, { username: bob, email: ADA@example.com }]');
    t.match(await rowsOf(db, id, 'users', 'username, email'), [
      { username: 'ada', email: null },
      { username: 'bob', email: 'ADA@example.com' },
    ]);
  });

  await suite.test('a violated constraint that no check found is an error too', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, 'users: [{ username: a, email: a@example.com }, { username: b, email: b@example.com }]');
    const swap = 'users: [{ username: a, email: b@example.com }, { username: b, email: a@example.com }]';
    t.match(await errorsOf(load(db, id, swap)), [
      /does not fit the sandbox: .*users_sandbox_id_email_key_key.*already exists/,
    ]);
    t.strictSame(await errorsOf(load(db, id, swap, { mode: 'replace' })), []);
  });

  await suite.test('an unknown sandbox is an error', async (t) => {
    await t.rejects(load(db, 999_999, 'users: [{ username: a }]'), { message: 'there is no sandbox 999999' });
  });
});

await test('a load assigns ids and moves the counters on', async (suite) => {
  const { db } = await openMigrated(suite);
  const users = (id: number) => rowsOf(db, id, 'users', 'id, username');
  const counters = async (id: number) => (await rowsOf(db, id, 'counters', '*'))[0];

  await suite.test('ids count up in the order of the seed and skip fixed ids', async (t) => {
    const id = await addSandbox(db);
    const text = `users: [{ username: a }, { username: b, id: 2 }, { username: c }, { username: d, id: 1 }, { username: e }]
subscriptions:
  - { user: a, notification: LockNotification, scope: 20 }
  - { user: a, notification: LockNotification, scope: 10, id: 40 }
  - { user: a, notification: LockNotification, scope: 0 }
next_id: { users: 4, groups: 10, subscriptions: 100 }`;
    await load(db, id, text);
    t.strictSame(await users(id), [
      { id: 1, username: 'd' },
      { id: 2, username: 'b' },
      { id: 3, username: 'a' },
      { id: 4, username: 'c' },
      { id: 5, username: 'e' },
    ]);
    t.strictSame(await rowsOf(db, id, 'subscriptions', 'id, scope'), [
      { id: 1, scope: 20 },
      { id: 2, scope: 0 },
      { id: 40, scope: 10 },
    ]);
    t.match(await counters(id), { next_user_id: 6, next_group_id: 10, next_project_id: 1, next_subscription_id: 100 });
    await load(
      db,
      id,
      'users: [{ username: f }]\nsubscriptions: [{ user: f, notification: LockNotification, scope: 0 }]',
    );
    t.match((await users(id)).at(-1), { id: 6, username: 'f' });
    t.match(await counters(id), { next_user_id: 7, next_subscription_id: 101 });
  });

  await suite.test('replace leaves exactly the seed, with the same ids as in a new sandbox', async (t) => {
    const text = `users: [{ username: a, token: one, subscriptions: [{ notifications: all, scope: 10 }] }, { username: b }]
projects: [{ slug: demo }]
groups: [{ name: Team, automatic: true, projects: [demo] }]`;
    const [used, fresh] = [await addSandbox(db), await addSandbox(db)];
    await load(
      db,
      used,
      'users: [{ username: old, id: 50, token: x }]\nprojects: [{ slug: old }]\nnext_id: { groups: 99 }',
    );
    const summary = await load(db, used, text, { mode: 'replace' });
    await load(db, fresh, text);
    t.match(summary, {
      users: { created: 2, removed: 1 },
      projects: { created: 1, removed: 1 },
      groups: { removed: 2 },
    });
    t.strictSame(await dump(db, used), await dump(db, fresh));
    await load(db, used, text, { mode: 'replace' });
    t.strictSame(await dump(db, used), await dump(db, fresh), 'a repeated replace');
    const before = await dump(db, used, { versions: true });
    const again = await load(db, used, text, { mode: 'replace' });
    t.match(again, { users: { created: 0, unchanged: 2, removed: 0 }, subscriptions: { unchanged: 23, removed: 0 } });
    t.strictSame(await dump(db, used, { versions: true }), before, 'unchanged rows are not rewritten');
    t.strictSame(await errorsOf(load(db, used, `${text}\nx: 1`, { mode: 'replace' })), [
      '4 x is not a known key; known keys: users, groups, projects, components, subscriptions, next_id, now',
    ]);
  });

  await suite.test('a seed without groups creates the automatic ones; users without `groups` join them', async (t) => {
    const [without, none] = [await addSandbox(db), await addSandbox(db)];
    const text = 'users: [{ username: a }, { username: b, groups: [] }, { username: anonymous }]';
    await load(db, without, text);
    await load(db, none, `${text}\ngroups: []`);
    t.match(await select(db, `select * from understudy.groups where sandbox_id = ${without} order by id`), [
      { id: 2, name: 'Viewers', automatic: true, project_selection: 4, roles: [] },
      { id: 3, name: 'Users', automatic: true, project_selection: 3, roles: [6] },
    ]);
    t.strictSame(
      await select(
        db,
        `select user_id, array_agg(group_id order by group_id) as groups from understudy.user_groups
         where sandbox_id = ${without} group by user_id order by user_id`,
      ),
      [
        { user_id: 1, groups: [2, 3] },
        { user_id: 3, groups: [2, 3] },
      ],
    );
    t.match(await counters(without), { next_group_id: 4 });
    t.strictSame((await dump(db, none))['groups'], []);
    t.strictSame(
      await select(db, `select username from understudy.users where sandbox_id = ${without} and is_internal`),
      [{ username: 'anonymous' }],
    );
  });
});
