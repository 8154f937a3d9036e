// Sandboxes over HTTP: create, read and delete them; which one a request uses; what a reset and a restore return it to.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { test } from 'tap';
import { type Answered, faultsOf, type Service, startService } from '../support/service.ts';

interface Made {
  name: string;
  base_url: string;
  token: string;
  users: { username: string; is_superuser: boolean; token: string }[];
  seed: string;
  expires: string;
  expires_in_seconds: number;
}

const base = '/_understudy/sandboxes';
const made = (answered: Answered) => answered.json as Made;
const tokenOf = (sandbox: Made, username: string) => sandbox.users.find((user) => user.username === username)?.token;

const count = async (service: Service, path: string, token?: string) =>
  ((await service.request('GET', path, token === undefined ? {} : { token })).json as { count: number }).count;
const newEntry = { notification: 'NewStringNotificaton', scope: 10, frequency: 1 };

await test('sandboxes are made, listed, read, replaced and dropped', async (suite) => {
  const service = await startService(suite);
  const create = async (name: string, body: unknown = {}) =>
    made(await service.request('PUT', `${base}/${name}`, { json: body }));

  await suite.test('made as default began, with tokens that choose it', async (t) => {
    const answered = await service.request('PUT', `${base}/job-1`);
    t.equal(answered.status, 201);
    t.match(answered.headers, { 'content-type': 'application/json', 'x-understudy': /^\d/ });
    const sandbox = made(answered);
    t.match(sandbox, {
      name: 'job-1',
      base_url: `${service.url}/sandboxes/job-1`,
      seed: 'documented',
      expires_in_seconds: 86_400,
      token: /^wlu_sandbox_job-1_[0-9a-f]{32}$/,
    });
    t.strictSame(
      sandbox.users.map((user) => user.username),
      ['admin', 'alice', 'bob', 'carol', 'dave', 'erin', 'jürgen'],
    );
    t.equal(sandbox.token, tokenOf(sandbox, 'admin'), 'the one token is the superuser’s');

    const list = '/api/users/alice/notifications/';
    const chosen = await service.request('GET', list, { token: sandbox.token });
    t.match(chosen, { status: 200, json: { count: 10 } }, 'by the token alone');
    const byPath = await service.request('GET', `/sandboxes/job-1${list}`, { as: 'alice' });
    t.match(byPath, { status: 200, headers: { 'x-understudy-sandbox': 'job-1' } }, 'the seed’s tokens work inside');
    const created = await service.request('POST', `/sandboxes/job-1${list}`, { as: 'alice', json: newEntry });
    t.equal(created.status, 201);
    t.equal(await count(service, list, sandbox.token), 11);
    t.equal(await count(service, list), 10, 'default is as it was');
  });

  await suite.test('tokens are listed without their texts, and revoked, also those of default', async (t) => {
    const list = '/api/users/alice/notifications/';
    await service.request('PUT', '/_understudy/sandboxes/job-1', { json: {} });
    for (const name of ['default', 'job-1']) {
      const tokens = `/_understudy/sandboxes/${name}/tokens`;
      const { token } = (await service.request('POST', tokens, { json: { username: 'ALICE' } })).json as Made;
      const id = createHash('sha256').update(token).digest('hex').slice(0, 16);
      const { status, text, json } = await service.request('GET', tokens);
      t.equal(status, 200);
      t.notMatch(text, 'wlu_');
      const entries = json as { id: string; username: string; created: string }[];
      t.equal(entries.length, name === 'default' ? 1 : 8, 'those made with the sandbox, too');
      t.match(entries.at(-1), { id, username: 'alice', created: /^20\d\d-.*Z$/ });

      t.equal((await service.request('GET', list, { token })).status, 200);
      t.equal((await service.request('DELETE', `${tokens}/${id}`)).status, 204);
      t.equal((await service.request('GET', list, { token })).status, 401);
      await service.request('POST', `/_understudy/sandboxes/${name}/reset`);
      t.equal((await service.request('GET', list, { token })).status, 401, 'a reset brings it back');
      for (const unknown of [id, 'x', '0'.repeat(16)])
        t.match(await service.request('DELETE', `${tokens}/${unknown}`), {
          status: 404,
          json: { errors: [{ detail: `The sandbox has no token "${unknown}".` }] },
        });
    }
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', `/${'0'.repeat(16)}`],
    ] as const)
      t.match(await service.request(method, `/_understudy/sandboxes/nowhere/tokens${path}`), {
        status: 404,
        json: { errors: [{ detail: 'No sandbox is named "nowhere".' }] },
      });
  });

  await suite.test('ten thousand tokens are created for a sandbox at most', async (t) => {
    await service.request('PUT', '/_understudy/sandboxes/full', { json: {} });
    await sql`
      insert into understudy.sandbox_tokens (sandbox_id, hash, username_key)
      select s.id, sha256(n::text::bytea), 'alice'
      from understudy.sandboxes s,
        generate_series(1, 9999 - (select count(*) from understudy.sandbox_tokens where sandbox_id = s.id)) n
      where s.name = 'full'`.execute(service.database.load);
    const add = (username: string) =>
      service.request('POST', '/_understudy/sandboxes/full/tokens', { json: { username } });
    t.equal((await add('nobody')).status, 404);
    const { json } = await add('alice');
    t.match(json, { token: /^wlu_sandbox_full_/ });
    t.match(await add('alice'), { status: 409, json: { errors: [{ detail: /^At most 10000 tokens/ }] } });
    const id = createHash('sha256')
      .update((json as Made).token)
      .digest('hex')
      .slice(0, 16);
    await service.request('DELETE', `/_understudy/sandboxes/full/tokens/${id}`);
    t.equal((await add('alice')).status, 201);
    await service.request('DELETE', '/_understudy/sandboxes/full');
  });

  await suite.test('PUT of an existing name removes its rows, tokens and snapshots', async (t) => {
    const first = await create('again');
    await service.request('POST', '/api/users/alice/notifications/', { token: first.token, json: newEntry });
    await service.request('PUT', `${base}/again/snapshots/one`);
    const second = await create('again');
    t.not(first.token, second.token);
    t.equal((await service.request('GET', '/api/users/alice/notifications/', { token: first.token })).status, 401);
    t.equal(await count(service, '/api/users/alice/notifications/', second.token), 10);
    t.match((await service.request('GET', `${base}/again`)).json, { snapshots: [] });
    t.match(await service.request('PUT', `${base}/again?replace=false`), {
      status: 400,
      json: { errors: [{ attr: 'name', code: 'unique' }] },
    });
    t.equal(await count(service, '/api/users/alice/notifications/', second.token), 10, 'it stays');
    t.equal((await service.request('PUT', `${base}/first?replace=false`)).status, 201);
  });

  await suite.test('a name is picked', async (t) => {
    const sandbox = made(await service.request('POST', base, { json: { expires_in_seconds: 60 } }));
    t.match(sandbox, { name: /^sandbox-[0-9a-f]{10}$/, expires_in_seconds: 60 });
    t.equal((await service.request('DELETE', `${base}/${sandbox.name}`)).status, 204);
    t.equal((await service.request('GET', '/api/users/alice/notifications/', { token: sandbox.token })).status, 404);
  });

  await suite.test('from another sandbox: as it stands now, without its tokens', async (t) => {
    const source = await create('source');
    await service.request('POST', '/api/users/alice/notifications/', { token: source.token, json: newEntry });
    const copy = await create('copy', { from: 'source' });
    const list = '/api/users/alice/notifications/';
    t.equal(await count(service, list, copy.token), 11);
    t.equal((await service.request('GET', `/sandboxes/copy${list}`, { token: source.token })).status, 401);
    await service.request('DELETE', `${base}/source`);
    await service.request('POST', list, { token: copy.token, json: { ...newEntry, scope: 20 } });
    await service.request('POST', `${base}/copy/reset`);
    t.equal(await count(service, list, copy.token), 11, 'it resets to what it was made from');
  });

  await suite.test('a sandbox is made from an inline seed', async (t) => {
    const seed = { users: [{ username: 'zoe', token: 'zoes' }], projects: [{ slug: 'only' }] };
    const sandbox = await create('inline', { seed });
    t.match(sandbox, { users: [{ username: 'zoe', is_superuser: false }], token: tokenOf(sandbox, 'zoe') as string });
    t.equal(await count(service, '/sandboxes/inline/api/users/zoe/notifications/', 'zoes'), 0);
    const text = await create('text', { seed: 'users:\n  - username: zoe\n    token: zoes\n' });
    t.match(text, { users: [{ username: 'zoe' }] }, 'as text');
  });

  await suite.test('the faults of a seed inline stand where they are written', async (t) => {
    const put = async (type: string, body: string) => {
      const answered = await service.request('PUT', `${base}/faulty`, { headers: { 'content-type': type }, body });
      return (answered.json as { errors: { attr: string; detail: string }[] }).errors.at(-1);
    };
    const found = { attr: 'users[0].email', detail: /\(line 4, column 14\)$/ };
    t.match(await put('application/yaml', 'expires_in_seconds: 60\nseed:\n  users:\n    - email: x\n'), found);
    t.match(await put('application/json', '{"seed": {\n"users": [\n{\n    "email": "x"}]}}'), found);
    t.match(await put('application/json', JSON.stringify({ seed: '# one\n\nusers:\n  -   email: x\n' })), found);
  });

  await suite.test('a further token can be made', async (t) => {
    await create('token');
    const answered = await service.request('POST', `${base}/token/tokens`, { json: { username: 'ALICE' } });
    t.match(answered, { status: 201, json: { username: 'alice', token: /^wlu_sandbox_token_/ } });
    const { token } = answered.json as { token: string };
    t.equal(await count(service, '/api/users/alice/notifications/', token), 10);
    const nobody = await service.request('POST', `${base}/token/tokens`, { json: { username: 'nobody' } });
    t.equal(nobody.status, 404);
    t.equal((await service.request('POST', `${base}/token/tokens`, { json: {} })).status, 400);
  });

  await suite.test('all sandboxes are listed', async (t) => {
    const all = (await service.request('GET', base)).json as Made[];
    t.ok(all.length > 3);
    t.match(
      all.find(({ name }) => name === 'default'),
      { base_url: service.url, expires: null },
    );
  });

  await suite.test('refusals name everything that is wrong', async (t) => {
    const put = (path: string, json: unknown) => service.request('PUT', `${base}/${path}`, { json });
    const wrong = await put('x', { form: 'y', from: 1, seed: {}, expires_in_seconds: 'long' });
    t.equal(wrong.status, 400);
    t.strictSame(faultsOf(wrong), ['form unknown', 'from invalid', 'expires_in_seconds invalid', 'seed invalid']);
    t.strictSame(faultsOf(await put('x', { seed: { users: [{ username: '' }], x: 1 } })), [
      'users[0].username invalid_seed',
      'x invalid_seed',
    ]);
    for (const name of ['default', 'undefined', 'documented', 'Upper', '-x', 'a_b', 'x'.repeat(64)])
      t.strictSame([name, (await put(name, {})).status], [name, 400]);
    t.equal((await put('x', { from: 'nowhere' })).status, 404);
    t.strictSame(faultsOf(await put('x', { from: '\0' })), ['from invalid'], 'PostgreSQL takes no NUL');
    t.equal((await service.request('GET', `${base}/x`)).status, 404, 'nothing was made');
    for (const [method, path] of [
      ['DELETE', 'x'],
      ['POST', 'x/reset'],
      ['GET', 'x/seed'],
      ['PUT', 'x/snapshots/a'],
      ['POST', 'x/snapshots/a/restore'],
      ['POST', 'default/snapshots/%00/restore'],
      ['GET', '%00'],
    ] as const)
      t.match(await service.request(method, `${base}/${path}`), { status: 404, json: { type: 'client_error' } }, path);
    t.equal((await service.request('PATCH', `${base}/x`)).status, 405);
    const broken = { headers: { 'content-type': 'application/json' }, body: '{' };
    t.match(await service.request('POST', base, broken), { status: 400, text: /parse_error/ });
  });
});

