// Who may use the console: the gate's rules, and where an admin token is set, the session of a browser.
import { t as file, test } from 'tap';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { type Service, startService } from '../support/service.ts';
import { cookieOf } from '../support/as-browser.ts';
import { browserHeaders, openConsole, type Person, textsOf } from '../support/person.ts';

const token = 'correct-horse';
const settings = (env: Record<string, string>) => ({ admin: adminOptions(readConfiguration(env)) });
const locked = settings({ UNDERSTUDY_ADMIN_TOKEN: token });

async function signIn(service: Service): Promise<Person> {
  const person = openConsole(service);
  await person.post('sign-in/', { token });
  return person;
}

await test('without an admin token nobody has to sign in', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const page = await person.get('');
  t.equal(page.status, 200);
  t.notMatch(page.text, /Sign out/);
  t.equal(page.headers['cache-control'], 'no-store');
  t.match(page.headers['content-security-policy'], /script-src 'self'/);
  const to = await person.get('sign-in/');
  t.match([to.status, to.headers['location']], [303, `${service.url}/_understudy/`], 'there is nothing to sign in to');
  t.match(textsOf(await person.post('sign-in/', { token: 'x' }), '#token-error'), [/not the value/]);
});

const shared = await startService(file, locked);

await test('a person signs in and out', async (t) => {
  const person = openConsole(shared);
  const asked = await person.get('console/default/?done=reset');
  t.equal(asked.status, 401);
  t.match(textsOf(asked, '#token-hint'), [/UNDERSTUDY_ADMIN_TOKEN/]);
  const next =
    asked.elements.find(({ attributes }) => attributes.get('name') === 'next')?.attributes.get('value') ?? '';
  t.equal(next, `${shared.url}/_understudy/console/default/?done=reset`);

  const wrong = await person.post('sign-in/', { token: 'correct-hors', next });
  t.equal(wrong.status, 400);
  t.same(textsOf(wrong, '#token-error'), ['This is not the value of UNDERSTUDY_ADMIN_TOKEN.']);
  const field = wrong.elements.find(({ attributes }) => attributes.get('id') === 'token');
  t.equal(field?.attributes.get('aria-invalid'), 'true');
  t.equal(field?.attributes.get('value'), undefined);
  t.notMatch(wrong.text, 'correct-hors', 'what was sent is not shown again');
  t.equal(wrong.headers['set-cookie'], undefined);

  const right = await person.post('sign-in/', { token: ` ${token} `, next });
  t.match([right.status, right.headers['location']], [303, next]);
  const cookie = right.headers['set-cookie'] ?? '';
  t.match(cookie, /^understudy-console-\d+=\d+\.\.[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/);
  t.notMatch(cookie, token);

  const page = await person.get('');
  t.equal(page.status, 200);
  t.match(page.text, 'Sign out');
  t.match(page.text, /Signed in to the console until .*\d\d:\d\d UTC/);
  t.match(await person.post('sign-out/'), {
    status: 303,
    headers: { 'set-cookie': /=; Max-Age=0; Path=\/;/ },
  });
  t.equal((await person.get('')).status, 401);
});

await test('signing in leads nowhere else', async (t) => {
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/api/',
    `${shared.url}/_understudy/../`,
    'nonsense',
    '',
  ])
    t.equal(
      (await openConsole(shared).post('sign-in/', { token, next })).headers['location'],
      `${shared.url}/_understudy/`,
    );
});

