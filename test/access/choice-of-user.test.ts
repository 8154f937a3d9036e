// The choice of user: its form, what it refuses, and what ends it.
import { sql } from 'kysely';
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { choicesIn, followed, formType, html, lastPrincipal, openBrowser, whoIn, wrongIn } from './as-browser.ts';

const list = '/api/users/alice/notifications/';
const aliceToken = 'wlu_alice_public_sample_token_0000000000';

await test('only a page of the service can choose', async (t) => {
  const service = await startService(t);
  const browser = openBrowser(service);
  const send = (headers: Record<string, string>) =>
    browser.request('POST', '/session/', { ...html, ...formType, ...headers }, 'act_as=alice');
  for (const headers of [
    {},
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: `${service.url}.evil.example` },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ] as Record<string, string>[]) {
    const answered = await send(headers);
    t.equal(answered.status, 403, JSON.stringify(headers));
    t.equal(answered.headers['set-cookie'], undefined);
    t.match(wrongIn(answered).join(), 'The form is not of this session and origin');
  }
  t.equal((await send({ origin: service.url })).status, 303, 'its own, where no Sec-Fetch headers are sent');
  t.equal(await browser.who(), 'as alice');
});

await test('once there is a session, its form has a token', async (t) => {
  const service = await startService(t);
  const [browser, other] = [openBrowser(service), openBrowser(service)];
  await browser.choose({ act_as: 'alice' });
  await other.choose({ act_as: 'alice' });
  const others = /name="csrf" value="([^"]+)"/.exec((await other.get('/')).text)?.[1] ?? '';
  for (const csrf of ['', 'x', others]) {
    t.equal((await browser.choose({ act_as: 'bob', csrf })).status, 403, csrf);
    t.equal(await browser.who(), 'as alice');
  }
  // A program's Accept changes nothing.
  const asProgram = { ...followed, ...formType, accept: '*/*' };
  t.equal((await browser.request('POST', '/session/', asProgram, 'act_as=bob')).status, 403);
  t.equal((await browser.choose({ act_as: 'bob' })).status, 303);
  t.equal(await browser.who(), 'as bob');
  const { rows } = await sql`select from understudy.browser_sessions`.execute(service.database.pool);
  t.equal(rows.length, 2, 'the former session is gone');
});

await test('the users are those with public tokens, whatever the service started with', async (t) => {
  const names = ['admin', 'alice', 'bob', 'carol', 'dave', 'erin', 'jürgen'];
  const service = await startService(t, { seed: null });
  const browser = openBrowser(service);
  const choices = async () => choicesIn(await browser.get('/'));
  t.same(await choices(), [''], 'an empty one has none');
  await service.request('PUT', '/_understudy/sandboxes/box', { json: { from: 'documented' } });
  t.same(choicesIn(await browser.get('/sandboxes/box/')), [...names, '']);
  const seed = {
    users: [
      { username: 'zoe', token: 'wlu_zoe' },
      { username: 'alicia', token: aliceToken },
    ],
  };
  await service.request('PUT', '/_understudy/sandboxes/default/seed', { json: seed });
  t.same(await choices(), ['alicia', ''], 'a token of a seed that ships is public, another one is not');
  t.equal((await browser.choose({ act_as: 'zoe' })).status, 400);
  t.equal((await browser.choose({ act_as: 'alice' })).status, 400);
  t.match(wrongIn(await browser.choose({ act_as: 'zoe' })), ['No such user has a public token.']);
  t.equal((await browser.choose({ act_as: 'alicia' })).status, 303);
  t.equal(await browser.who(), 'as alicia');
});

await test('with a token', async (t) => {
  const service = await startService(t, { seed: null });
  const seed = {
    users: [
      { username: 'zoe', token: 'wlu_zoe' },
      { username: 'old', token: 'wlu_old', is_active: false },
    ],
  };
  await service.request('PUT', '/_understudy/sandboxes/default/seed', { json: seed });
  const browser = openBrowser(service);
  for (const [token, status, words] of [
    ['wlu_nonsense', 400, 'Invalid token.'],
    ['wlu_old', 400, 'User inactive or deleted.'],
    [aliceToken, 400, 'Invalid token.'],
    [' ', 400, 'This field may not be blank.'],
    ['\0"><script>', 400, 'Invalid token.'],
  ] as const) {
    const answered = await browser.choose({ token, next: '/api/users/' });
    t.equal(answered.status, status, token);
    t.same(wrongIn(answered), [words]);
    t.match(answered.text, 'name="next" value="/api/users/"', 'the form is there again');
    t.match(answered.text, 'aria-invalid="true" aria-describedby="wrong-token"');
    t.notMatch(answered.text, token.trim() === '' ? 'never' : token, 'without the token');
    t.equal(answered.headers['set-cookie'], undefined);
  }
  const answered = await browser.choose({ token: ' wlu_zoe ' });
  t.equal(answered.status, 303);
  t.equal(await browser.who(), 'as zoe');
  t.notMatch((await browser.get('/')).text, 'wlu_zoe', 'no page shows a token that isn’t public');
});