await test('there are at most as many sandboxes as the maximum allows', async (t) => {
  const service = await startService(t);
  const { admin } = { admin: { access: { mode: 'on', token: undefined, allowedHosts: [], isLocal: true } } } as const;
  const small = await startService(t, {
    databaseUrl: service.databaseUrl,
    admin: { ...admin, maxSandboxes: 2, journalBytes: 0 },
  });
  t.equal((await small.request('PUT', `${base}/one`)).status, 201);
  t.match(await small.request('PUT', `${base}/two`), { status: 409, text: /UNDERSTUDY_MAX_SANDBOXES/ });
  t.equal((await small.request('PUT', `${base}/one`)).status, 201, 'replacing one takes no further place');

  const several = await startService(t, {
    databaseUrl: service.databaseUrl,
    admin: { ...admin, maxSandboxes: 5, journalBytes: 0 },
  });
  const names = Array.from({ length: 12 }, (_, n) => `together-${n}`);
  const answers = await Promise.all(names.map((name) => several.request('PUT', `${base}/${name}`)));
  const created = answers.filter(({ status }) => status === 201);
  t.same(
    [created.length, answers.filter(({ status }) => status === 409).length],
    [3, 9],
    'also where all come at once',
  );
});

// A reset returns a sandbox to the seed that it got last; a restore returns it to a snapshot.