await test('a form counts only from a page of the session', async (t) => {
  const person = await signIn(shared);
  // The two kinds of tokens are two variables.
  const page = await person.get('console/default/');
  for (const id of ['put-everything-back-for-everybody', 'make-a-copy-of-this-sandbox-for-a-ci-job'])
    t.match(textsOf(page, `#copy-${id}`), [/Token \$UNDERSTUDY_ADMIN_TOKEN/]);
  t.equal((await person.post('console/default/reset/')).status, 303);
  const isRefused = async (what: string, headers: Record<string, string>) => {
    const { status } = await person.post('console/default/snapshots/', { snapshot: 'forged' }, headers);
    t.equal(status, what === 'signed out' ? 401 : 403, what);
  };
  await isRefused('another origin', { origin: 'https://evil.example' });
  await isRefused('another port of this host', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' });
  await isRefused('signed out', { cookie: '' });
  const { json } = await shared.request('GET', '/_understudy/sandboxes/default', { token });
  t.match(json, { snapshots: [] }, 'nothing was changed');
  // Beyond loopback and without HTTPS, browsers send no Sec-Fetch-Site.
  const plain = {
    ...browserHeaders,
    cookie: person.cookie ?? '',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const reset = (headers: Record<string, string>) =>
    shared.request('POST', '/_understudy/console/default/reset/', { headers, body: '' });
  t.match(await reset(plain), { status: 403, text: /Only a page of this service/ }, 'neither of the headers');
  t.equal((await reset({ ...plain, origin: shared.url })).status, 303, 'an Origin alone is enough');
});

await test('a form of a page without sessions needs its own origin', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const drop = (headers: Record<string, string>) =>
    person.post('console/default/snapshots/', { snapshot: 'forged' }, headers);
  t.equal((await drop({ origin: 'https://evil.example' })).status, 403);
  t.equal((await drop({ 'sec-fetch-site': 'cross-site' })).status, 403);
  t.equal((await drop({ host: 'evil.example', origin: 'http://evil.example' })).status, 403, 'DNS rebinding');
  const bare = await service.request('POST', '/_understudy/console/default/snapshots/', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'snapshot=forged',
  });
  t.equal(bare.status, 403, 'a program names no origin');
  t.match(bare.json, { errors: [{ code: 'permission_denied' }] });
});

await test('the cookie opens the console and no API', async (t) => {
  const person = await signIn(shared);
  const cookie = person.cookie ?? '';
  const api = (headers: Record<string, string>) =>
    shared.request('GET', '/_understudy/sandboxes', { headers: { cookie, ...headers } });
  t.equal((await api({ 'sec-fetch-site': 'same-origin' })).status, 403, 'opens no API');
  t.equal((await api({ authorization: `Bearer ${token}` })).status, 200);
  const old = await cookieOf(shared, { kind: 'console', adminToken: token, secondsAgo: 3601 });
  const ended = await person.post('console/default/reset/', {}, { cookie: old });
  t.equal(ended.status, 401, 'of a session that has ended');
  const next = ended.elements.find(({ attributes }) => attributes.get('name') === 'next')?.attributes.get('value');
  t.equal(next, `${shared.url}/_understudy/console/default/`, 'signing in leads to a page');
});

await test('a session that does not count keeps nobody from signing in or out', async (t) => {
  const of = { kind: 'console', adminToken: token } as const;
  const name = (await cookieOf(shared, of)).split('=')[0];
  for (const cookie of [
    await cookieOf(shared, { ...of, secondsAgo: 3601 }),
    await cookieOf(shared, { ...of, adminToken: 'former' }),
    `${name}=${'x'.repeat(43)}`,
    `${name}=`,
    `${name}=${'x'.repeat(5000)}`,
  ]) {
    const person = openConsole(shared);
    person.cookie = cookie;
    t.equal((await person.get('')).status, 401, cookie.slice(0, 100));
    t.equal((await person.post('sign-in/', { token: 'wrong' })).status, 400);
    t.equal((await person.post('sign-in/', { token })).status, 303);
    t.equal((await person.get('')).status, 200);
    person.cookie = cookie;
    t.match(await person.post('sign-out/'), { status: 303, headers: { 'set-cookie': /=; Max-Age=0/ } });
  }
});

