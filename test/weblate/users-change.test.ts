// Changing users: answers, who may change what, renames, forms, and concurrent requests.
import { type Test, test } from 'tap';
import { faultsOf, type Service, startService } from '../support/service.ts';

type Body = Readonly<Record<string, unknown>>;

async function start(t: Test): Promise<Service> {
  return startService(t, { seed: 'transcripts', anonymous: 'strict' });
}

await test('the caller’s rights decide what a change may change and returns', async (t) => {
  const service = await start(t);
  const self = await service.request('PATCH', '/api/users/alice/', {
    as: 'alice',
    json: { full_name: 'A', is_superuser: true, is_active: 'maybe', profile: { theme: 'dark' } },
  });
  t.same([self.status, Object.keys(self.json as Body)], [200, ['id', 'email', 'full_name', 'username', 'profile']]);
  const seen = await service.request('GET', '/api/users/alice/', { as: 'admin' });
  t.match(seen.json, { full_name: 'A', is_superuser: false, is_active: true, profile: { theme: 'dark' } });
  t.same(
    faultsOf(
      await service.request('PATCH', '/api/users/alice/', { as: 'alice', json: { full_name: '', is_active: 'x' } }),
    ),
    ['full_name blank'],
  );
  t.same(faultsOf(await service.request('PUT', '/api/users/alice/', { as: 'alice', json: {} })), [
    'full_name required',
  ]);
  t.equal(
    (await service.request('PATCH', '/api/users/alice/', { as: 'alice', json: {} })).status,
    200,
    'nothing to change',
  );
  for (const [method, path] of [
    ['PATCH', '/api/users/bob/'],
    ['PUT', '/api/users/bob/'],
    ['DELETE', '/api/users/bob/'],
    ['DELETE', '/api/users/alice/'],
    ['POST', '/api/users/'],
    ['PATCH', '/api/users/anonymous/'],
  ] as const)
    t.equal(
      (await service.request(method, path, { as: 'alice', body: '{' })).status,
      403,
      `${method} ${path}: before the body`,
    );
  for (const [method, path, status] of [
    ['PATCH', '/api/users/nobody/', 404],
    ['DELETE', '/api/users/nobody/', 404],
    ['PUT', '/api/users/anonymous/', 403],
    ['DELETE', '/api/users/anonymous/', 403],
    ['PATCH', '/api/users/al%00ice/', 404],
  ] as const)
    t.equal((await service.request(method, path, { as: 'admin', json: {} })).status, status, `${method} ${path}`);
});

await test('a rename changes the path at once', async (t) => {
  const service = await start(t);
  t.equal(
    (await service.request('PATCH', '/api/users/bob/', { as: 'admin', json: { username: 'BOB' } })).status,
    200,
    'its own name in capitals',
  );
  t.match((await service.request('PATCH', '/api/users/bob/', { as: 'bob', json: { username: 'robert' } })).json, {
    username: 'BOB',
  });
  t.match((await service.request('PATCH', '/api/users/bob/', { as: 'admin', json: { username: 'robert' } })).json, {
    username: 'robert',
  });
  t.equal((await service.request('GET', '/api/users/bob/', { as: 'admin' })).status, 404);
  t.equal(
    (await service.request('GET', '/api/users/robert/notifications/', { as: 'bob' })).status,
    200,
    'the token stays',
  );
  t.equal(
    (await service.request('POST', '/api/users/', { as: 'admin', json: { full_name: 'New', username: 'bob' } })).status,
    201,
    'the name is free',
  );
  t.same(faultsOf(await service.request('PATCH', '/api/users/robert/', { as: 'admin', json: { username: 'Bob' } })), [
    'username unique',
  ]);
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
  const hint = (names: string) => `The form left out ${names}, so the value is false. Send it, or use JSON.`;
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

await test('lists in a body’s profile are checked, and answered as links', async (t) => {
  const service = await start(t);
  const change = async (profile: Body) => {
    const answered = await service.request('PATCH', '/api/users/alice/', { as: 'alice', json: { profile } });
    return answered.status === 200 ? (answered.json as { profile: Body }).profile['watched'] : faultsOf(answered);
  };
  const demo = `${service.url}/api/projects/demo/`;
  t.same(await change({ watched: ['nope', 'secret', 'demo', 'demo'] }), [demo], 'those that the caller may see');
  t.same(await change({ watched: 'demo' }), ['profile.watched not_a_list']);
  t.same(await change({ watched: ['demo', 'a\0', '\ud800', null] }), [
    'profile.watched.1 null_characters_not_allowed',
    'profile.watched.2 surrogate_characters_not_allowed',
    'profile.watched.3 invalid',
  ]);
  t.same(await change({ languages: Array(1001).fill('de') }), ['profile.languages max_length']);
  t.same(await change({ watched: null }), []);
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