await test('a sandbox goes back to its seed or to a snapshot', async (suite) => {
  const service = await startService(suite);
  const create = async (name: string) =>
    (await service.request('PUT', `${base}/${name}`)).json as {
      token: string;
      users: { username: string; token: string }[];
    };

  await suite.test('the default sandbox can be reset, but not deleted', async (t) => {
    await service.request('POST', '/api/users/dave/notifications/', { as: 'dave', json: newEntry });
    t.equal((await service.request('POST', `${base}/default/reset`)).status, 204);
    t.equal(await count(service, '/api/users/dave/notifications/'), 0);
    t.equal((await service.request('DELETE', `${base}/default`)).status, 409);
  });

  await suite.test('a restore returns to a snapshot; a new one replaces that of the same name', async (t) => {
    const { token } = await create('snap');
    const list = '/api/users/dave/notifications/';
    await service.request('POST', list, { token, json: newEntry });
    t.equal((await service.request('PUT', `${base}/snap/snapshots/one`)).status, 204);
    await service.request('POST', list, { token, json: { ...newEntry, scope: 20 } });
    t.equal((await service.request('PUT', `${base}/snap/snapshots/two`)).status, 204);
    t.match((await service.request('GET', `${base}/snap`)).json, { snapshots: ['one', 'two'] });
    t.equal((await service.request('POST', `${base}/snap/snapshots/one/restore`)).status, 204);
    t.equal(await count(service, list, token), 1);
    await service.request('PUT', `${base}/snap/snapshots/two`);
    await service.request('POST', `${base}/snap/reset`);
    t.equal(await count(service, list, token), 0);
    await service.request('POST', `${base}/snap/snapshots/two/restore`);
    t.equal(await count(service, list, token), 1, 'the later snapshot of that name');
    t.equal((await service.request('POST', `${base}/snap/snapshots/none/restore`)).status, 404);
    const listed = await service.request('GET', `${base}/snap/snapshots`);
    t.match(listed.json, [{ name: 'one', created: /Z$/, seed: 'documented' }, { name: 'two' }]);
    t.equal((await service.request('DELETE', `${base}/snap/snapshots/one`)).status, 204);
    t.match((await service.request('GET', `${base}/snap/snapshots`)).json, [{ name: 'two' }]);
    for (const gone of ['one', 'none', 'No%20way'])
      t.equal((await service.request('DELETE', `${base}/snap/snapshots/${gone}`)).status, 404);
    for (const method of ['GET', 'DELETE'])
      t.equal(
        (await service.request(method, `${base}/nowhere/snapshots${method === 'GET' ? '' : '/two'}`)).status,
        404,
      );
    t.equal((await service.request('GET', `/sandboxes/snap${list}`, { token })).status, 200);
    t.equal((await service.request('PUT', `${base}/snap/snapshots/No%20way`)).status, 400);
    t.equal((await service.request('DELETE', `${base}/snap`)).status, 204);
  });

  await suite.test('after PUT of a seed a reset returns to that seed; the sandbox’s tokens stay', async (t) => {
    const sandbox = await create('put');
    const yaml = 'users:\n  - { username: alice }\n  - { username: new }\n';
    const put = await service.request('PUT', `${base}/put/seed`, {
      headers: { 'content-type': 'application/yaml' },
      body: yaml,
    });
    t.match(put, { status: 200, json: { users: { created: 2 } } });
    const token = sandbox.users.find(({ username }) => username === 'alice')?.token as string;
    t.equal(await count(service, '/api/users/alice/notifications/', token), 0);
    await service.request('POST', '/api/users/alice/notifications/', { token, json: newEntry });
    t.equal((await service.request('POST', `${base}/put/reset`)).status, 204);
    t.equal(await count(service, '/api/users/alice/notifications/', token), 0);
    t.equal((await service.request('GET', '/api/users/alice/notifications/', { token: sandbox.token })).status, 401);
  });
});
