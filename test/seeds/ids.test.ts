// The ids that a load assigns, and the counters after the load.
import { createHash } from 'node:crypto';
import { test } from 'tap';
import { addSandbox, dump, errorsOf, load, openMigrated, select } from '../support/sandbox-database.ts';

await test('a load assigns ids and moves the counters on', async (suite) => {
  const { db } = await openMigrated(suite);
  const users = (id: number) =>
    select(db, `select id, username from understudy.users where sandbox_id = ${id} order by id`);
  const counters = async (id: number) =>
    (await select(db, `select * from understudy.counters where sandbox_id = ${id}`))[0];

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
    t.strictSame(
      await select(db, `select id, scope from understudy.subscriptions where sandbox_id = ${id} order by id`),
      [
        { id: 1, scope: 20 },
        { id: 2, scope: 0 },
        { id: 40, scope: 10 },
      ],
    );
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

  await suite.test('only the SHA-256 of a token is stored; dates keep microseconds', async (t) => {
    const id = await addSandbox(db);
    await load(
      db,
      id,
      'users: [{ username: a, token: wlu_x, date_joined: 2026-11-21T04:39:58.871372Z }, { username: b }]',
    );
    const hash = createHash('sha256').update('wlu_x').digest('hex');
    t.strictSame(
      await select(db, `select encode(hash, 'hex') as hash, user_id from understudy.tokens where sandbox_id = ${id}`),
      [{ hash, user_id: 1 }],
    );
    t.notMatch(JSON.stringify(await dump(db, id)), 'wlu_x');
    t.strictSame(
      await select(
        db,
        `select (date_joined at time zone 'utc')::text as at from understudy.users where sandbox_id = ${id} order by id`,
      ),
      [{ at: '2026-11-21 04:39:58.871372' }, { at: '2026-01-01 00:00:00' }],
    );
  });
});
