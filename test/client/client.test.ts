// The client against a service: a sandbox's life, its errors, its types, what it refuses before it sends anything; a test in a sandbox
// of its own, what is printed when it fails, and which tests fail at their end.
import { getEventListeners, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type Test } from 'tap';
import { wireTypes } from '../../packaging/wire-types.ts';
import { type Client, clientOf, connect } from '../../src/package/client/client.ts';
import type { Sandbox } from '../../src/package/client/sandbox-client.ts';
import { createTransport } from '../../src/package/client/transport.ts';
import { UnderstudyError } from '../../src/package/client/understudy-error.ts';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { startService } from '../support/service.ts';
import { errorOf, errorOfType } from './error-of.ts';

await test('the package has each type of the control API written out', async (t) => {
  const source = new URL('../../src/package/client/wire-types.ts', import.meta.url);
  const namesIn = (text: string) =>
    new Set([...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name));
  t.same(namesIn(wireTypes()), namesIn(readFileSync(source, 'utf8')));
});

const list = '/api/users/alice/notifications/';

async function read(url: string, headers?: Record<string, string>): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { ...(headers && { headers }) });
  return { status: response.status, text: await response.text() };
}

await test('a sandbox is made, changed, restored, reset, seeded, exported and dropped', async (t) => {
  const { url } = await startService(t);
  const api = connect(`${url}/`);
  t.equal(api.url, url);
  const box = await api.sandbox({ from: 'documented' });
  t.equal(box.baseUrl, `${url}/sandboxes/${box.name}`);
  t.same(
    (await api.sandboxes()).map(({ name }) => name),
    ['default', box.name],
  );
  const alice = box.headers('alice');
  const first = await read(box.baseUrl + list, alice);
  t.equal(first.status, 200);

  await box.snapshot('before');
  const entry = (JSON.parse(first.text) as { results: { id: number }[] }).results[0];
  const remove = () => fetch(`${box.baseUrl}${list}${entry?.id}/`, { method: 'DELETE', headers: alice });
  t.equal((await remove()).status, 204);
  await box.restore('before');
  t.same(await read(box.baseUrl + list, alice), first, 'restored');
  await remove();
  await box.reset({ undo: true });
  t.same(await read(box.baseUrl + list, alice), first, 'reset');
  await box.undo();
  t.not((await read(box.baseUrl + list, alice)).text, first.text, 'the reset is undone');
  t.match(await errorOf(box.undo()), { status: 409 });
  t.match(await box.snapshots(), [{ name: 'before', seed: 'documented' }]);
  await box.deleteSnapshot('before');
  t.same(await box.snapshots(), []);
  t.match(await errorOf(box.reset({ udno: true } as object)), { status: 400, message: /did you mean undo\?/ });

  t.match(await box.seed({ users: [{ username: 'zoe' }] }, { check: true, keepTokens: true }), {
    users: { created: 1 },
  });
  t.equal((await read(box.baseUrl + list, alice)).status, 200, 'a check changes nothing');

  const { users } = await box.seed('users:\n  - username: zoe\n');
  t.match(users, { created: 1 });
  const zoe = { Authorization: `Token ${await box.token('zoe')}` };
  t.same(box.headers('zoe'), zoe);
  t.equal((await read(`${url}/api/users/zoe/`, zoe)).status, 200, 'the token chooses the sandbox');
  await box.clock.set(new Date('2026-01-02T03:04:05Z'));
  t.equal(await box.clock.advance('1h'), '2026-01-02T04:04:05Z');
  t.equal(await box.clock.get(), '2026-01-02T04:04:05Z');
  await box.clock.set(null);
  t.equal(await box.clock.get(), null);
  t.match(await errorOf(box.clock.set('soon')), { status: 400, errors: [{ attr: 'now' }] });
  t.match(await box.export(), /username: zoe/);
  t.match(JSON.parse(await box.export('json')), { users: [{ username: 'zoe' }] });
  t.match(await box.seed({ users: [{ username: 'yan' }] }), { users: { created: 1, removed: 1 } });

  await box.drop();
  await box.drop();
  t.same(
    (await api.sandboxes()).map(({ name }) => name),
    ['default'],
  );
});

