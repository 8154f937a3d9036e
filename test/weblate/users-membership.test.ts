// Adding a user to a group and removing it: access to private projects, lost subscriptions, and permissions.
import { sql } from 'kysely';
import { type Test, test } from 'tap';
import { type Ask, startService } from '../support/service.ts';

interface Errors {
  readonly errors: readonly { readonly code: string; readonly detail: string; readonly attr: string | null }[];
}
interface Page {
  readonly results: readonly { readonly id: number }[];
}

// Groups of the seed: 4 opens every project; 9 and 10 open `secret`; 1 opens no private project.
const [opensNothing, opensAll, opensSecret, opensSecretToo] = [1, 4, 9, 10] as const;
// Alice's subscriptions to `secret` and to one of its components.
const hidden = [115, 116];

const setUp = async (t: Test) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const change = (method: 'POST' | 'DELETE', group_id: number, user = 'alice') =>
    service.request(method, `/api/users/${user}/groups/`, { as: 'admin', json: { group_id } });
  const subscriptions = async (as: string) => {
    const { results } = (await service.request('GET', '/api/users/alice/notifications/', { as })).json as Page;
    return results.map(({ id }) => id).filter((id) => hidden.includes(id));
  };
  return { ...service, change, subscriptions };
};

await test('leaving the last group that opens a private project removes its subscriptions', async (t) => {
  const { change, subscriptions } = await setUp(t);
  t.same(await subscriptions('alice'), []);
  for (const group of [opensAll, opensSecret, opensSecretToo, opensNothing]) {
    t.equal((await change('POST', group)).status, 200);
    t.same(await subscriptions('alice'), hidden);
  }
  for (const group of [opensNothing, opensSecret, opensAll]) {
    t.equal((await change('DELETE', group)).status, 200);
    t.same(await subscriptions('alice'), hidden, 'another one opens it still');
  }
  t.equal((await change('DELETE', opensSecretToo)).status, 200);
  t.same(await subscriptions('admin'), [], 'for good');
});

await test('leaving any group removes the subscriptions that no group opens', async (t) => {
  const { change, subscriptions } = await setUp(t);
  t.equal((await change('DELETE', opensSecret)).status, 200);
  t.same(await subscriptions('admin'), hidden, 'a group that the user was never in');
  await change('POST', opensNothing);
  t.same(await subscriptions('admin'), hidden);
  await change('DELETE', opensNothing);
  t.same(await subscriptions('admin'), []);
});

await test('a superuser needs no group', async (t) => {
  const service = await setUp(t);
  const { change, subscriptions } = service;
  await service.request('PATCH', '/api/users/alice/', { as: 'admin', json: { is_superuser: true } });
  await change('POST', opensSecret);
  await change('DELETE', opensSecret);
  t.same(await subscriptions('alice'), hidden);
});

await test('leaving two groups at the same moment removes them too', async (t) => {
  const { change, subscriptions } = await setUp(t);
  await change('POST', opensSecret);
  await change('POST', opensSecretToo);
  await Promise.all([change('DELETE', opensSecret), change('DELETE', opensSecretToo)]);
  t.same(await subscriptions('admin'), []);
});

await test('concurrent additions of members are all kept', async (t) => {
  const { change, url } = await setUp(t);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => change('POST', i % 2 === 0 ? 5 : 6)));
  t.ok(answers.every(({ status }) => status === 200));
  const { groups } = (await change('POST', 5)).json as { groups: string[] };
  t.same(
    groups,
    [2, 3, 5, 6].map((id) => `${url}/api/groups/${id}/`),
  );
});

await test('permissions are checked before the body', async (t) => {
  const service = await setUp(t);
  const path = '/api/users/alice/groups/';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };
  const asked: readonly [string, string, Ask, number, string | undefined][] = [
    ['no token', path, { json: { group_id: 1 } }, 401, undefined],
    ['oneself', path, { as: 'alice', json: { group_id: 1 } }, 403, undefined],
    ['before the body', path, { as: 'alice', body: '{' }, 403, undefined],
    ['an internal user', '/api/users/anonymous/groups/', { as: 'admin', json: { group_id: 3 } }, 403, undefined],
    ['nobody of that name', '/api/users/al%00ice/groups/', { as: 'admin', json: { group_id: 3 } }, 404, undefined],
    ['no JSON', path, { as: 'admin', body: '{', headers: { 'content-type': 'application/json' } }, 400, undefined],
    ['another type', path, { as: 'admin', body: 'x', headers: { 'content-type': 'text/xml' } }, 415, undefined],
    ['nothing', path, { as: 'admin' }, 400, 'Missing group_id parameter'],
    ['null', path, { as: 'admin', json: { group_id: null } }, 400, 'Missing group_id parameter'],
    ['false', path, { as: 'admin', json: { group_id: false } }, 400, 'Group not found.'],
    ['infinite', path, { as: 'admin', body: '{"group_id":1e999}', headers: json }, 400, 'A valid integer is required.'],
    ['a list', path, { as: 'admin', json: { group_id: [1] } }, 400, 'A valid integer is required.'],
    ['no id', path, { as: 'admin', json: { group_id: 0 } }, 400, 'Group not found.'],
    ['too large', path, { as: 'admin', json: { group_id: '99999999999999999999' } }, 400, 'Group not found.'],
    [
      'a number with a point',
      path,
      { as: 'admin', body: 'group_id=1.0', headers: form },
      400,
      'A valid integer is required.',
    ],
    ['a fraction', path, { as: 'admin', json: { group_id: 1.5 } }, 200, undefined],
    ['a number with a sign', path, { as: 'admin', body: 'group_id=+1', headers: form }, 200, undefined],
  ];
  for (const method of ['POST', 'DELETE'])
    for (const [what, url, ask, status, detail] of asked) {
      const answered = await service.request(method, url, ask);
      t.equal(answered.status, status, `${method}: ${what}`);
      if (detail !== undefined) t.match((answered.json as Errors).errors, [{ code: String, detail, attr: 'group_id' }]);
    }
});

