// The choice of user: its form, what it refuses, and what ends it.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { choicesIn, followed, openBrowser, wrongIn } from '../support/as-browser.ts';

const list = '/api/users/alice/notifications/';
const aliceToken = 'wlu_alice_public_sample_token_0000000000';

await test('an address that fails ten times within a minute waits', async (t) => {
  const service = await startService(t, { trustProxy: 1 });
  const choose = (fields: Record<string, string>, address = '192.0.2.1') =>
    openBrowser(service).choose(fields, { 'x-forwarded-for': address });
  t.equal((await choose({ token: aliceToken })).status, 303);
  for (let n = 1; n <= 10; n++) t.equal((await choose({ token: `wlu_${n}` })).status, 400);
  for (const token of ['wlu_11', aliceToken]) {
    const refused = await choose({ token, next: '/api/' });
    t.equal(refused.status, 429);
    t.match(refused.headers['retry-after'], /^\d+$/);
    t.equal(refused.headers['set-cookie'], undefined);
    t.match(wrongIn(refused).join(), 'throttled');
    t.match(refused.text, 'name="next" value="/api/"', 'the form is there again');
  }
  t.equal((await choose({ token: aliceToken }, '192.0.2.2')).status, 303, 'another address does not');
  t.equal((await choose({ act_as: 'alice' })).status, 303, 'a public user needs no token');
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200);
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

await test('a token chooses its user; a wrong one is refused and not shown', async (t) => {
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
    [' ', 400, 'Invalid token.'],
    ['\0"><script>', 400, 'Invalid token.'],
  ] as const) {
    const answered = await browser.choose({ token, next: '/api/users/' });
    t.equal(answered.status, status, token);
    t.same(wrongIn(answered), [words]);
    t.match(answered.text, 'name="next" value="/api/users/"', 'the form is there again');
    t.match(answered.text, /aria-describedby="act-with-error"\s+aria-invalid="true"/);
    t.notMatch(answered.text, token.trim() === '' ? 'never' : token, 'without the token');
    t.equal(answered.headers['set-cookie'], undefined);
  }
  const answered = await browser.choose({ token: ' wlu_zoe ' });
  t.equal(answered.status, 303);
  t.equal(await browser.who(), 'as zoe');
  t.notMatch((await browser.get('/')).text, 'wlu_zoe', 'no page shows a token that isn’t public');
});

await test('a choice leads to the page that it names if the service has it, and never elsewhere', async (t) => {
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

await test('the choice has a page of its own', async (t) => {
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

await test('signing out removes the cookie', async (t) => {
  const service = await startService(t);
  const browser = openBrowser(service);
  await browser.choose({ act_as: 'alice' });
  const [[name] = []] = browser.cookies;
  const answered = await browser.choose({ act_as: '' });
  t.equal(answered.headers['set-cookie'], `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict`);
  t.equal(await browser.who(), 'no user');
});

await test('a page says why a session ended', async (suite) => {
  const service = await startService(suite);
  const signedIn = async (base = '') => {
    const browser = openBrowser(service, base);
    await browser.choose({ act_as: 'alice' });
    return browser;
  };

  await suite.test('a revoked token or an inactive user', async (t) => {
    const browser = await signedIn();
    await service.request('PATCH', '/api/users/alice/', { as: 'admin', json: { is_active: false } });
    t.equal(await browser.who(), 'token ended');
    const page = await browser.get(list);
    t.equal(page.status, 401);
    t.match(page.text, 'Your session’s token is no longer valid here');
    const reason = 'The session has ended: its token is no longer valid.';
    t.equal(page.headers['x-understudy-hint'], reason);
    const { json } = await service.request('GET', '/_understudy/sandboxes/default/requests?status=401');
    t.match(json, { requests: [{ hint: reason }] }, 'the journal has it too');
    await service.request('POST', '/_understudy/sandboxes/default/reset');
    t.equal(await browser.who(), 'as alice', 'a reset brings the user back');
    await service.request('PUT', '/_understudy/sandboxes/default/seed', { json: { users: [{ username: 'alice' }] } });
    t.equal(await browser.who(), 'token ended');
  });

  await suite.test('a drop of the sandbox, or a new one without the token', async (t) => {
    const path = '/_understudy/sandboxes/box';
    await service.request('PUT', path, { json: { from: 'documented' } });
    const browser = await signedIn('/sandboxes/box');
    t.equal(await browser.who(), 'as alice');
    await service.request('DELETE', path);
    t.equal((await browser.get('/')).status, 404);
    await service.request('PUT', path, { json: { from: 'empty' } });
    t.equal(await browser.who(), 'token ended');
  });
});