await test('an address that fails ten times within a minute waits', async (t) => {
  const service = await startService(t, { ...locked, trustProxy: 1 });
  const post = (given: string, address: string) =>
    openConsole(service).post('sign-in/', { token: given }, { 'x-forwarded-for': address });
  const operator = openConsole(service);
  const from = { 'x-forwarded-for': '192.0.2.2' };
  t.equal((await operator.post('sign-in/', { token }, from)).status, 303);
  for (let n = 1; n <= 10; n++) t.equal((await post(`guess ${n}`, '192.0.2.1')).status, 400);
  for (const guess of ['guess 11', token]) {
    const refused = await post(guess, '192.0.2.1');
    t.equal(refused.status, 429);
    t.match(refused.headers['retry-after'], /^\d+$/);
    t.match(refused.headers['content-type'], 'text/html');
    t.match(refused.text, 'Too Many Requests');
    t.equal(refused.headers['set-cookie'], undefined);
  }
  t.equal((await operator.get('')).status, 200, 'the operator stays signed in');
  t.equal((await post(token, '192.0.2.2')).status, 303, 'and another address can sign in');
});

await test('where the control API is closed, so is the console', async (t) => {
  const service = await startService(t, settings({ UNDERSTUDY_ADMIN: 'off' }));
  const page = await openConsole(service).get('');
  t.equal(page.status, 403);
  t.match(page.text, 'UNDERSTUDY_ADMIN is off.');
  t.match(page.headers['content-type'], 'text/html');
  const program = await service.request('GET', '/_understudy/', { headers: { accept: 'application/json' } });
  t.match(program, { status: 403, json: { errors: [{ detail: /UNDERSTUDY_ADMIN/ }] } });
  const open = await startService(t, { databaseUrl: service.databaseUrl });
  const rebound = await openConsole(open).get('', { host: 'evil.example' });
  t.equal(rebound.status, 403);
  t.match(rebound.text, 'UNDERSTUDY_ALLOWED_HOSTS');
  t.equal((await openConsole(open).get('', { via: '1.1 proxy' })).status, 403);
  const link = { 'sec-fetch-site': 'cross-site' };
  t.equal(
    (await openConsole(open).get('console/default/', link)).status,
    200,
    'a link of another site leads to a page',
  );
  t.equal((await openConsole(open).get('', { ...link, 'sec-fetch-dest': 'iframe' })).status, 403, 'but into no frame');
});

await test('programs get errors as JSON, and other methods 405', async (t) => {
  const json = { headers: { accept: 'application/json' } };
  t.match(await shared.request('GET', '/_understudy/', json), {
    status: 403,
    json: { errors: [{ detail: /a session/ }] },
  });
  const open = await startService(t, { databaseUrl: shared.databaseUrl });
  t.match(await open.request('GET', '/_understudy/', json), {
    status: 200,
    headers: { 'content-type': /^text\/html/ },
  });
  for (const path of ['/_understudy/', '/_understudy/console/default/', '/_understudy/console/default/export/']) {
    const [get, head] = [await open.request('GET', path), await open.request('HEAD', path)];
    t.same([head.status, head.headers['content-type'], head.text], [200, get.headers['content-type'], ''], path);
  }
  t.match(await open.request('OPTIONS', '/_understudy/'), { status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
  t.match(await open.request('DELETE', '/_understudy/'), { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  t.match(await open.request('GET', '/_understudy/console/default/reset/'), {
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  });
  for (const [path, to] of [
    ['/_understudy', '/_understudy/'],
    ['/_understudy/console/', '/_understudy/'],
    ['/_understudy/console/default', '/_understudy/console/default/'],
  ] as const)
    t.match(await open.request('GET', path), { status: 303, headers: { location: open.url + to } });
  for (const path of [
    'console/nothing-here/',
    'console/No-Name/',
    'console/%00/',
    'console/default/nothing/',
    'console/a/b/c/d/',
  ]) {
    const { status, text } = await open.request('GET', `/_understudy/${path}`, { headers: browserHeaders });
    t.equal(status, 404, path);
    t.match(text, 'All sandboxes', path);
  }
});
