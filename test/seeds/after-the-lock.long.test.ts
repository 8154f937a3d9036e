// Two writers of one sandbox in a known order: the second sees what the first has done, though its statement began before.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Test, test } from 'tap';
import { type Answered, createSeededDatabase, type Service, startService } from '../support/service.ts';

const list = '/api/users/dave/notifications/';
const sandbox = '/_understudy/sandboxes/default';
const entry = { notification: 'LockNotification', scope: 0, frequency: 1 };

type Send = (service: Service) => Promise<Answered>;

const createEntry: Send = (service) => service.request('POST', list, { as: 'admin', json: entry });
const deleteUser: Send = (service) => service.request('DELETE', '/api/users/dave/', { as: 'admin' });
const renameUser: Send = (service) =>
  service.request('PATCH', '/api/users/dave/', { as: 'admin', json: { username: 'david' } });
const createUser: Send = (service) =>
  service.request('POST', '/api/users/', { as: 'admin', json: { username: 'new', full_name: 'New' } });
const reset: Send = (service) => service.request('POST', `${sandbox}/reset`);
const joinGroup: Send = (service) =>
  service.request('POST', '/api/users/dave/groups/', { as: 'admin', json: { group_id: 2 } });

async function open(t: Test) {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  // Each has connections of its own: on one they would not wait together.
  const services = [await startService(t, { databaseUrl }), await startService(t, { databaseUrl })] as const;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  t.teardown(() => client.end());

  const rows = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;

  async function waitForWaiters(count: number): Promise<void> {
    for (let looks = 0; looks < 1000; looks++) {
      // Within a transaction the view shows what it showed first.
      await rows('select pg_stat_clear_snapshot()');
      const waiting = await rows(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (waiting.length === count) return;
      await sleep(5);
    }
    throw new Error(`there are not ${count} who wait`);
  }

  /** Both wait for the sandbox, then it is set free. */
  async function inOrder(first: Send, second: Send): Promise<{ first: Answered; second: Answered }> {
    await rows('begin');
    await rows('select from understudy.counters where sandbox_id = 1 for update');
    const one = first(services[0]);
    await waitForWaiters(1);
    const other = second(services[1]);
    await waitForWaiters(2);
    await rows('commit');
    return { first: await one, second: await other };
  }

  return { service: services[0], inOrder, rows, waitForWaiters };
}

const belongings = `select x.user_id from understudy.subscriptions x join understudy.users u using (sandbox_id)
  where u.id = x.user_id and u.username like 'deleted-%'
  union all select m.user_id from understudy.user_groups m join understudy.users u using (sandbox_id)
  where u.id = m.user_id and u.username like 'deleted-%'`;

await test('a deleted user leaves nothing that came while the deletion waited', async (t) => {
  for (const before of [createEntry, joinGroup]) {
    const { inOrder, rows } = await open(t);
    const { first, second } = await inOrder(before, deleteUser);
    t.ok(first.status < 300, `${first.status}`);
    t.equal(second.status, 204);
    t.same(await rows(belongings), []);
  }
});

await test('a deleted or renamed user gets nothing from a request that waited', async (t) => {
  for (const gone of [deleteUser, renameUser])
    for (const after of [createEntry, joinGroup]) {
      const { inOrder, rows } = await open(t);
      const before = await rows(`select count(*)::int as n from understudy.subscriptions where sandbox_id = 1`);
      const { first, second } = await inOrder(gone, after);
      t.ok(first.status < 300, `${first.status}`);
      t.equal(second.status, 404);
      t.same(await rows(belongings), []);
      t.same(await rows(`select count(*)::int as n from understudy.subscriptions where sandbox_id = 1`), before);
    }
});

await test('a user made after a new seed joins the seed’s groups', async (t) => {
  const { inOrder, rows } = await open(t);
  const seed = {
    users: [{ username: 'admin', is_superuser: true, token: 'wlu_admin' }],
    groups: [{ id: 77, name: 'Everybody', automatic: true }],
  };
  const load: Send = (service) => service.request('PUT', `${sandbox}/seed`, { json: seed });
  const { first, second } = await inOrder(load, createUser);
  t.equal(first.status, 200);
  t.equal(second.status, 201);
  t.match(second.json, { groups: [/\/groups\/77\/$/] });
  t.same(
    await rows(`select group_id from understudy.user_groups m join understudy.users u using (sandbox_id)
    where sandbox_id = 1 and u.id = m.user_id and u.username = 'new'`),
    [{ group_id: 77 }],
  );
});

await test('a change and a deletion that waited for a reset do what they report, or nothing', async (t) => {
  const { service, inOrder, rows } = await open(t);
  const own = '/api/users/erin/notifications/';
  const initial = (await service.request('GET', own)).text;
  const { results } = JSON.parse(initial) as { results: { id: number; notification: string; scope: number }[] };
  const one = results[0];
  const two = results.find(({ notification, scope }) => notification !== one?.notification && scope === one?.scope);
  const path = `${own}${one?.id}/`;
  const change =
    (id: number | undefined, json: object): Send =>
    (sent) =>
      sent.request('PATCH', `${own}${id}/`, { as: 'erin', json });

  // As the seed has it: the reset leaves the row alone.
  const untouched = await inOrder(reset, change(one?.id, { frequency: 4 }));
  t.same([untouched.first.status, untouched.second.status], [204, 200]);
  t.match(untouched.second.json, { frequency: 4 });
  // Not the seed's: the reset changes the row, or deletes it and makes it again, and the waiting statement finds it.
  await reset(service);
  for (const different of [
    `update understudy.users set full_name = 'x' where sandbox_id = 1`,
    `update understudy.users set email = 'x@example.com' where sandbox_id = 1 and username = 'erin'`,
    `update understudy.subscriptions set frequency = 3 where sandbox_id = 1`,
    `update understudy.subscriptions set notification = 'X' || notification where sandbox_id = 1`,
  ])
    for (const write of [
      createEntry,
      joinGroup,
      change(one?.id, { frequency: 4 }),
      (sent: Service) => sent.request('DELETE', path, { as: 'erin' }),
      (sent: Service) => sent.request('PATCH', '/api/users/erin/', { as: 'erin', json: { full_name: 'Erin' } }),
    ]) {
      await rows(different);
      const { second } = await inOrder(reset, write);
      t.ok(second.status < 300, `${second.status} ${second.text} beside the reset of: ${different}`);
      await reset(service);
      t.equal((await service.request('GET', own)).text, initial);
    }

  // A name that is free until the reset.
  await service.request('DELETE', `${own}${two?.id}/`, { as: 'erin' });
  const taken = await inOrder(reset, change(one?.id, { notification: two?.notification }));
  t.same([taken.first.status, taken.second.status], [204, 400]);
  t.equal((await service.request('GET', own)).text, initial);
});

await test('a request that waited for a dropped sandbox is answered 404', async (t) => {
  const { service, rows, waitForWaiters } = await open(t);
  const client = { as: 'admin', headers: { 'x-understudy-sandbox': 'gone' } };
  const sends: Record<string, Send> = {
    seed: (sent) => sent.request('PUT', '/_understudy/sandboxes/gone/seed', { json: { users: [] } }),
    token: (sent) => sent.request('POST', '/_understudy/sandboxes/gone/tokens', { json: { username: 'dave' } }),
    reset: (sent) => sent.request('POST', '/_understudy/sandboxes/gone/reset'),
    snapshot: (sent) => sent.request('PUT', '/_understudy/sandboxes/gone/snapshots/s'),
    entry: (sent) => sent.request('POST', list, { ...client, json: entry }),
    user: (sent) => sent.request('POST', '/api/users/', { ...client, json: { username: 'new', full_name: 'New' } }),
  };
  for (const [name, send] of Object.entries(sends)) {
    await service.request('PUT', '/_understudy/sandboxes/gone', { json: {} });
    const [row] = await rows(`select id from understudy.sandboxes where name = 'gone'`);
    await rows('begin');
    await rows(`select understudy.drop_sandbox(${Number(row?.['id'])})`);
    const waiting = send(service);
    await waitForWaiters(1);
    await rows('commit');
    const { status, json } = await waiting;
    t.equal(status, 404, name);
    if (!['entry', 'user'].includes(name)) t.match(json, { errors: [{ detail: 'No sandbox is named "gone".' }] }, name);
  }
});
