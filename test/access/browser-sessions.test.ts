// What a browser's session is: a signed cookie, and what it allows.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { test } from 'tap';
import { createSessions } from '../../src/pages/session/sessions.ts';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { startService } from '../support/service.ts';
import { cookieOf, followed, html, lastPrincipal, openBrowser, whoIn } from '../support/as-browser.ts';

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

await test('faults and rate limits of a user apply to its pages', async (t) => {
  const service = await startService(t, { rateLimits: { anonymous: 'off', user: '2/day' } });
  const rules = [{ name: 'for alice', match: { user: 'alice' }, status: 418 }];
  await service.request('PUT', '/_understudy/sandboxes/default/faults', { json: { rules } });
  const [alice, bob] = [openBrowser(service), openBrowser(service)];
  await alice.choose({ act_as: 'alice' });
  await bob.choose({ act_as: 'bob' });
  const statuses = [];
  for (const browser of [alice, bob, bob, bob]) statuses.push((await browser.get('/api/')).status);
  t.same(statuses, [418, 200, 200, 429]);
  t.equal((await service.request('GET', '/api/', { as: 'bob' })).status, 429, 'the count is that of the user');
});

await test('a change needs the origin of the service', async (t) => {
  const service = await startService(t);
  const { port } = new URL(service.url);
  const browser = openBrowser(service);
  await browser.choose({ act_as: 'alice' });
  const send = (method: string, path: string, headers: Record<string, string>) =>
    browser.request(
      method,
      path,
      { ...html, 'content-type': 'application/json', ...headers },
      method === 'DELETE' ? undefined : JSON.stringify(entry),
    );
  const neighbour = `http://127.0.0.1:${Number(port) + 1}`;
  for (const headers of [
    {},
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-site', origin: neighbour },
    { origin: neighbour },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  ] as Record<string, string>[])
    for (const [method, path] of [
      ['POST', list],
      ['PUT', `${list}1/`],
      ['PATCH', `${list}1/`],
      ['DELETE', `${list}1/`],
      ['POST', '/session/'],
    ] as const) {
      const answered = await send(method, path, headers);
      t.equal(answered.status, 403, `${method} ${path} ${JSON.stringify(headers)}`);
      t.match(answered.text, 'Only a page of this service may send this');
      t.equal(answered.headers['set-cookie'], undefined);
    }
  t.match((await service.request('GET', list)).json, { count: 10 }, 'nothing was written');
  t.equal((await send('POST', list, { 'sec-fetch-site': 'same-origin' })).status, 201);
  t.equal(await lastPrincipal(service), 'alice');
  const deleted = await send('DELETE', `${list}1/`, { origin: service.url });
  t.equal(deleted.status, 200, 'an Origin alone is enough, where browsers send no Sec-Fetch-Site');
  const own = { authorization: `Token ${aliceToken}` };
  t.equal((await send('DELETE', `${list}2/`, own)).status, 200, 'a token of the request itself needs neither');
});

await test('a session shows its user’s lists in strict mode too', async (t) => {
  const service = await startService(t, { anonymous: 'strict' });
  const browser = openBrowser(service);
  t.equal((await browser.get(list)).status, 404);
  await browser.choose({ act_as: 'alice' });
  t.equal((await browser.get(list)).status, 200);
});

await test('a cookie that the service did not sign is no session', async (t) => {
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
