// What a browser's session is, where it holds, and for which requests it counts.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { test } from 'tap';
import { createSessions } from '../../src/access/sessions.ts';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import {
  cookieOf,
  entered,
  followed,
  formType,
  html,
  lastPrincipal,
  openBrowser,
  whoIn,
} from '../support/as-browser.ts';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const aliceToken = 'wlu_alice_public_sample_token_0000000000';
const entry = { notification: 'LockNotification', scope: 20, frequency: 1 };
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const locked = (token: string) => ({ admin: adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: token })) });

await test('the cookie has the token’s hash, for an hour', async (t) => {
  const service = await startService(t);
  const { port } = new URL(service.url);
  const before = Math.floor(Date.now() / 1000);
  const answered = await openBrowser(service).choose({ act_as: 'alice' });
  const after = Math.floor(Date.now() / 1000);
  t.equal(answered.status, 303);
  const [pair = '', ...attributes] = answered.headers['set-cookie']?.split('; ') ?? [];
  t.same(attributes, ['Max-Age=3600', 'Path=/', 'HttpOnly', 'SameSite=Strict']);
  const [name, value = ''] = pair.split('=');
  t.equal(name, `understudy-user-${port}`);
  const [expires, hash, signature = '', ...more] = value.split('.');
  t.ok(Number(expires) >= before + 3600 && Number(expires) <= after + 3600);
  t.equal(hash, sha256(aliceToken).toString('base64url'));
  t.match(signature, /^[A-Za-z0-9_-]{43}$/);
  t.same(more, []);
});

await test('the database holds no session, only one key, which is made when it is first needed', async (t) => {
  const service = await startService(t);
  const keys = async () =>
    (await sql<{ key: Buffer }>`select key from understudy.session_keys`.execute(service.database.load)).rows;
  await openBrowser(service).get('/');
  t.same(await keys(), []);
  const choices = Array.from({ length: 20 }, () => openBrowser(service).choose({ act_as: 'alice' }));
  for (const { status } of await Promise.all(choices)) t.equal(status, 303);
  const made = await keys();
  t.equal(made.length, 1);
  t.equal(made[0]?.key.length, 32);
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'understudy' and table_name like '%session%'`.execute(service.database.load);
  t.same(rows, [{ name: 'session_keys' }]);
});

await test('a page acts as the user of the session', async (t) => {
  const service = await startService(t);
  const browser = openBrowser(service);
  t.equal(await browser.who(), 'no user');
  t.match(await browser.get(list), { status: 200 });
  t.equal(await lastPrincipal(service), null);
  await browser.choose({ act_as: 'bob' });
  t.equal(await browser.who(), 'as bob');
  await browser.get('/api/users/bob/');
  t.equal(await lastPrincipal(service), 'bob', 'the journal has the user');
  const headers = { authorization: `Token ${aliceToken}` };
  t.equal(await browser.who({ ...html, ...headers }), 'as alice', 'a token of the request comes first');
  await browser.get(list, headers);
  t.equal(await lastPrincipal(service), 'alice');
});

await test('rate limits of a user apply to its pages, and fault rules don’t', async (t) => {
  const service = await startService(t, { rateLimits: { anonymous: 'off', user: '2/day' } });
  const rules = [{ name: 'for bob', match: { user: 'bob' }, status: 418 }];
  await service.request('PUT', '/_understudy/sandboxes/default/faults', { json: { rules } });
  const bob = openBrowser(service);
  await bob.choose({ act_as: 'bob' });
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await bob.get('/api/')).status);
  t.same(statuses, [200, 200, 429]);
  await service.request('DELETE', '/_understudy/sandboxes/default/faults');
  t.equal((await service.request('GET', '/api/', { as: 'bob' })).status, 429, 'the count is that of the user');
});

await test('a change needs the origin of the service, whatever CORS allows', async (t) => {
  const listed = 'http://127.0.0.1:5173';
  for (const corsOrigins of [undefined, '*', [listed]] as const) {
    const service = await startService(t, { corsOrigins });
    const { port } = new URL(service.url);
    const browser = openBrowser(service);
    await browser.choose({ act_as: 'alice' });
    const json = { 'content-type': 'application/json' };
    const send = (method: string, path: string, headers: Record<string, string>) =>
      browser.request(method, path, { ...json, ...headers }, method === 'DELETE' ? undefined : JSON.stringify(entry));
    const neighbour = `http://127.0.0.1:${Number(port) + 1}`;
    for (const headers of [
      {},
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-site', origin: neighbour },
      { 'sec-fetch-site': 'same-site', origin: listed },
      { origin: neighbour },
      { origin: `${service.url}.evil.example` },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    ] as Record<string, string>[]) {
      for (const [method, path] of [
        ['POST', list],
        ['PUT', `${list}1/`],
        ['PATCH', `${list}1/`],
        ['DELETE', `${list}1/`],
        ['POST', '/session/'],
      ] as const) {
        const answered = await send(method, path, { ...html, ...headers });
        t.equal(answered.status, 403, `${method} ${path} ${JSON.stringify(headers)}`);
        t.match(answered.text, 'Only a page of this service may send this');
        t.equal(answered.headers['set-cookie'], undefined);
        t.equal(answered.headers['access-control-allow-credentials'], undefined);
      }
      t.equal((await send('POST', list, headers)).status, 401, 'JSON has no session');
    }
    t.match((await service.request('GET', list)).json, { count: 10 }, 'nothing was written');
    t.equal((await send('POST', list, { ...html, 'sec-fetch-site': 'same-origin' })).status, 201);
    t.equal(await lastPrincipal(service), 'alice');
    const deleted = await send('DELETE', `${list}1/`, { ...html, origin: service.url });
    t.equal(deleted.status, 200, 'an Origin alone is enough, where browsers send no Sec-Fetch-Site');
    const own = { ...html, authorization: `Token ${aliceToken}` };
    t.equal((await send('DELETE', `${list}2/`, own)).status, 200, 'a token of the request itself needs neither');
  }
});

