// Who may use the console: the gate's rules, and where an admin token is set, the session of a browser.
import { sql } from 'kysely';
import { test } from 'tap';
import { readConfiguration } from '../../src/process/config.ts';
import { adminOptions } from '../../src/process/service-options.ts';
import { type Service, startService } from '../support/service.ts';
import { browserHeaders, openConsole, type Person, textsOf } from './person.ts';

const token = 'correct-horse';
const settings = (env: Record<string, string>) => ({ admin: adminOptions(readConfiguration(env)) });
const locked = settings({ UNDERSTUDY_ADMIN_TOKEN: token });

async function signIn(service: Service): Promise<Person> {
  const person = openConsole(service);
  await person.post('sign-in/', { token });
  return person;
}

const countSessions = async ({ database }: Service): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int from understudy.browser_sessions`.execute(
    database.pool,
  );
  return rows[0]?.count ?? -1;
};

await test('without an admin token', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const page = await person.get('');
  t.equal(page.status, 200);
  t.notMatch(page.text, /Sign out|csrf/);
  t.match(page.text, 'Every client that reaches this address can use the console.');
  t.equal(page.headers['cache-control'], 'no-store');
  t.match(page.headers['content-security-policy'], /script-src 'self'/);
  const to = await person.get('sign-in/');
  t.match([to.status, to.headers['location']], [303, `${service.url}/_understudy/`], 'there is nothing to sign in to');
  t.match(textsOf(await person.post('sign-in/', { token: 'x' }), '#token-fault'), [/not the value/]);
  t.equal(await countSessions(service), 0);
});

await test('signing in and out', async (t) => {
  const service = await startService(t, locked);
  const person = openConsole(service);
  const asked = await person.get('console/default/?done=reset');
  t.equal(asked.status, 401);
  t.match(textsOf(asked, '#token-hint'), [/UNDERSTUDY_ADMIN_TOKEN/]);
  const next =
    asked.elements.find(({ attributes }) => attributes.get('name') === 'next')?.attributes.get('value') ?? '';
  t.equal(next, `${service.url}/_understudy/console/default/?done=reset`);

  const wrong = await person.post('sign-in/', { token: 'correct-hors', next });
  t.equal(wrong.status, 400);
  t.same(textsOf(wrong, '#token-fault'), ['This is not the value of UNDERSTUDY_ADMIN_TOKEN.']);
  const field = wrong.elements.find(({ attributes }) => attributes.get('id') === 'token');
  t.equal(field?.attributes.get('aria-invalid'), 'true');
  t.equal(field?.attributes.get('value'), undefined);
  t.notMatch(wrong.text, 'correct-hors', 'what was sent is not shown again');
  t.equal(wrong.headers['set-cookie'], undefined);

  const right = await person.post('sign-in/', { token: ` ${token} `, next });
  t.match([right.status, right.headers['location']], [303, next]);
  const cookie = right.headers['set-cookie'] ?? '';
  t.match(cookie, /^understudy-console-\d+=[\w-]{43}; Path=\/_understudy\/; HttpOnly; SameSite=Strict$/);
  t.notMatch(cookie, token);
  t.equal(await countSessions(service), 1);

  const page = await person.get('');
  t.equal(page.status, 200);
  t.match(page.text, 'Sign out');
  t.notMatch(page.text, 'Every client');
  t.match(await person.post('sign-out/'), {
    status: 303,
    headers: { 'set-cookie': /=; Max-Age=0; Path=\/_understudy\// },
  });
  t.equal(await countSessions(service), 0, 'the session ends in the database too');
  t.equal((await person.get('', { cookie: cookie.split(';')[0] ?? '' })).status, 401, 'the old cookie opens nothing');
});

await test('signing in leads nowhere else', async (t) => {
  const service = await startService(t, locked);
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/api/',
    `${service.url}/_understudy/../`,
    'nonsense',
    '',
  ])
    t.equal(
      (await openConsole(service).post('sign-in/', { token, next })).headers['location'],
      `${service.url}/_understudy/`,
    );
  const behind = await startService(t, {
    ...locked,
    databaseUrl: service.databaseUrl,
    publicUrl: 'https://tests.example/understudy',
  });
  const headers = { origin: behind.url, 'sec-fetch-site': 'same-origin' };
  const next = 'https://tests.example/understudy/_understudy/console/default/';
  const { headers: sent } = await openConsole(behind).post('sign-in/', { token, next }, headers);
  t.equal(sent['location'], next, 'below the public URL');
  t.match(sent['set-cookie'], /Path=\/understudy\/_understudy\/; HttpOnly; SameSite=Strict; Secure/);
});

await test('a form counts only from a page of the session', async (t) => {
  const service = await startService(t, locked);
  const person = await signIn(service);
  await person.get('console/default/');
  t.equal((await person.post('console/default/reset/')).status, 303);
  const isRefused = async (what: string, fields: Record<string, string>, headers: Record<string, string>) => {
    const { status, text } = await person.post(
      'console/default/snapshots/',
      { snapshot: 'forged', ...fields },
      headers,
    );
    t.equal(status, what === 'signed out' ? 401 : 403, what);
    return text;
  };
  t.match(await isRefused('an empty token', { csrf: '' }, {}), 'reload the page');
  await isRefused('another token', { csrf: 'A'.repeat(43) }, {});
  await isRefused('another origin', {}, { origin: 'https://evil.example' });
  await isRefused('an opaque origin', {}, { origin: 'null', 'sec-fetch-site': 'cross-site' });
  await isRefused('another site', {}, { 'sec-fetch-site': 'cross-site' });
  await isRefused('another port of this host', {}, { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' });
  await isRefused('signed out', {}, { cookie: '' });
  const { json } = await service.request('GET', '/_understudy/sandboxes/default', { token });
  t.match(json, { snapshots: [] }, 'nothing was changed');
  // Beyond loopback and without HTTPS, browsers send no Sec-Fetch-Site.
  const plain = {
    cookie: person.cookie ?? '',
    origin: service.url,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const csrf = (await person.get('')).elements.find(({ attributes }) => attributes.get('name') === 'csrf');
  const body = `csrf=${csrf?.attributes.get('value')}`;
  const reset = await service.request('POST', '/_understudy/console/default/reset/', { headers: plain, body });
  t.equal(reset.status, 303, 'an Origin alone is enough');
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

await test('the cookie of the console', async (t) => {
  const service = await startService(t, locked);
  const person = await signIn(service);
  const cookie = person.cookie ?? '';
  const api = (headers: Record<string, string>) =>
    service.request('GET', '/_understudy/sandboxes', { headers: { cookie, ...headers } });
  t.equal((await api({ 'sec-fetch-site': 'same-origin' })).status, 403, 'opens no API');
  t.equal((await api({ authorization: `Bearer ${token}` })).status, 200);
  t.equal((await person.get('', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).status, 200);
  t.equal((await person.get('', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })).status, 403);
  const id = cookie.split('=')[1] ?? '';
  t.equal((await person.get('', { cookie: `understudy-console-1=${id}` })).status, 401, 'of another port');
  t.equal((await person.get('', { cookie: `${cookie}x` })).status, 401);
  await sql`update understudy.browser_sessions set expires_at = now()`.execute(service.database.pool);
  const ended = await person.post('console/default/reset/');
  t.equal(ended.status, 401, 'of a session that has ended');
  const next = ended.elements.find(({ attributes }) => attributes.get('name') === 'next')?.attributes.get('value');
  t.equal(next, `${service.url}/_understudy/console/default/`, 'signing in leads to a page');
});

await test('a session ends when the admin token changes', async (t) => {
  const service = await startService(t, locked);
  const { cookie = '' } = await signIn(service);
  const { databaseUrl } = service;
  const change = await startService(t, { databaseUrl, ...settings({ UNDERSTUDY_ADMIN_TOKEN: 'another-horse' }) });
  const port = new URL(change.url).port;
  const other = openConsole(change);
  const moved = cookie.replace(/-\d+=/, `-${port}=`);
  t.equal((await other.get('', { cookie: moved })).status, 401);
  const same = await startService(t, { databaseUrl, ...locked });
  const here = cookie.replace(/-\d+=/, `-${new URL(same.url).port}=`);
  t.equal((await openConsole(same).get('', { cookie: here })).status, 200, 'another service of the database knows it');
});

await test('a closed gate', async (t) => {
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

await test('programs and other methods', async (t) => {
  const service = await startService(t, locked);
  const json = { headers: { accept: 'application/json' } };
  t.match(await service.request('GET', '/_understudy/', json), {
    status: 403,
    json: { errors: [{ detail: /a session/ }] },
  });
  const open = await startService(t, { databaseUrl: service.databaseUrl });
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