await test('where it leads', async (t) => {
  const service = await startService(t);
  const next = async (to: string) =>
    (await openBrowser(service).choose({ act_as: 'alice', next: to })).headers['location'];
  t.equal(await next(`${service.url}${list}?page=2`), `${service.url}${list}?page=2`);
  t.equal(await next('/api/docs/'), `${service.url}/api/docs/`);
  for (const elsewhere of [
    '',
    'http://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    '/\\evil.example',
    'x:',
  ])
    t.equal(await next(elsewhere), `${service.url}/`, elsewhere);
});

await test('a page of its own', async (t) => {
  const service = await startService(t);
  const browser = openBrowser(service);
  const page = await browser.get('/session/?next=/api/users/');
  t.equal(page.status, 200);
  t.match(page.headers, { 'content-security-policy': "script-src 'self'", 'cache-control': 'private, no-cache' });
  t.equal(choicesIn(page).length, 8);
  t.match(page.text, 'name="next" value="/api/users/"');
  t.equal((await browser.request('HEAD', '/session/', followed)).status, 200);
  const long = await browser.choose({ token: 'x'.repeat(9000) });
  t.equal(long.status, 413);
  t.match(long.headers['content-type'], 'text/html');
  t.equal((await browser.request('PUT', '/session/', followed)).status, 404);
  t.equal((await openBrowser(service, '/sandboxes/none').choose({ token: aliceToken })).status, 404);
});

await test('signing out', async (t) => {
  const service = await startService(t);
  const browser = openBrowser(service);
  await browser.choose({ act_as: 'alice' });
  const [[name, id] = []] = browser.cookies;
  const answered = await browser.choose({ act_as: '' });
  t.equal(answered.headers['set-cookie'], `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict`);
  t.equal(await browser.who(), 'no user');
  t.equal(
    await browser.who({ ...followed, cookie: `${name}=${id}` }),
    'session ended',
    'the database has forgotten it',
  );
});

await test('what ends it is said', async (suite) => {
  const service = await startService(suite);
  const signedIn = async (base = '') => {
    const browser = openBrowser(service, base);
    await browser.choose({ act_as: 'alice' });
    return browser;
  };

  await suite.test('an hour', async (t) => {
    const browser = await signedIn();
    await sql`update understudy.browser_sessions set expires_at = now()`.execute(service.database.pool);
    const page = await browser.get(list);
    t.equal(whoIn(page), 'session ended');
    t.match(page.text, 'Your session has ended');
    t.equal(await lastPrincipal(service), null);
    await browser.choose({ act_as: '' });
    t.equal(await browser.who(), 'no user');
  });

  await suite.test('a token that is gone, or whose user is inactive', async (t) => {
    const browser = await signedIn();
    await service.request('PATCH', '/api/users/alice/', { as: 'admin', json: { is_active: false } });
    t.equal(await browser.who(), 'token ended');
    const page = await browser.get(list);
    t.equal(page.status, 401);
    t.match(page.text, 'Your session’s token is no longer valid here');
    await service.request('POST', '/_understudy/sandboxes/default/reset');
    t.equal(await browser.who(), 'as alice', 'a reset brings the user back');
    await service.request('PUT', '/_understudy/sandboxes/default/seed', { json: { users: [{ username: 'alice' }] } });
    t.equal(await browser.who(), 'token ended');
  });

  for (const [what, acts] of [
    ['a drop', ['DELETE', 'PUT']],
    ['a replacement', ['PUT']],
  ] as const)
    await suite.test(`${what} of the sandbox`, async (t) => {
      const path = '/_understudy/sandboxes/box';
      const json = { from: 'documented' };
      await service.request('PUT', path, { json });
      const browser = await signedIn('/sandboxes/box');
      t.equal(await browser.who(), 'as alice');
      for (const act of acts) await service.request(act, path, act === 'PUT' ? { json } : {});
      t.equal(await browser.who(), 'session ended');
    });
});