await test('a session shows its user’s lists in strict mode too', async (t) => {
  const service = await startService(t, { anonymous: 'strict' });
  const browser = openBrowser(service);
  t.equal((await browser.get(list)).status, 404);
  await browser.choose({ act_as: 'alice' });
  t.equal((await browser.get(list)).status, 200);
});

await test('a cookie that the service did not sign, or of another name, is no session', async (t) => {
  const service = await startService(t);
  await service.request('PUT', '/_understudy/sandboxes/box');
  const tokenHash = sha256(aliceToken);
  const own = await cookieOf(service, { tokenHash });
  const [name = '', value = ''] = own.split('=');
  const [expires = '', hash = '', signature = ''] = value.split('.');
  const who = async (cookie: string, path = '/') =>
    whoIn(await service.request('GET', path, { headers: { ...followed, cookie } }));
  t.equal(await who(own), 'as alice');
  const last = signature.endsWith('A') ? 'B' : 'A';
  const bobs = sha256('wlu_bob_public_sample_token_000000000000').toString('base64url');
  for (const [what, forged] of Object.entries({
    'another signature': `${expires}.${hash}.${signature.slice(0, -1)}${last}`,
    'no signature': `${expires}.${hash}`,
    'an empty one': `${expires}.${hash}.`,
    'a longer one': `${value}A`,
    'a later end': `${Number(expires) + 1}.${hash}.${signature}`,
    'another token': `${expires}.${bobs}.${signature}`,
    'no token': `${expires}..${signature}`,
    'no end': `.${hash}.${signature}`,
    'a random id': 'x'.repeat(43),
  }))
    t.equal(await who(`${name}=${forged}`), 'no user', what);
  t.equal(await who(await cookieOf(service, { tokenHash, adminToken: 'guessed' })), 'no user', 'another key');
  t.equal(await who(await cookieOf(service, { tokenHash, secondsAgo: 3601 })), 'no user', 'an hour ago');
  const renamed = (other: string) => other.replace(/^[^=]+/, name);
  t.equal(await who(renamed(await cookieOf(service, { tokenHash, kind: 'console' }))), 'no user', 'of the console');
  const box = { tokenHash, prefix: '/sandboxes/box' };
  t.equal(await who(await cookieOf(service, box), '/sandboxes/box/'), 'as alice');
  t.equal(await who(renamed(await cookieOf(service, box))), 'no user', 'of another sandbox');
  t.equal(await who(`${name}-box=${value}`, '/sandboxes/box/'), 'no user', 'in another sandbox');
  t.equal(await who(`a=b; ${own}; c`), 'as alice');
  for (const cookie of [
    `${name}=`,
    name,
    `${name}="${value}"`,
    `${name}=${aliceToken}`,
    `${name.replace(/\d+$/, '1')}=${value}`,
    `${name.replace('user', 'console')}=${value}`,
    `x${own}`,
    '='.repeat(5000),
  ])
    t.equal(await who(cookie), 'no user', cookie.slice(0, 80));
});