await test('a sandbox is made with a name, a seed and a lifetime of its own', async (t) => {
  const api = connect((await startService(t)).url);
  {
    await using box = await api.sandbox({
      name: 'mine',
      seed: { users: [{ username: 'root', is_superuser: true }, { username: 'guest' }] },
      expiresInSeconds: 60,
    });
    t.equal(box.name, 'mine');
    t.equal(box.description.expires_in_seconds, 60);
    t.same(box.headers(), box.headers('root'), 'without a name: the first superuser');
    const again = await api.open('mine');
    t.same(
      again.users,
      box.users.map(({ username, is_superuser }) => ({ username, is_superuser })),
    );
    t.throws(() => again.headers('guest'), { message: /no token of "guest" is known in sandbox mine/ });
    t.throws(() => again.headers(), { message: /no token of any user/ });
    t.throws(() => box.headers('bob'), { message: /those known are of root, guest/ });
    // Made by a client of the Weblate API, not by this one.
    const made = await fetch(`${box.baseUrl}/api/users/`, {
      method: 'POST',
      headers: { ...box.headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', full_name: 'Ada', email: 'ada@example.org' }),
    });
    t.equal(made.status, 201);
    const own = await fetch(`${box.baseUrl}/api/users/ada/notifications/`, { headers: await again.as('ada') });
    t.equal(own.status, 200);
    t.same(await again.as('ada'), again.headers('ada'), 'one token');
    t.match(await errorOf(again.as('nobody')), { kind: 'refused', status: 404 });
  }
  t.match(await errorOf(api.open('mine')), { kind: 'refused', status: 404 });
});

await test('faults are set, added, removed, listed and cleared', async (t) => {
  const box = await connect((await startService(t)).url).sandbox();
  const rules = await box.faults.set([
    { match: { method: 'GET' }, status: 503, headers: { 'Retry-After': 7 }, next: 1 },
  ]);
  t.match(rules, [{ name: '1', status: 503, struck: 0, headers: { 'Retry-After': '7' } }]);
  t.equal((await read(box.baseUrl + list)).status, 503);
  t.equal((await read(box.baseUrl + list)).status, 200);
  t.same(await box.faults.list(), []);
  await box.faults.set([{ status: 418 }]);
  const { key } = await box.faults.add({ status: 503 });
  t.equal((await read(box.baseUrl + list)).status, 503, 'before the others');
  await box.faults.remove(key);
  t.match(await errorOf(box.faults.remove(key)), { status: 404, message: /no fault rule with the key/ });
  t.equal((await read(box.baseUrl + list)).status, 418);
  await box.faults.clear();
  t.equal((await read(box.baseUrl + list)).status, 200);
});

await test('errors say whether the service refused, is unreachable or is another program', async (t) => {
  const { url } = await startService(t, {
    admin: adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: 'the-admin-token' })),
  });
  const api = connect(url, { adminToken: 'the-admin-token' });
  const faults = await errorOf(api.sandbox({ name: 'Bad', expiresInSeconds: 1 }));
  t.ok(faults instanceof UnderstudyError);
  t.match(faults, { kind: 'refused', status: 400, message: /^expires_in_seconds: Must be a whole number/ });
  t.match(await errorOf(api.sandbox({ seed: 'users: [{}]' })), {
    status: 400,
    errors: [{ code: 'invalid_seed', attr: 'users[0].username' }],
  });
  t.match(await errorOf(connect(url).sandboxes()), { kind: 'refused', status: 403 });
  t.match(await errorOf(connect('http://127.0.0.1:1').sandboxes()), {
    kind: 'unreachable',
    message: /^http:\/\/127\.0\.0\.1:1 is not reachable \(/,
  });
  t.throws(() => connect('ftp://127.0.0.1'), TypeError);
  const abort = new AbortController();
  const aborted = connect(url, { signal: abort.signal }).sandboxes();
  abort.abort(new Error('enough'));
  await t.rejects(aborted, { message: 'enough' });
});

