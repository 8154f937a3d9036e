// What the journal adds to a request and its answer.
import { type Test, test } from 'tap';
import { type Ask, type ServiceOptions, startService } from '../support/service.ts';

const list = '/api/users/bob/notifications/';
const base = '/_understudy/sandboxes/default';

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly principal: string | null;
  readonly principal_id: number | null;
  readonly hint: string | null;
  readonly not_mirrored: string | null;
  readonly error: object | null;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly response_headers: Readonly<Record<string, string>>;
  readonly from_page: boolean;
}

async function open(t: Test, options: ServiceOptions = {}) {
  const service = await startService(t, options);
  const read = async (path = `${base}/requests`) =>
    ((await service.request('GET', path)).json as { requests: Entry[] }).requests;
  /** Sends a request, and returns its entry. */
  const note = async (method: string, path: string, ask: Ask = {}) => {
    await service.request(method, path, ask);
    return (await read()).at(-1);
  };
  return { service, read, note };
}

await test('an entry keeps the user of its request', async (t) => {
  const { service, read, note } = await open(t);
  const admin = { as: 'admin' };
  await service.request('GET', list, { as: 'bob' });
  await service.request('PATCH', '/api/users/bob/', { ...admin, json: { username: 'robert' } });
  await service.request('GET', list.replace('bob', 'robert'), { as: 'bob' });
  await service.request('GET', '/api/users/', { token: 'wlu_of_nobody_yet' });
  await service.request('DELETE', '/api/users/robert/', admin);
  await service.request('PUT', `${base}/seed`, {
    json: { users: [{ username: 'zoe', email: 'zoe@example.com', tokens: ['wlu_of_nobody_yet'] }] },
  });
  const seen = (await read()).map(({ method, principal }) => `${method} ${principal}`);
  t.strictSame(seen, ['GET bob', 'PATCH admin', 'GET robert', 'GET null', 'DELETE admin']);
  const entries = await read();
  t.equal(entries[0]?.principal_id, entries[2]?.principal_id);
  t.type(entries[0]?.principal_id, 'number');
  t.equal(entries[3]?.principal_id, null);
  t.match(await note('GET', '/api/users/', { token: 'wlu_of_nobody_yet' }), { principal: 'zoe' });
});

await test('every entry has its user, even if no statement served the request', async (t) => {
  const { service, note } = await open(t);
  const as = 'admin';
  for (const [method, path, ask] of [
    ['GET', '/api/', {}],
    ['GET', '/api/users/', {}],
    ['GET', '/api/users/?is_active=x', {}],
    ['POST', '/api/users/', { json: { username: 'new', email: 'new@example.com', full_name: 'New' } }],
    ['POST', '/api/users/', { json: {} }],
    ['GET', '/api/users/new/', {}],
    ['PATCH', '/api/users/new/', { json: { full_name: 'Newer' } }],
    ['GET', '/api/users/new/statistics/', {}],
    ['POST', '/api/users/new/groups/', { json: { group_id: 1 } }],
    ['GET', '/api/users/new/notifications/', {}],
    [
      'POST',
      '/api/users/new/notifications/',
      { json: { notification: 'ParseErrorNotification', scope: 10, frequency: 1 } },
    ],
    ['PATCH', '/api/users/new/notifications/1/', { json: { frequency: 2 } }],
    ['DELETE', '/api/users/new/notifications/1/', {}],
    ['GET', '/api/users/new/notifications/1/', {}],
    ['DELETE', '/api/users/new/', {}],
    ['GET', '/api/groups/', {}],
    ['GET', '/api/groups/1/', {}],
    ['PATCH', '/api/groups/1/', { json: {} }],
    ['OPTIONS', '/api/users/admin/', {}],
    ['PUT', '/api/users/', {}],
    ['GET', '/api/nowhere/', {}],
    ['GET', '/api/users/?format=nothing', {}],
    ['POST', '/api/users/', { body: 'x', headers: { 'content-type': 'text/weird' } }],
  ] as const)
    t.match(await note(method, path, { as, ...ask }), { method, principal: 'admin' }, `${method} ${path}`);
  await service.request('PUT', `${base}/faults`, { json: { rules: [{ status: 503 }] } });
  t.match(await note('GET', list, { as: 'bob' }), { status: 503, principal: 'bob' }, 'a fault');
});

await test('requests that end together share the look-up of their token', async (t) => {
  const { service, read } = await open(t);
  await Promise.all(Array.from({ length: 30 }, () => service.request('GET', '/api/nowhere/', { as: 'bob' })));
  const entries = await read();
  t.equal(entries.length, 30);
  t.ok(entries.every(({ principal }) => principal === 'bob'));
});

