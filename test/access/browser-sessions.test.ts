// What a browser's session is: its cookie, what the database has of it, and what it allows.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { test } from 'tap';
import { addSession } from '../../src/browser/queries.ts';
import { startService } from '../support/service.ts';
import { html, lastPrincipal, openBrowser } from './as-browser.ts';

const list = '/api/users/alice/notifications/';
const aliceToken = 'wlu_alice_public_sample_token_0000000000';
const entry = { notification: 'LockNotification', scope: 20, frequency: 1 };
const sha256 = (text: string) => createHash('sha256').update(text).digest();

await test('the cookie is a random id; the database has hashes, for an hour', async (t) => {
  const service = await startService(t);
  const { port } = new URL(service.url);
  const browser = openBrowser(service);
  const answered = await browser.choose({ act_as: 'alice' });
  t.equal(answered.status, 303);
  const [pair = '', ...attributes] = answered.headers['set-cookie']?.split('; ') ?? [];
  const [name, id = ''] = pair.split('=');
  t.equal(name, `understudy-user-${port}`);
  t.match(id, /^[A-Za-z0-9_-]{43}$/);
  t.same(attributes, ['Path=/', 'HttpOnly', 'SameSite=Strict']);
  const { rows } = await sql<{ hash: Buffer; token_hash: Buffer; seconds: number; row: string }>`
    select hash, token_hash, extract(epoch from expires_at - now())::float8 as seconds, b::text as row
    from understudy.browser_sessions b`.execute(service.database.pool);
  t.equal(rows.length, 1);
  t.same(rows[0]?.hash, sha256(id));
  t.same(rows[0]?.token_hash, sha256(aliceToken));
  t.ok((rows[0]?.seconds ?? 0) > 3500 && (rows[0]?.seconds ?? 0) <= 3600);
  t.notOk(rows[0]?.row.includes(id));
  const another = openBrowser(service);
  await another.choose({ act_as: 'alice' });
  t.not(another.cookies.get(name ?? ''), id);
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

await test('faults and rate limits of a user meet its pages', async (t) => {
  const service = await startService(t, { rateLimits: { anonymous: 'off', user: '2/day' } });
  const rules = [{ name: 'for alice', user: 'alice', status: 418 }];
  await service.request('PUT', '/_understudy/sandboxes/default/faults', { json: { rules } });
  const [alice, bob] = [openBrowser(service), openBrowser(service)];
  await alice.choose({ act_as: 'alice' });
  await bob.choose({ act_as: 'bob' });
  const statuses = [];
  for (const browser of [alice, bob, bob, bob]) statuses.push((await browser.get('/api/')).status);
  t.same(statuses, [418, 200, 200, 429]);
  t.equal((await service.request('GET', '/api/', { as: 'bob' })).status, 429, 'the count is that of the user');
});

await test('a change needs the token of the form', async (t) => {
  const service = await startService(t);
  const browser = openBrowser(service);
  await browser.choose({ act_as: 'alice' });
  const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/')).text)?.[1] ?? '';
  const json = { 'content-type': 'application/json' };
  const post = (headers: Record<string, string>) =>
    browser.request(
      'POST',
      list,
      { ...html, ...json, 'sec-fetch-site': 'same-origin', ...headers },
      JSON.stringify(entry),
    );
  const other = openBrowser(service);
  await other.choose({ act_as: 'alice' });
  const othersCsrf = /name="csrf" value="([^"]+)"/.exec((await other.get('/')).text)?.[1] ?? '';
  t.not(csrf, othersCsrf);
  for (const [what, headers] of Object.entries({
    none: {},
    'an empty one': { 'x-csrf-token': '' },
    'a part': { 'x-csrf-token': csrf.slice(0, -1) },
    'that of another session': { 'x-csrf-token': othersCsrf },
    'the cookie itself': { 'x-csrf-token': [...browser.cookies.values()][0] ?? '' },
  })) {
    const answered = await post(headers);
    t.equal(answered.status, 403, what);
    t.match(answered.text, 'reload the page, and send the form again');
  }
  t.match((await service.request('GET', list)).json, { count: 10 }, 'nothing was written');
  t.equal((await post({ 'x-csrf-token': csrf })).status, 201);
  t.equal(await lastPrincipal(service), 'alice');
});

await test('in strict mode too', async (t) => {
  const service = await startService(t, { anonymous: 'strict' });
  const browser = openBrowser(service);
  t.equal((await browser.get(list)).status, 404);
  await browser.choose({ act_as: 'alice' });
  t.equal((await browser.get(list)).status, 200);
});

await test('a sandbox keeps a thousand sessions, the newest', async (t) => {
  const service = await startService(t);
  const browser = openBrowser(service);
  const add = (n: number) =>
    addSession(service.database.writes('default'), {
      sandbox: 'default',
      hash: sha256(`${n}`),
      token_hash: sha256(aliceToken),
      lifetime_seconds: n,
    });
  const count = async () =>
    (
      await sql<{ n: number }>`select count(*)::int as n from understudy.browser_sessions`.execute(
        service.database.pool,
      )
    ).rows[0]?.n;
  await Promise.all(Array.from({ length: 999 }, (_, n) => add(n + 10)));
  await browser.choose({ act_as: 'alice' });
  t.equal(await count(), 1000);
  await add(3599);
  t.equal(await count(), 1000);
  const { rows } = await sql`select from understudy.browser_sessions where hash = ${sha256('10')}`.execute(
    service.database.pool,
  );
  t.same(rows, [], 'the one that ends first is gone');
  t.equal(await browser.who(), 'as alice');
  await sql`update understudy.browser_sessions set expires_at = now() - interval '1 second'`.execute(
    service.database.pool,
  );
  await add(3598);
  t.equal(await count(), 1, 'and those that ended');
});
