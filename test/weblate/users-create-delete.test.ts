// Creating and deleting users: answers, what is left behind, and concurrent requests.
import { sql } from 'kysely';
import { type Test, test } from 'tap';
import { faultsOf, type Service, startService } from '../support/service.ts';

type Body = Readonly<Record<string, unknown>>;

const person = (username: string, more: Body = {}) => ({
  full_name: 'New',
  username,
  email: `${username}@new.example`,
  ...more,
});

async function start(t: Test): Promise<Service> {
  return startService(t, { seed: 'transcripts', anonymous: 'strict' });
}

await test('a new user has the values sent, and defaults for the rest', async (t) => {
  const service = await start(t);
  const { status, headers, json } = await service.request('POST', '/api/users/?format=json', {
    as: 'admin',
    json: person('ünal', {
      email: null,
      is_active: 'Yes',
      is_bot: 'off',
      is_superuser: 1,
      date_expires: '2127-01-02T03:04+01:00',
    }),
  });
  t.equal(status, 201);
  t.equal(headers['location'], `${service.url}/api/users/%C3%BCnal/?format=json`);
  t.match(json, {
    id: 13,
    url: headers['location'],
    is_active: true,
    is_bot: false,
    is_superuser: true,
    date_expires: '2127-01-02T02:04:00Z',
    groups: [2, 3].map((id) => `${service.url}/api/groups/${id}/?format=json`),
  });
  t.equal(
    JSON.stringify((await service.request('GET', '/api/users/%C3%9CNAL/?format=json', { as: 'admin' })).json),
    JSON.stringify(json),
  );
  const withoutAddress = await service.request('POST', '/api/users/', {
    as: 'admin',
    json: { username: 'x', full_name: 'X', email: null },
  });
  t.match(withoutAddress.json, { id: 14, email: null });
  const second = await service.request('POST', '/api/users/', { as: 'admin', json: { username: 'y', full_name: 'Y' } });
  t.match(second.json, { id: 15, email: null }, 'any number of users have no address');
});

await test('the name of an internal bot is wrong, and taken', async (t) => {
  const service = await start(t);
  await sql`insert into understudy.users (sandbox_id, id, username, is_internal) values (1, 900, 'addon:squash', true)`.execute(
    service.database.load,
  );
  const create = (username: string) =>
    service.request('POST', '/api/users/', { as: 'admin', json: { full_name: 'New', username } });
  t.same(faultsOf(await create('Addon:Squash')), ['username invalid', 'username unique']);
  t.same(faultsOf(await create('addon:other')), ['username invalid']);
  t.same(faultsOf(await create('addon:\0')).length, 2, 'a NUL reaches no database');
});

await test('twenty equal POSTs at once create one user; the others get 400', async (t) => {
  const service = await start(t);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.request('POST', '/api/users/', { as: 'admin', json: person('same') })),
  );
  t.equal(answers.filter(({ status }) => status === 201).length, 1);
  const refused = answers.filter(({ status }) => status === 400);
  t.equal(refused.length, 19);
  t.ok(refused.every((answer) => faultsOf(answer).join() === 'email unique,username unique'));
  const next = await service.request('POST', '/api/users/', { as: 'admin', json: person('next') });
  t.match(next.json, { id: 14 }, 'the refused ones took no id');
  const { results } = (await service.request('GET', '/api/users/next/notifications/', { as: 'admin' })).json as {
    results: { id: number }[];
  };
  t.equal(results[0]?.id, 265, 'nor one for a subscription');
});

await test('a deleted user leaves no rows behind', async (t) => {
  const service = await start(t);
  const { database } = service;
  t.equal(
    (await service.request('PATCH', '/api/users/bob/', { as: 'admin', json: { is_superuser: true } })).status,
    200,
  );
  t.equal(
    (await service.request('POST', '/api/users/', { as: 'admin', json: person('deleted-7') })).status,
    201,
    'somebody has the name',
  );
  t.equal((await service.request('DELETE', '/api/users/bob/', { as: 'admin' })).status, 204);
  t.equal(
    (await service.request('GET', '/api/users/bob/notifications/', { as: 'bob' })).status,
    401,
    'the token is gone',
  );
  const { results } = (await service.request('GET', '/api/users/?id=7', { as: 'admin' })).json as { results: Body[] };
  t.match(results, [
    {
      full_name: 'Deleted User',
      is_active: false,
      is_superuser: true,
      groups: [],
      username: /^deleted-7-[0-9a-f]{10}$/,
      email: 'noreply+7@weblate.org',
    },
  ]);
  for (const table of ['tokens', 'user_groups', 'subscriptions'] as const) {
    const left = await database.load
      .selectFrom(`understudy.${table}`)
      .where('sandbox_id', '=', 1)
      .where('user_id', '=', 7)
      .selectAll()
      .execute();
    t.same(left, [], table);
  }
  const again = await service.request('POST', '/api/users/', {
    as: 'admin',
    json: person('bob', { email: 'bob@example.com' }),
  });
  t.equal(again.status, 201, 'name and address are free');
  const { username } = results[0] as { username: string };
  t.equal(
    (await service.request('DELETE', `/api/users/${username}/`, { as: 'admin' })).status,
    204,
    'it can be deleted again',
  );
});

await test('of ten simultaneous deletions of a user one succeeds', async (t) => {
  const service = await start(t);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => service.request('DELETE', '/api/users/bob/', { as: 'admin' })),
  );
  t.same(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [204, ...Array<number>(9).fill(404)],
  );
});

await test('with UNDERSTUDY_ANONYMOUS=write a request without a token creates and deletes', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'write' });
  t.match((await service.request('POST', '/api/users/', { json: person('new') })).json, { id: 13 });
  t.match((await service.request('PATCH', '/api/users/new/', { json: { is_active: false } })).json, {
    is_active: false,
  });
  t.equal((await service.request('DELETE', '/api/users/new/')).status, 204);
});
