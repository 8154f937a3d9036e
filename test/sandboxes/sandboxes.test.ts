// Sandboxes over HTTP.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Test, test } from 'tap';
import { type Answered, faultsOf, startService } from '../support/service.ts';

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
const list = '/api/users/alice/notifications/';
const daves = '/api/users/dave/notifications/';
const made = (answered: Answered) => answered.json as Made;
const tokenOf = (sandbox: Made, username: string) => sandbox.users.find((user) => user.username === username)?.token;
const newEntry = { notification: 'NewStringNotificaton', scope: 10, frequency: 1 };

async function open(t: Test) {
  const service = await startService(t);
  const own = (method: string, path: string, json?: unknown) =>
    service.request(method, `${base}/${path}`, json === undefined ? {} : { json });
  const create = async (name: string, body: unknown = {}) => made(await own('PUT', name, body));
  const read = (token?: string, path = list) => service.request('GET', path, token === undefined ? {} : { token });
  const statusOf = async (token: string) => (await read(token)).status;
  const count = async (token?: string, path?: string) => ((await read(token, path)).json as { count: number }).count;
  const add = (token: string, more = {}, path = list) =>
    service.request('POST', path, { token, json: { ...newEntry, ...more } });
  return { service, own, create, statusOf, count, add };
}

await test('sandboxes are made, listed, read, replaced and dropped', async (suite) => {
  const { service, own, create, statusOf, count, add } = await open(suite);

  await suite.test('made as default began, with tokens that choose it', async (t) => {
    const answered = await own('PUT', 'job-1');
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

    const chosen = await service.request('GET', list, { token: sandbox.token });
    t.match(chosen, { status: 200, json: { count: 10 } }, 'by the token alone');
    const byPath = await service.request('GET', `/sandboxes/job-1${list}`, { as: 'alice' });
    t.match(byPath, { status: 200, headers: { 'x-understudy-sandbox': 'job-1' } }, 'the seed’s tokens work inside');
    const created = await service.request('POST', `/sandboxes/job-1${list}`, { as: 'alice', json: newEntry });
    t.equal(created.status, 201);
    t.equal(await count(sandbox.token), 11);
    t.equal(await count(), 10, 'default is as it was');
  });

  await suite.test('tokens are listed without their texts, and revoked, also those of default', async (t) => {
    await own('PUT', 'job-1', {});
    for (const name of ['default', 'job-1']) {
      const tokens = `${name}/tokens`;
      const { token } = made(await own('POST', tokens, { username: 'ALICE' }));
      const id = createHash('sha256').update(token).digest('hex').slice(0, 16);
      const { status, text, json } = await own('GET', tokens);
      t.equal(status, 200);
      t.notMatch(text, 'wlu_');
      const entries = json as { id: string; username: string; created: string }[];
      t.equal(entries.length, name === 'default' ? 1 : 8, 'those made with the sandbox, too');
      t.match(entries.at(-1), { id, username: 'alice', created: /^20\d\d-.*Z$/ });

      t.equal(await statusOf(token), 200);
      t.equal((await own('DELETE', `${tokens}/${id}`)).status, 204);
      t.equal(await statusOf(token), 401);
      await own('POST', `${name}/reset`);
      t.equal(await statusOf(token), 401, 'a reset brings it back');
      for (const unknown of [id, 'x', '0'.repeat(16)])
        t.match(await own('DELETE', `${tokens}/${unknown}`), {
          status: 404,
          json: { errors: [{ detail: `The sandbox has no token "${unknown}".` }] },
        });
    }
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', `/${'0'.repeat(16)}`],
    ] as const)
      t.match(await own(method, `nowhere/tokens${path}`), {
        status: 404,
        json: { errors: [{ detail: 'No sandbox is named "nowhere".' }] },
      });
  });

  await suite.test('ten thousand tokens are created for a sandbox at most', async (t) => {
    await own('PUT', 'full', {});
    await sql`
      insert into understudy.sandbox_tokens (sandbox_id, hash, username_key)
      select s.id, sha256(n::text::bytea), 'alice'
      from understudy.sandboxes s,
        generate_series(1, 9999 - (select count(*) from understudy.sandbox_tokens where sandbox_id = s.id)) n
      where s.name = 'full'`.execute(service.database.load);
    const addToken = (username: string) => own('POST', 'full/tokens', { username });
    t.equal((await addToken('nobody')).status, 404);
    const { json } = await addToken('alice');
    t.match(json, { token: /^wlu_sandbox_full_/ });
    t.match(await addToken('alice'), { status: 409, json: { errors: [{ detail: /^At most 10000 tokens/ }] } });
    const id = createHash('sha256')
      .update((json as Made).token)
      .digest('hex')
      .slice(0, 16);
    await own('DELETE', `full/tokens/${id}`);
    t.equal((await addToken('alice')).status, 201);
    await own('DELETE', 'full');
  });

  await suite.test('PUT of an existing name removes its rows, tokens and snapshots', async (t) => {
    const first = await create('again');
    await add(first.token);
    await own('PUT', 'again/snapshots/one');
    const second = await create('again');
    t.not(first.token, second.token);
    t.equal(await statusOf(first.token), 401);
    t.equal(await count(second.token), 10);
    t.match((await own('GET', 'again')).json, { snapshots: [] });
    t.match(await own('PUT', 'again?replace=false'), {
      status: 400,
      json: { errors: [{ attr: 'name', code: 'unique' }] },
    });
    t.equal(await count(second.token), 10, 'it stays');
    t.equal((await own('PUT', 'first?replace=false')).status, 201);
  });

  await suite.test('a name is picked', async (t) => {
    const sandbox = made(await service.request('POST', base, { json: { expires_in_seconds: 60 } }));
    t.match(sandbox, { name: /^sandbox-[0-9a-f]{10}$/, expires_in_seconds: 60 });
    t.equal((await own('DELETE', sandbox.name)).status, 204);
    t.equal(await statusOf(sandbox.token), 404);
  });

  await suite.test('from another sandbox: as it stands now, without its tokens', async (t) => {
    const source = await create('source');
    await add(source.token);
    const copy = await create('copy', { from: 'source' });
    t.equal(await count(copy.token), 11);
    t.equal((await service.request('GET', `/sandboxes/copy${list}`, { token: source.token })).status, 401);
    await own('DELETE', 'source');
    await add(copy.token, { scope: 20 });
    await own('POST', 'copy/reset');
    t.equal(await count(copy.token), 11, 'it resets to what it was made from');
  });

  await suite.test('a sandbox is made from an inline seed', async (t) => {
    const seed = { users: [{ username: 'zoe', token: 'zoes' }], projects: [{ slug: 'only' }] };
    const sandbox = await create('inline', { seed });
    t.match(sandbox, { users: [{ username: 'zoe', is_superuser: false }], token: tokenOf(sandbox, 'zoe') as string });
    t.equal(await count('zoes', '/sandboxes/inline/api/users/zoe/notifications/'), 0);
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

  await suite.test('all sandboxes are listed', async (t) => {
    const all = (await service.request('GET', base)).json as Made[];
    t.ok(all.length > 3);
    t.match(
      all.find(({ name }) => name === 'default'),
      { base_url: service.url, expires: null },
    );
  });

  await suite.test('refusals name everything that is wrong', async (t) => {
    const put = (path: string, json: unknown) => own('PUT', path, json);
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
    t.equal((await own('GET', 'x')).status, 404, 'nothing was made');
    for (const [method, path] of [
      ['DELETE', 'x'],
      ['POST', 'x/reset'],
      ['GET', 'x/seed'],
      ['PUT', 'x/snapshots/a'],
      ['POST', 'x/snapshots/a/restore'],
      ['POST', 'default/snapshots/%00/restore'],
      ['GET', '%00'],
    ] as const)
      t.match(await own(method, path), { status: 404, json: { type: 'client_error' } }, path);
    t.equal((await own('PATCH', 'x')).status, 405);
    const broken = { headers: { 'content-type': 'application/json' }, body: '{' };
    t.match(await service.request('POST', base, broken), { status: 400, text: /parse_error/ });
  });
});