await test('after the end of a session a user can be chosen again', async (t) => {
  const service = await startService(t);
  for (const cookie of [
    await cookieOf(service, { tokenHash: sha256(aliceToken), secondsAgo: 3601 }),
    await cookieOf(service, { tokenHash: sha256(aliceToken), adminToken: 'former' }),
    await cookieOf(service, { tokenHash: sha256('wlu_revoked') }),
    `understudy-user-${new URL(service.url).port}=${'x'.repeat(43)}`,
  ]) {
    const browser = openBrowser(service);
    t.equal((await browser.choose({ act_as: 'bob' }, { cookie })).status, 303, cookie);
    t.equal(await browser.who(), 'as bob');
  }
});

await test('services that share a database or an admin token know each other’s sessions', async (t) => {
  const host = 'tests.example';
  const sessionOf = async (options: Parameters<typeof startService>[1]) => {
    const service = await startService(t, options);
    const browser = openBrowser(service);
    await browser.choose({ act_as: 'alice' }, { host });
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const who = async (other: string) =>
      whoIn(await service.request('GET', '/', { headers: { ...followed, host, cookie: other } }));
    return { service, cookie, who };
  };
  const first = await sessionOf({});
  const second = await sessionOf({ databaseUrl: first.service.databaseUrl });
  t.equal(await second.who(first.cookie), 'as alice', 'one database');
  const apart = await sessionOf({});
  t.equal(await apart.who(first.cookie), 'no user', 'nothing in common');
  const [cell, another, stranger] = [
    await sessionOf(locked('correct-horse')),
    await sessionOf(locked('correct-horse')),
    await sessionOf({ ...locked('another-horse'), databaseUrl: first.service.databaseUrl }),
  ];
  t.equal(await another.who(cell.cookie), 'as alice', 'one admin token');
  t.equal(await stranger.who(cell.cookie), 'no user', 'another admin token');
  t.equal(await stranger.who(first.cookie), 'no user', 'of the time before the admin token');
});

await test('a key that could not be read is read again', async (t) => {
  const key = sha256('key');
  const answers = [() => Promise.reject(new Error('away')), async () => ({ rows: [{ key }] })];
  let asked = 0;
  const executeQuery = () => (answers[asked++] ?? answers[0])?.() as never;
  const sessions = createSessions({ act: () => ({ executeQuery }) }, undefined);
  const place = { kind: 'user', origin: 'http://a', prefix: '' } as const;
  await t.rejects(sessions.open(place, key), { message: 'away' });
  const cookie = (await sessions.open(place, key)).split(';')[0] ?? '';
  t.same(await sessions.find({ method: 'GET', headers: { cookie } }, place), key);
  t.equal(asked, 2, 'and then kept');
});

