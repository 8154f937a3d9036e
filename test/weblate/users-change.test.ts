// Users are created, changed and deleted, also at once. The recordings users/* have the rest.
import { sql } from 'kysely';
import { test, type Test } from 'tap';
import { select } from '../support/sandbox-database.ts';
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

await test('the location of a new user is its URL, in the format of the request', async (t) => {
  const service = await start(t);
  const json = person('ünal', { email: null });
  const { status, headers, text } = await service.request('POST', '/api/users/?format=json', { as: 'admin', json });
  t.equal(status, 201);
  t.equal(headers['location'], `${service.url}/api/users/%C3%BCnal/?format=json`);
  const read = await service.request('GET', '/api/users/%C3%9CNAL/?format=json', { as: 'admin' });
  t.equal(read.text, text);
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

await test('a deleted user leaves no rows behind, and gets another name where its own is taken', async (t) => {
  const service = await start(t);
  const [create, remove] = [
    (json: Body) => service.request('POST', '/api/users/', { as: 'admin', json }),
    (name: string) => service.request('DELETE', `/api/users/${name}/`, { as: 'admin' }),
  ];
  t.equal((await create(person('deleted-7'))).status, 201);
  t.equal((await remove('bob')).status, 204);
  const { results } = (await service.request('GET', '/api/users/?id=7', { as: 'admin' })).json as { results: Body[] };
  t.match(results, [{ full_name: 'Deleted User', username: /^deleted-7-[0-9a-f]{10}$/ }]);
  for (const table of ['tokens', 'user_groups', 'subscriptions']) {
    const left = await select(
      service.database.load,
      `select * from understudy.${table} where sandbox_id = 1 and user_id = 7`,
    );
    t.same(left, [], table);
  }
  t.equal((await remove(String(results[0]?.['username']))).status, 204, 'it can be deleted again');
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

await test('twenty renames to one name at once: one succeeds', async (t) => {
  const service = await start(t);
  const users = ['alice', 'bob', 'carol', 'many'];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      service.request('PATCH', `/api/users/${users[i % 4]}/`, { as: 'admin', json: { username: 'wanted' } }),
    ),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.ok(answers.every(({ status }) => [200, 400, 404].includes(status)));
});

await test('a form that leaves out booleans sets them to false', async (t) => {
  const service = await start(t);
  const urlencoded = 'application/x-www-form-urlencoded';
  const send = async (method: string, path: string, body: string, as = 'admin', type = urlencoded) => {
    const { status, headers, json } = await service.request(method, path, {
      as,
      body,
      headers: { 'content-type': type },
    });
    return [status, (json as Body)['is_active'], headers['x-understudy-hint']];
  };
  const hint = (names: string) => `The form left out ${names}, which means false. Send true, or use JSON.`;
  t.same(await send('POST', '/api/users/', 'username=f&full_name=F'), [
    201,
    false,
    hint('is_superuser, is_active, is_bot'),
  ]);
  t.same(await send('PUT', '/api/users/f/', 'username=f&full_name=F&is_active=on&is_bot='), [
    200,
    true,
    hint('is_superuser'),
  ]);
  t.same(await send('PATCH', '/api/users/f/', 'full_name=G'), [200, true, undefined]);
  t.same(await send('PUT', '/api/users/alice/', 'full_name=G', 'alice'), [200, undefined, undefined], 'of oneself');
  const changed = [200, false, hint('is_superuser, is_active, is_bot')];
  const parts = ['username', 'full_name'].map(
    (name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nf\r\n`,
  );
  const path = '/api/users/f/';
  t.same(await send('PUT', path, `${parts.join('')}--b--`, 'admin', 'multipart/*; boundary=b'), changed, 'a range');
  t.same(await send('PUT', path, 'username=f&full_name=F', 'admin', '*/x-www-form-urlencoded'), changed, 'a range');
});

await test('texts in lists of a body’s profile are checked, and how many there are', async (t) => {
  const service = await start(t);
  const change = async (profile: Body) => {
    const answered = await service.request('PATCH', '/api/users/alice/', { as: 'alice', json: { profile } });
    return faultsOf(answered);
  };
  t.same(await change({ watched: ['demo', 'a\0', '\ud800', null] }), [
    'profile.watched.1 null_characters_not_allowed',
    'profile.watched.2 surrogate_characters_not_allowed',
    'profile.watched.3 invalid',
  ]);
  t.same(await change({ languages: Array(1001).fill('de') }), ['profile.languages max_length']);
});

await test('invalid lists in a stored profile break no answer', async (t) => {
  const service = await start(t);
  const readLists = async (profile: Body) => {
    await service.database.load
      .updateTable('understudy.users')
      .set({ profile: JSON.stringify(profile) as never })
      .where('username', '=', 'alice')
      .execute();
    const { json } = await service.request('GET', '/api/users/alice/', { as: 'admin' });
    const { languages, watched } = (json as { profile: Body }).profile;
    const { json: statistics } = await service.request('GET', '/api/users/alice/statistics/', { as: 'admin' });
    return [languages, watched, (statistics as Body)['languages']];
  };
  const [german, demo] = [`${service.url}/api/languages/de/`, `${service.url}/api/projects/demo/`];
  t.same(await readLists({ languages: 'de', watched: 'demo' }), [[], [], 0], 'no lists');
  t.same(await readLists({ languages: ['de', 1, 'de'], watched: ['gone', 3, 'demo'] }), [[german], [demo], 1]);
});
