// Seeds and exports over HTTP: what one sandbox sends or reads slowly holds up no other.
import { once } from 'node:events';
import { request as open } from 'node:http';
import { test } from 'tap';
import { startService } from '../support/service.ts';

const many = (n: number, line: (i: number) => string) => Array.from({ length: n }, (_, i) => line(i)).join('');

await test('seeds and exports over HTTP', async (suite) => {
  const service = await startService(suite);
  const { url } = service;
  const seedOf = (name: string) => `/_understudy/sandboxes/${name}/seed`;
  const make = (name: string, json: object) => service.request('PUT', `/_understudy/sandboxes/${name}`, { json });
  const putText = (name: string, text: string) =>
    service.request('PUT', seedOf(name), { body: text, headers: { 'content-type': 'application/yaml' } });
  for (const name of ['one', 'two']) await make(name, { from: 'documented' });

  await suite.test('twelve exports of a small sandbox at once', async (t) => {
    const exports = await Promise.all(
      many(12, () => '.')
        .split('')
        .map(() => service.request('GET', seedOf('one'))),
    );
    t.strictSame(
      exports.map(({ status }) => status),
      Array(12).fill(200),
    );
    const pages = await Promise.all(
      many(8, () => '.')
        .split('')
        .map(() => service.request('GET', '/_understudy/console/one/seed/')),
    );
    t.strictSame(
      pages.map(({ status }) => status),
      Array(8).fill(200),
    );
  });

  await suite.test('uploads whose clients hang up hold up nobody, and change nothing', async (t) => {
    const before = await service.request('GET', seedOf('one'));
    // Minutes of work in all.
    const text = `users:\n${many(12_000, (i) => `- username: user${i}\n  full_name: { ${'a: [b, c], '.repeat(5)} }\n`)}`;
    const sent = Array.from({ length: 4 }, () => {
      const upload = open(`${url}${seedOf('one')}`, {
        method: 'PUT',
        agent: false,
        headers: { 'content-type': 'application/yaml', 'content-length': Buffer.byteLength(text) },
      });
      upload.on('error', () => undefined).end(text);
      return upload;
    });
    await Promise.all(sent.map((upload) => once(upload, 'finish')));
    const other = putText('two', `users:\n${many(600, (i) => `- username: user${i}\n`)}`);
    t.equal((await other).status, 200, 'beside them');
    for (const upload of sent) upload.destroy();
    t.equal((await service.request('GET', '/api/users/')).status, 200);
    t.equal((await service.request('GET', seedOf('one'))).text, before.text);
    t.equal(
      (await putText('one', `users:\n${many(600, (i) => `- username: user${i}\n`)}`)).status,
      200,
      'in its own turn',
    );
  });

  await suite.test('errors of a seed that is an object have paths alone', async (t) => {
    const wrong = await make('three', { seed: { users: [{ usernme: 'ada' }] } });
    t.match(wrong, {
      status: 400,
      json: { errors: [{ attr: 'users[0].username', detail: 'is missing' }, { attr: 'users[0].usernme' }] },
    });
    t.notMatch(wrong.text, /line 1/);
    t.match((await make('three', { seed: 'users:\n- usernme: ada' })).text, /\(line 2, column 3\)/);
    t.match((await make('three', { from: 'documentd' })).json, {
      errors: [{ detail: 'No shipped seed or sandbox is named "documentd"; did you mean documented?' }],
    });
  });

  await suite.test('ids of seeds leave room for what is created later', async (t) => {
    const withId = (id: number) => make('ids', { seed: { users: [{ username: 'ada', is_superuser: true, id }] } });
    t.match(await withId(2_147_483_646), { status: 400, json: { errors: [{ attr: 'users[0].id' }] } });
    const made = await withId(2_000_000_000);
    t.equal(made.status, 201);
    const { token } = made.json as { token: string };
    const created = await service.request('POST', '/sandboxes/ids/api/users/', {
      headers: { authorization: `Token ${token}` },
      json: { username: 'bob', full_name: 'Bob', email: 'bob@example.org' },
    });
    t.match(created, { status: 201, json: { id: 2_000_000_001 } });
  });
});