await test('there are at most as many sandboxes as the maximum allows', async (t) => {
  const service = await startService(t);
  const access = { mode: 'on', token: undefined, allowedHosts: [], isLocal: true } as const;
  const start = (maxSandboxes: number) =>
    startService(t, { databaseUrl: service.databaseUrl, admin: { access, maxSandboxes, journalBytes: 0 } });
  const small = await start(2);
  t.equal((await small.request('PUT', `${base}/one`)).status, 201);
  t.match(await small.request('PUT', `${base}/two`), { status: 409, text: /UNDERSTUDY_MAX_SANDBOXES/ });
  t.equal((await small.request('PUT', `${base}/one`)).status, 201, 'replacing one takes no further place');

  const several = await start(5);
  const names = Array.from({ length: 12 }, (_, n) => `together-${n}`);
  const answers = await Promise.all(names.map((name) => several.request('PUT', `${base}/${name}`)));
  const created = answers.filter(({ status }) => status === 201);
  t.same(
    [created.length, answers.filter(({ status }) => status === 409).length],
    [3, 9],
    'also where all come at once',
  );
});

await test('a sandbox goes back to its seed or to a snapshot', async (suite) => {
  const { service, own, create, statusOf, count, add } = await open(suite);

  await suite.test('the default sandbox can be reset, but not deleted', async (t) => {
    await service.request('POST', daves, { as: 'dave', json: newEntry });
    t.equal((await own('POST', 'default/reset')).status, 204);
    t.equal(await count(undefined, daves), 0);
    t.equal((await own('DELETE', 'default')).status, 409);
  });

  await suite.test('a restore returns to a snapshot; a new one replaces that of the same name', async (t) => {
    const { token } = await create('snap');
    await add(token, {}, daves);
    t.equal((await own('PUT', 'snap/snapshots/one')).status, 204);
    await add(token, { scope: 20 }, daves);
    t.equal((await own('PUT', 'snap/snapshots/two')).status, 204);
    t.match((await own('GET', 'snap')).json, { snapshots: ['one', 'two'] });
    t.equal((await own('POST', 'snap/snapshots/one/restore')).status, 204);
    t.equal(await count(token, daves), 1);
    await own('PUT', 'snap/snapshots/two');
    await own('POST', 'snap/reset');
    t.equal(await count(token, daves), 0);
    await own('POST', 'snap/snapshots/two/restore');
    t.equal(await count(token, daves), 1, 'the later snapshot of that name');
    t.equal((await own('POST', 'snap/snapshots/none/restore')).status, 404);
    const listed = await own('GET', 'snap/snapshots');
    t.match(listed.json, [{ name: 'one', created: /Z$/, seed: 'documented' }, { name: 'two' }]);
    t.equal((await own('DELETE', 'snap/snapshots/one')).status, 204);
    t.match((await own('GET', 'snap/snapshots')).json, [{ name: 'two' }]);
    for (const gone of ['one', 'none', 'No%20way'])
      t.equal((await own('DELETE', `snap/snapshots/${gone}`)).status, 404);
    for (const [method, path] of [
      ['GET', 'nowhere/snapshots'],
      ['DELETE', 'nowhere/snapshots/two'],
    ] as const)
      t.equal((await own(method, path)).status, 404);
    t.equal((await service.request('GET', `/sandboxes/snap${daves}`, { token })).status, 200);
    t.equal((await own('PUT', 'snap/snapshots/No%20way')).status, 400);
    t.equal((await own('DELETE', 'snap')).status, 204);
  });

  await suite.test('after PUT of a seed a reset returns to that seed; the sandbox’s tokens stay', async (t) => {
    const sandbox = await create('put');
    const yaml = 'users:\n  - { username: alice }\n  - { username: new }\n';
    const put = await service.request('PUT', `${base}/put/seed`, {
      headers: { 'content-type': 'application/yaml' },
      body: yaml,
    });
    t.match(put, { status: 200, json: { users: { created: 2 } } });
    const token = tokenOf(sandbox, 'alice') as string;
    t.equal(await count(token), 0);
    await add(token);
    t.equal((await own('POST', 'put/reset')).status, 204);
    t.equal(await count(token), 0);
    t.equal(await statusOf(sandbox.token), 401);
  });
});