await test('an entry has the reason of its answer', async (t) => {
  const { note } = await open(t);
  t.match(await note('GET', list.slice(0, -1)), {
    unmatched: true,
    hint: 'The path needs a slash at its end.',
    not_mirrored: null,
    error: { code: 'not_found', detail: 'Not found.', attr: null },
  });
  t.match(await note('GET', '/api/changes/'), { hint: null, not_mirrored: 'changes' });
  t.match(await note('POST', list, { as: 'bob', json: { scope: 10, notification: 'x' } }), {
    error: { code: 'invalid_choice', attr: 'notification' },
  });
  t.match(await note('GET', `${list}?page=9`, { headers: { accept: 'text/html' } }), {
    error: { code: 'not_found', detail: 'Invalid page.' },
    response_body: /^\{"type":"client_error"/,
  });
  t.match(await note('GET', list), { status: 200, error: null, hint: null });
  t.match(await note('GET', '/api/users/nobody/', { as: 'bob' }), { status: 404, hint: null });
  t.match(await note('GET', '/api/users/nobody/'), { status: 404, hint: /^The request has no token/ });
});

await test('the journal keeps the headers of a request, but for secrets', async (t) => {
  const { service, note } = await open(t, { rateLimits: { anonymous: '5/day', user: 'off' } });
  const headers = {
    accept: 'application/json',
    'user-agent': 'mine wlu_secret',
    'x-request-id': 'r-1',
    // Objects have one too.
    constructor: 'x',
    'if-match': '"wlu_secret"',
    'x-understudy-sandbox': 'default',
    cookie: 'a=b',
    'proxy-authorization': 'Basic eDp5',
  };
  const entry = await note('GET', list, { headers });
  t.strictSame(entry?.request_headers, {
    accept: 'application/json',
    'user-agent': 'mine wlu_…',
    'x-request-id': 'r-1',
    constructor: 'x',
    'if-match': '"wlu_…"',
    host: service.url.slice('http://'.length),
    connection: 'keep-alive',
  });
  const long = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`x-${n}`, 'x'.repeat(1500)]));
  const full = await note('POST', list, { json: {}, headers: { ...long, zuletzt: '1' } });
  t.equal(full?.request_headers['content-type'], 'application/json', 'which says how to read the body');
  t.equal(full?.request_headers['x-0'], 'x'.repeat(1000));
  const kept = Object.entries(full?.request_headers ?? {})
    .flat()
    .join('').length;
  t.ok(kept > 3000 && kept <= 4096, `${kept} characters`);
  t.match(entry?.response_headers, { allow: /^GET/, 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4' });
  const made = await note('POST', '/api/users/', {
    as: 'admin',
    json: { username: 'new', email: 'new@example.com', full_name: 'New' },
  });
  t.match(made?.request_headers, { 'content-type': 'application/json', authorization: undefined });
  t.match(made?.response_headers, { location: /\/api\/users\/new\/$/ });
});

await test('an entry says whether a page sent the request', async (t) => {
  const { service, note } = await open(t);
  const isFromPage = async (headers: Record<string, string>) =>
    (await note('POST', list, { as: 'bob', json: {}, headers }))?.from_page;
  t.equal(await isFromPage({ accept: 'text/html', origin: service.url }), true);
  t.equal(await isFromPage({ accept: 'text/html', 'sec-fetch-site': 'same-origin' }), true);
  t.equal(
    await isFromPage({ accept: 'text/html', 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }),
    true,
    'typed',
  );
  t.equal(await isFromPage({ accept: 'text/html', origin: 'http://localhost:5173' }), false);
  t.equal(await isFromPage({ accept: 'application/json', origin: service.url }), false, 'a client behind a proxy');
  t.equal(await isFromPage({}), false);
});

await test('requests that reach no sandbox have a journal of their own', async (t) => {
  const journalBounds = { entries: 200, headBytes: 1 << 20, bodyBytes: 1 << 20 };
  const { service, read } = await open(t, { journalBounds });
  const none = '/_understudy/requests?sandbox=-';
  await service.request('GET', '/ap/users/?page=2', { as: 'bob' });
  await service.request('GET', `/sandboxes/nowhere${list}?page=1`, { as: 'bob' });
  await service.request('GET', list, { headers: { 'x-understudy-sandbox': 'No' } });
  await service.request('GET', '/favicon.ico');
  await service.request('GET', list, { as: 'bob' });
  t.match(await read(none), [
    { path: '/ap/users/', query: 'page=2', status: 404, unmatched: true },
    {
      path: `/sandboxes/nowhere${list}`,
      query: 'page=1',
      status: 404,
      principal: null,
      error: { detail: 'No sandbox is named "nowhere".' },
    },
    { path: list, status: 404, error: { detail: 'No sandbox is named "No".' } },
  ]);
  t.equal((await read(none)).length, 3);
  t.equal((await read()).length, 1);
  const filtered = await service.request('GET', `${none}&path=/sandboxes/**`);
  t.equal((filtered.json as { requests: unknown[] }).requests.length, 1);
  for (let n = 0; n < 210; n++) await service.request('GET', `/nowhere/${n}`);
  const { json } = await service.request('GET', none);
  t.match(json, { dropped: 13 });
  t.equal((json as { requests: unknown[] }).requests.length, 200, 'their number is bounded');
  t.equal((await service.request('DELETE', '/_understudy/requests')).status, 204);
  t.strictSame(await read(none), []);
});