const cookieFor = async (
  options: Parameters<typeof startService>[1],
  t: Parameters<typeof startService>[0],
  headers: Record<string, string>,
  path = '/session/',
) => {
  const service = await startService(t, options);
  await service.request('PUT', '/_understudy/sandboxes/box');
  const answered = await service.request('POST', path, {
    headers: { ...followed, ...formType, ...headers },
    body: 'act_as=alice&next=api/',
  });
  return [answered.headers['set-cookie']?.replace(/=\d+\.[^;]{87};/, '=ID;'), answered.headers['location']];
};

await test('the cookie’s name, path and Secure follow from the URL that the browser knows', async (t) => {
  const rest = 'HttpOnly; SameSite=Strict';
  t.same(await cookieFor({}, t, { host: '127.0.0.1:9000' }), [
    `understudy-user-9000=ID; Max-Age=3600; Path=/; ${rest}`,
    'http://127.0.0.1:9000/api/',
  ]);
  t.same(await cookieFor({}, t, { host: 'understudy' }), [
    `understudy-user-80=ID; Max-Age=3600; Path=/; ${rest}`,
    'http://understudy/api/',
  ]);
  t.same(await cookieFor({ publicUrl: 'https://api.example/weblate' }, t, { origin: 'https://api.example' }), [
    `understudy-user-443=ID; Max-Age=3600; Path=/weblate/; ${rest}; Secure`,
    'https://api.example/weblate/api/',
  ]);
  const box = '/sandboxes/box/session/';
  t.same(await cookieFor({ publicUrl: 'http://api.example:81/weblate' }, t, {}, box), [
    `understudy-user-81-box=ID; Max-Age=3600; Path=/weblate/; ${rest}`,
    'http://api.example:81/weblate/sandboxes/box/api/',
  ]);
  const forwarded = { 'x-forwarded-host': 'front.example', 'x-forwarded-proto': 'https' };
  t.same(await cookieFor({ trustProxy: 1 }, t, forwarded, box), [
    `understudy-user-443-box=ID; Max-Age=3600; Path=/; ${rest}; Secure`,
    'https://front.example/sandboxes/box/api/',
  ]);
  t.match(await cookieFor({}, t, { ...forwarded, host: 'a:1' }), [/^understudy-user-1=.*Strict$/, 'http://a:1/api/']);
  t.match(await cookieFor({}, t, {}, '/sandboxes/default/session/'), [
    /^understudy-user-\d+=ID; Max-Age=3600; Path=\/;/,
  ]);
});

await test('behind a public URL or a proxy, its own origin is the one that the browser knows', async (t) => {
  for (const [options, sent, own] of [
    [{ publicUrl: 'https://api.example/weblate' }, {}, 'https://api.example'],
    [{ publicUrl: 'https://api.example:443/weblate' }, {}, 'https://api.example'],
    [{ trustProxy: 1 }, { 'x-forwarded-host': 'front.example', 'x-forwarded-proto': 'https' }, 'https://front.example'],
    [{}, { host: 'Mapped.Example:9000' }, 'http://mapped.example:9000'],
  ] as const) {
    const service = await startService(t, options);
    const post = async (origin: string) => {
      const headers = { accept: 'text/html', ...formType, ...sent, origin };
      return (await service.request('POST', '/session/', { headers, body: 'act_as=alice' })).status;
    };
    t.equal(await post(own), 303, own);
    for (const other of [`${own}:1`, own.replace(/^https?/, 'ftp'), 'http://evil.example', service.url])
      t.equal(await post(other), 403, other);
  }
});

