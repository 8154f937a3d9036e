// The client against a service: a sandbox's life, its errors, its types, and what it refuses before it sends anything.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type Test } from 'tap';
import { wireTypes } from '../../packaging/wire-types.ts';
import { clientOf, connect } from '../../src/package/client/client.ts';
import { createTransport } from '../../src/package/client/transport.ts';
import { UnderstudyError } from '../../src/package/client/understudy-error.ts';
import { startService } from '../support/service.ts';
import { errorOf } from './error-of.ts';

await test('the package has each type of the own API written out', (t) => {
  const source = new URL('../../src/package/client/wire-types.ts', import.meta.url);
  const namesIn = (text: string) =>
    new Set([...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name));
  t.same(namesIn(wireTypes()), namesIn(readFileSync(source, 'utf8')));
  t.end();
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
  t.match(await errorOf(box.clock.set('soon')), { status: 400, faults: [{ attr: 'now' }] });
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
    admin: {
      access: { mode: 'on', token: 'the-admin-token', allowedHosts: [], isLocal: true },
      maxSandboxes: 10,
      journalBytes: 1 << 24,
    },
  });
  const api = connect(url, { adminToken: 'the-admin-token' });
  const faults = await errorOf(api.sandbox({ name: 'Bad', expiresInSeconds: 1 }));
  t.ok(faults instanceof UnderstudyError);
  t.match(faults, { kind: 'refused', status: 400, message: /^expires_in_seconds: Must be a whole number/ });
  t.match(await errorOf(api.sandbox({ seed: 'users: [{}]' })), {
    status: 400,
    faults: [{ code: 'invalid_seed', attr: 'users[0].username' }],
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
    message:
      "no service is known: make 'weblate-understudy/setup' the global set-up of your test runner, or set UNDERSTUDY_URL",
  });
  t.throws(() => connect('localhost:8000'), { message: 'the URL must begin with http:// or https://' });
  const admin = { access: { mode: 'on', token: 'open-sesame', allowedHosts: [], isLocal: true } as const };
  const { url } = await startService(t, { admin: { ...admin, maxSandboxes: 10, journalBytes: 1 << 24 } });
  setEnvironment(t, { UNDERSTUDY_URL: url, UNDERSTUDY_ADMIN_TOKEN: 'open-sesame' });
  t.equal((await connect().sandboxes()).length, 1, 'with the admin token of the environment');
  t.equal((await connect(url).sandboxes()).length, 1);
  t.match(await errorOf(connect(`${url}/`).sandboxes()), { status: 403 }, 'which no other service gets');
  setEnvironment(t, { UNDERSTUDY_URL: 'localhost:8000' });
  t.throws(() => connect(), { name: 'TypeError', message: 'UNDERSTUDY_URL must begin with http:// or https://' });
});