await test('a server that is not Understudy is reported as foreign', async (t) => {
  const server = createServer((request, response) => {
    if (request.url?.includes('broken'))
      response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy());
    else response.writeHead(request.url?.includes('text') ? 200 : 404).end('<h1>hello</h1>');
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const api = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.match(await errorOf(api.sandboxes()), { kind: 'foreign', status: 404, message: /check the URL/ });
  t.match(await errorOf(api.open('text')), { kind: 'foreign', status: 200 });
  t.match(await errorOf(api.open('broken')), { kind: 'unreachable' });
});

await test('an older service that lacks an operation is named', async (t) => {
  const answering = (status: number, detail: string) => async () =>
    Response.json(
      { errors: [{ code: 'x', detail, attr: null }] },
      { status, headers: { 'X-Understudy': '0.0.9 (W)' } },
    );
  for (const [status, detail] of [
    [404, 'Not found.'],
    [405, 'Method "POST" not allowed.'],
  ] as const)
    t.match(await errorOf(clientOf(createTransport('http://x', {}, answering(status, detail))).sandboxes()), {
      kind: 'refused',
      status,
      message:
        'the service is Understudy 0.0.9 (W), which has no GET /_understudy/sandboxes: use the same version of service and client',
    });
});

const unchecked = (options: object) => options as never;

await test('an unknown option is refused with the nearest name', async (t) => {
  const { url } = await startService(t);
  const api = connect(url);
  const refused = (work: Promise<unknown>, message: string) => t.rejects(work, { name: 'TypeError', message });
  t.throws(() => connect(url, unchecked({ admintoken: 'x' })), {
    message: 'connect has no option admintoken; did you mean adminToken?',
  });
  await refused(api.sandbox(unchecked({ form: 'empty' })), 'sandbox has no option form; did you mean from?');
  await refused(api.sandbox(unchecked({ x: 1 })), 'sandbox has no option x; it has name, from, seed, expiresInSeconds');
  await refused(
    api.withSandbox(() => undefined, unchecked({ allowUnmached: true })),
    'withSandbox has no option allowUnmached; did you mean allowUnmatched?',
  );
  const box = await api.sandbox();
  const misspelt = unchecked({ time: 0 });
  const asked = [box.requests.expect({}, misspelt), box.requests.find({}, misspelt), box.requests.report({}, misspelt)];
  for (const work of asked)
    t.match(await errorOf(work), { kind: 'refused', message: 'time: Not a known key; did you mean times?' });
  t.equal((await api.sandboxes()).length, 2, 'nothing else was made');
});

function setEnvironment(t: Test, values: Readonly<Record<string, string>>): void {
  const before = { ...process.env };
  t.teardown(() => (process.env = before));
  process.env = { ...before, ...values };
}

await test('without a URL the client uses the service of UNDERSTUDY_URL', async (t) => {
  t.throws(() => connect(process.env['UNDERSTUDY_URL']), {
    message: 'no service is known: make weblate-understudy/setup the global set-up of the tests, or set UNDERSTUDY_URL',
  });
  t.throws(() => connect('localhost:8000'), { message: 'the URL must begin with http:// or https://' });
  const admin = adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: 'open-sesame' }));
  const { url } = await startService(t, { admin });
  setEnvironment(t, { UNDERSTUDY_URL: url, UNDERSTUDY_ADMIN_TOKEN: 'open-sesame' });
  t.equal((await connect().sandboxes()).length, 1, 'with the admin token of the environment');
  t.equal((await connect(url).sandboxes()).length, 1);
  t.match(await errorOf(connect(`${url}/`).sandboxes()), { status: 403 }, 'which no other service gets');
  setEnvironment(t, { UNDERSTUDY_URL: 'localhost:8000' });
  t.throws(() => connect(), { name: 'TypeError', message: 'UNDERSTUDY_URL must begin with http:// or https://' });
});

// A test in a sandbox of its own: what is printed when it fails, and which tests fail at their end.

const thrownBy = (work: Promise<unknown>) => errorOfType(Error, work);

const open = async (t: Test, env: Readonly<Record<string, string>> = {}): Promise<Client> =>
  connect((await startService(t, { admin: adminOptions(readConfiguration(env)) })).url);

async function assertDropped(t: Test, api: Client): Promise<void> {
  t.equal((await api.sandboxes()).length, 1, 'all but default');
}

await test('a test that passes returns its value, and its sandbox is dropped', async (t) => {
  const api = await open(t);
  const status = await api.withSandbox(async (box) => (await fetch(box.baseUrl + list)).status, {
    seed: { users: [{ username: 'alice' }] },
  });
  t.equal(status, 200);
  await assertDropped(t, api);
});

/** What is printed on standard error from now on. */
function hearErrors(t: Test): string[] {
  const printed: string[] = [];
  t.intercept(console, 'error', { value: (text: string) => void printed.push(text) });
  return printed;
}

await test('if a test throws, its error is unchanged, and the requests are printed', async (t) => {
  const api = await open(t);
  const printed = hearErrors(t);
  const fail = (error: unknown) =>
    api.withSandbox(async (box) => {
      await fetch(`${box.baseUrl}${list}?page=9`);
      throw error;
    });
  const original = new TypeError('the first line\nthe second');
  const { message, stack } = original;
  t.equal(await thrownBy(fail(original)), original);
  t.same([original.message, original.stack], [message, stack]);
  t.match(printed, [/^Requests to Understudy, sandbox .*:\nGET +\/api.*\?page=9  404  anonymous/]);

  for (const error of [AbortSignal.abort().reason, Object.freeze(new Error('frozen'))])
    t.equal(await thrownBy(fail(error)), error);
  await t.rejects(fail('a text'), 'a text');
  t.equal(printed.length, 4);
  await thrownBy(api.withSandbox(() => Promise.reject(new Error('before a request'))));
  t.match(printed.at(-1), /:\nnone$/);
  await assertDropped(t, api);
});