await test('a session of one sandbox doesn’t count in another', async (t) => {
  const service = await startService(t);
  for (const name of ['box', 'box-2']) await service.request('PUT', `/_understudy/sandboxes/${name}`);
  const ofDefault = openBrowser(service);
  await ofDefault.choose({ act_as: 'alice' });
  const ofBox = openBrowser(service, '/sandboxes/box');
  await ofBox.choose({ act_as: 'bob' });
  const both = [...ofDefault.cookies, ...ofBox.cookies].map((pair) => pair.join('=')).join('; ');
  const ids = [...ofDefault.cookies.values(), ...ofBox.cookies.values()];
  const who = async (path: string, cookie: string) =>
    whoIn(await service.request('GET', path, { headers: { ...followed, cookie } }));
  // As browsers send them, and in the other order.
  for (const cookie of [both, both.split('; ').toReversed().join('; ')]) {
    t.equal(await who('/', cookie), 'as alice');
    t.equal(await who('/sandboxes/box/', cookie), 'as bob');
    t.equal(await who('/sandboxes/box-2/', cookie), 'no user');
    t.equal(await who('/sandboxes/default/api/', cookie), 'as alice');
  }
  const { port } = new URL(service.url);
  for (const id of ids)
    t.equal(await who('/sandboxes/box-2/', `understudy-user-${port}-box-2=${id}`), 'no user', 'renamed');
  // A header that names a sandbox brings no cookie into it.
  const headers = { ...followed, cookie: both, 'x-understudy-sandbox': 'box' };
  await service.request('GET', '/api/users/', { headers });
  t.equal(await lastPrincipal(service, 'box'), null);
});

const api = { accept: '*/*' };

await test('the cookie counts for pages and for what a page of the service sent, and for no other request', async (t) => {
  // What CORS allows changes nothing about cookies.
  const service = await startService(t, { corsOrigins: ['http://127.0.0.1:5173'] });
  const own = { origin: service.url };
  const browser = openBrowser(service);
  await browser.choose({ act_as: 'alice' });
  const { port } = new URL(service.url);

  const counting: [string, string, Record<string, string>][] = [
    ['an address that was entered', 'GET', entered],
    ['a link of the service', 'GET', followed],
    ['a navigation of a browser that sends no Sec-Fetch headers', 'GET', html],
    ['format=api', 'GET /?format=api', { ...api, 'sec-fetch-site': 'same-origin' }],
    ['a script of the service', 'GET', { ...html, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['a script where no Sec-Fetch headers are sent', 'GET', { ...html, ...own }],
    ['HEAD from the service', 'HEAD', followed],
  ];
  const ignored: [string, string, Record<string, string>][] = [
    ['JSON by a program', 'GET', {}],
    ['JSON, though the service’s page asks', 'GET', { ...api, 'sec-fetch-site': 'same-origin', ...own }],
    ['format=json of a navigation', 'GET /?format=json', followed],
    ['CSV', 'GET /?format=csv', followed],
    ['another origin', 'GET', { ...html, origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a listed origin', 'GET', { ...html, origin: 'http://127.0.0.1:5173', 'sec-fetch-site': 'same-site' }],
    ['another port', 'GET', { ...html, origin: `http://127.0.0.1:${Number(port) + 1}` }],
    ['another scheme', 'GET', { ...html, origin: service.url.replace('http:', 'https:') }],
    ['no origin', 'GET', { ...html, origin: 'null' }],
    ['an origin that only begins so', 'GET', { ...html, origin: `${service.url}0` }],
    ['an image of another site', 'GET', { ...html, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['an image of another port', 'GET', { ...html, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
    ['HEAD of another site', 'HEAD', { ...html, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['HEAD of no page', 'HEAD', html],
  ];
  for (const [rows, principal] of [
    [counting, 'alice'],
    [ignored, null],
  ] as const)
    for (const [what, method, headers] of rows) {
      const [verb = '', query = '/'] = method.split(' ');
      await browser.request(verb, list + query.slice(1), headers);
      t.equal(await lastPrincipal(service), principal, what);
    }
});