await test('what a group grants: user.view reads users in full, user.edit edits them', async (t) => {
  const service = await setUp(t);
  const { database } = service;
  const grant = (permissions: string) =>
    sql`update understudy.groups set permissions = ${permissions}::text[] where sandbox_id = 1 and id = 3`.execute(
      database.load,
    );
  const keys = async (path: string) => {
    const { json } = await service.request('GET', path, { as: 'bob' });
    const [first] = (json as { results?: object[] }).results ?? [json as object];
    return Object.keys(first ?? {}).length;
  };
  const count = async () =>
    ((await service.request('GET', '/api/users/', { as: 'bob' })).json as { count: number }).count;
  const statusOf = async (method: string, path: string, json: object) =>
    (await service.request(method, path, { as: 'bob', json })).status;

  await grant('{user.view}');
  t.same([await keys('/api/users/alice/'), await keys('/api/users/'), await count()], [16, 16, 9]);
  t.equal(await statusOf('PATCH', '/api/users/alice/', { full_name: 'X' }), 403);
  t.equal(await statusOf('POST', '/api/users/', {}), 403);
  t.equal(await statusOf('GET', '/api/users/alice/notifications/', {}), 403, 'subscriptions are no part of it');
  const own = await service.request('PATCH', '/api/users/bob/', { as: 'bob', json: { is_superuser: true } });
  t.equal(Object.keys(own.json as object).length, 5, 'oneself is still changed as oneself');
  t.equal(
    ((await service.request('GET', '/api/users/bob/', { as: 'admin' })).json as { is_superuser: boolean }).is_superuser,
    false,
  );
  const readOnly = async (field: string) => {
    const { json } = await service.request('OPTIONS', '/api/users/', { as: 'bob' });
    const { actions } = json as { actions: { POST: Record<string, { read_only: boolean }> } };
    return actions.POST[field]?.read_only;
  };
  t.same([await readOnly('profile'), await readOnly('full_name'), await readOnly('is_bot')], [true, false, true]);

  await grant('{user.edit}');
  t.same([await keys('/api/users/alice/'), await count()], [16, 9], 'who edits reads too');
  t.equal(await readOnly('is_bot'), false);
  const groups = (await service.request('GET', '/api/groups/', { as: 'bob' })).json as { count: number };
  t.equal(groups.count, 2, 'its own, for only superusers see all');
  const refused = await service.request('POST', '/api/projects/', { as: 'bob', json: { name: 'x' } });
  t.match(refused.json, { errors: [{ detail: 'Can not create projects' }] });
  t.equal(await statusOf('PATCH', '/api/users/alice/', { full_name: 'X' }), 200);
  t.equal(await statusOf('POST', '/api/users/alice/groups/', { group_id: 4 }), 200);
  t.equal(await statusOf('POST', '/api/users/', { username: 'new', full_name: 'New' }), 201);
  t.equal(await statusOf('DELETE', '/api/users/new/', {}), 204);

  await grant('{}');
  t.same([await keys('/api/users/alice/'), await count()], [3, 1]);
});

await test('a caller without permission waits for no lock', async (t) => {
  const service = await startService(t, { seed: 'transcripts' });
  const body = { json: { group_id: opensNothing } };
  let isReleased = false;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: noteLocked } = Promise.withResolvers<void>();
  const holder = service.database.load.transaction().execute(async (transaction) => {
    await sql`select from understudy.counters for update`.execute(transaction);
    noteLocked();
    await released;
    isReleased = true;
  });
  await locked;
  const timer = setTimeout(release, 1500);
  for (const [as, status] of [
    [undefined, 401],
    ['bob', 403],
  ] as const) {
    const answered = await service.request('DELETE', '/api/users/alice/groups/', { ...body, ...(as && { as }) });
    t.equal(answered.status, status);
    t.equal(isReleased, false, `${as ?? 'nobody'} is answered while the sandbox is locked`);
  }
  clearTimeout(timer);
  release();
  await holder;
});