await test('of a test whose sandbox received none, those that reached no sandbox are printed', async (t) => {
  const api = await open(t);
  const printed = hearErrors(t);
  const fail = (path: string) =>
    api.withSandbox(async () => {
      await fetch(api.url + path);
      throw new Error('no');
    });
  await thrownBy(fail(`/sandboxes/nope${list}`));
  t.match(printed, [
    /:\nnone\nRequests that reached no sandbox, from any test:\nGET +\/sandboxes\/nope\/api.*  404  anonymous/,
  ]);
});

await test('a test that hangs fails when its signal aborts', async (t) => {
  const api = await open(t);
  const printed = hearErrors(t);
  const reason = new Error('time is over');
  const controller = new AbortController();
  const hanging = api.withSandbox(
    async (box) => {
      await fetch(box.baseUrl + list);
      controller.abort(reason);
      await new Promise(() => undefined);
    },
    { signal: controller.signal },
  );
  t.equal(await thrownBy(hanging), reason);
  t.match(printed, [/:\nGET +\/api\/users\/alice\/notifications\/  200/]);
  t.equal(await thrownBy(api.withSandbox(() => new Promise(() => undefined), { signal: controller.signal })), reason);
  await assertDropped(t, api);
});

await test('the requests are printed for a test that fails without throwing', async (t) => {
  const api = await open(t);
  const error = await thrownBy(api.withSandbox((box) => fetch(box.baseUrl + list), { failed: () => true }));
  t.match(error.message, /^Requests to Understudy, sandbox .*:\nGET +\/api\/users\/alice\/notifications\/  200/);
  t.equal(error.stack, String(error), 'no trace into the client');
});

await test('a test that requests a path that isn’t served fails', async (t) => {
  const api = await open(t);
  const printed = hearErrors(t);
  const request = (box: { baseUrl: string }) => fetch(`${box.baseUrl}/api/changes/`);
  const error = await thrownBy(api.withSandbox(request));
  t.match(error.message, /^A test may only request paths that Understudy serves, unless it sets allowUnmatched\.\n/);
  t.match(
    error.message,
    /\n {2}1\. GET +\/api\/changes\/  404  anonymous  no such path is served\n {7}not mirrored: changes\n/,
  );
  t.same(printed, [], 'the error shows them already');
  t.equal((await api.withSandbox(request, { allowUnmatched: true })).status, 404);
});

await test('a test fails if the journal dropped requests to paths that may not be served', async (t) => {
  const api = await open(t, { UNDERSTUDY_JOURNAL_BYTES: '32768' });
  const printed = hearErrors(t);
  const send = async (box: Sandbox) => {
    for (let n = 0; n < 200; n++) await fetch(`${box.baseUrl}/api/`);
    const found = await box.requests.find({ path: '/api/' });
    t.ok(found.dropped > 0 && found.count > 20, `${found.dropped} dropped, ${found.count} kept`);
    return found;
  };
  const error = await thrownBy(api.withSandbox(send));
  t.match(
    error.message,
    /allowUnmatched\.\nExpected no request, .*\n(?:.*\n)The journal dropped the oldest \d+ requests\b/,
  );
  t.same(printed, []);
  t.equal((await api.withSandbox(send, { allowUnmatched: true })).matched, true, 'at least one');

  const mismatch = await thrownBy(
    api.withSandbox(async (box) => {
      await send(box);
      await box.requests.expect({ method: 'DELETE' }, { times: 0 });
    }),
  );
  t.match(
    mismatch.message,
    /^Expected no request, but .* received none, and perhaps \d+ that its journal can't compare/,
  );
  t.match(printed, [/^Requests to .*:\nThe journal dropped .*\nThe last 20 of \d+:(?:\nGET +\/api.*){20}$/]);
  await api.withSandbox(async (box) => {
    await send(box);
    await box.requests.clear();
    t.strictSame(await box.requests.expect({ method: 'DELETE' }, { times: 0 }), []);
  });
});

await test('the test’s own error stays if the service ends meanwhile', async (t) => {
  const service = await startService(t);
  const printed = hearErrors(t);
  await t.rejects(
    connect(service.url).withSandbox(async () => {
      await service.app.close();
      throw new Error('the test failed');
    }),
    { message: 'the test failed' },
  );
  t.match(printed, [/^The requests to Understudy, sandbox .*, can't be read: .* is not reachable/]);
});

await test('a signal of a whole run has no listener more after a test', async (t) => {
  const api = await open(t);
  const { signal } = new AbortController();
  for (let n = 0; n < 3; n++) await api.withSandbox(() => 'done', { signal });
  t.equal(getEventListeners(signal, 'abort').length, 0);
});
