// A request of the journal is explained, and sent again as the same user.
import { test } from 'tap';
import { type Ask, type Service, startService } from '../support/service.ts';
import { openConsole, type Shown, textsOf } from '../support/person.ts';

const list = '/api/users/bob/notifications/';
const entry = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };
const journal = 'console/default/journal/';

interface Listed {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly principal: string | null;
  readonly from_page: boolean;
  readonly request_headers: object;
  readonly request_body: string | null;
  readonly response_body: string | null;
}

const read = async (service: Service, sandbox = 'default') =>
  ((await service.request('GET', `/_understudy/sandboxes/${sandbox}/requests`)).json as { requests: Listed[] })
    .requests;
const lastOf = async (service: Service) => (await read(service)).at(-1) as Listed;

/** The page of the last entry. */
const showLast = async (service: Service, place = journal): Promise<Shown> =>
  openConsole(service).get(`${place}${(await lastOf(service)).id}/`);
const compared = ({ method, path, status, principal, request_body }: Listed) => ({
  method,
  path,
  status,
  principal,
  request_body,
});
/** After the notices of the frame. */
const reasonOf = (page: Shown) => textsOf(page, '.notice').at(-1);
const isOffered = ({ text }: Shown) => /action="[^"]*\/again\/"/.test(text);

async function again(service: Service, place = journal): Promise<Listed> {
  const { id } = await lastOf(service);
  const answered = await openConsole(service).post(`${place}${id}/again/`);
  const made = await lastOf(service);
  if (answered.headers['location'] !== `${service.url}/_understudy/${place}${made.id}/?again=${id}`)
    throw new Error(`leads to ${answered.headers['location']}`);
  return made;
}

await test('a request is sent again as the same user, and both entries are linked', async (t) => {
  const service = await startService(t);
  await service.request('POST', list, {
    as: 'bob',
    json: entry,
    headers: { 'user-agent': 'mine', 'x-request-id': '7' },
  });
  const first = await lastOf(service);
  t.match(first, { status: 201, from_page: false });
  await service.request('DELETE', `${list}${(JSON.parse(first.response_body ?? '') as { id: number }).id}/`, {
    as: 'bob',
  });
  t.equal(isOffered(await showLast(service)), true);
  const url = `${journal}${first.id}/again/`;
  const answered = await openConsole(service).post(url);
  const made = await lastOf(service);
  t.equal(answered.headers['location'], `${service.url}/_understudy/${journal}${made.id}/?again=${first.id}`);
  const { method, path, principal, request_headers, request_body } = first;
  t.match(made, { method, path, principal, request_headers, request_body, status: 201, from_page: true });
  t.notOk('authorization' in made.request_headers);
  const page = await openConsole(service).get(`${journal}${made.id}/?again=${first.id}`);
  t.match(textsOf(page, '.notice')[0], /^Sent again: this is the new request\./);
  t.match(page.text, `href="${service.url}/_understudy/${journal}${first.id}/"`);
  t.match((await again(service)).response_body, /unique/, 'and once more');
});

await test('a request without a token, a form, a query and an odd path are sent as they were', async (t) => {
  const service = await startService(t);
  const form = {
    body: 'notification=RepositoryNotification&scope=30&frequency=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
  for (const [method, path, ask] of [
    ['GET', `${list}?page=2&x=%2F`, {}],
    ['POST', list, { as: 'bob', ...form }],
    ['DELETE', '/api/../_understudy/sandboxes/default', { as: 'admin' }],
    ['HEAD', '/api/users/%2e%2e/', { as: 'admin' }],
    ['PATCH', '/api/users/bob/', { as: 'bob', json: { full_name: '😀 \u202e' } }],
  ] as [string, string, Ask][]) {
    await service.request(method, path, ask);
    const first = await lastOf(service);
    const made = await again(service);
    t.same(compared(made), compared(first), `${method} ${path}`);
    t.equal(made.from_page, true);
  }
});

await test('a request that can’t be sent again is not, and its page says why', async (t) => {
  const journalBounds = { entries: 100, headBytes: 1 << 20, bodyBytes: 4000 };
  const service = await startService(t, { journalBounds });
  const ofJson = { 'content-type': 'application/json' };
  const make = { username: 'eve', email: 'eve@example.com', full_name: 'Eve' };
  await service.request('POST', '/api/users/', { as: 'admin', json: make });
  const { json } = await service.request('POST', '/_understudy/sandboxes/default/tokens', {
    json: { username: 'eve' },
  });
  const token = (json as { token: string }).token;
  const cases: readonly (readonly [RegExp, Ask, string?])[] = [
    [/its body isn’t whole: the journal keeps its first 2000 characters/, { as: 'bob', json: { x: 'y'.repeat(3000) } }],
    [/its body is no text/, { as: 'bob', headers: ofJson, body: Buffer.from([0xff]) }],
    [/its header Authorization had no token/, { headers: { authorization: 'Basic eDp5' } }],
    [/its token was nobody’s/, { token: 'wlu_of_nobody' }],
    [/its address had a token/, { as: 'bob' }, '/api/?token=wlu_secret'],
    [/eve has no token any more, has another name now, or is gone/, { token }],
  ];
  for (const [reason, ask, path = list] of cases) {
    await service.request('POST', path, ask);
    const { id } = await lastOf(service);
    if (ask.token === token) await service.request('DELETE', '/api/users/eve/', { as: 'admin' });
    const page = await openConsole(service).get(`${journal}${id}/`);
    t.match(textsOf(page, '.hint').join(' '), reason);
    t.notOk(isOffered(page), String(reason));
    const before = (await read(service)).length;
    const answered = await openConsole(service).post(`${journal}${id}/again/`);
    t.equal(answered.headers['location'], `${service.url}/_understudy/${journal}${id}/`);
    t.equal((await read(service)).length, before, 'nothing was sent');
  }
  await service.request('PATCH', '/api/users/bob/', { as: 'admin', json: { full_name: 'A' } });
  const { id } = await lastOf(service);
  for (let n = 0; n < 4; n++) await service.request('POST', list, { as: 'bob', json: { x: 'z'.repeat(1900) } });
  const page = await openConsole(service).get(`${journal}${id}/`);
  t.match(page.text, /its body isn’t whole: the journal has dropped it/);
});

await test('only a page of the console sends a request again', async (t) => {
  const access = { mode: 'on', token: 'correct-horse', allowedHosts: [], isLocal: true } as const;
  const closed = await startService(t, { admin: { maxSandboxes: 10, journalBytes: 1 << 20, access } });
  const service = await startService(t);
  await service.request('GET', list, { as: 'bob' });
  const { id } = await lastOf(service);
  const count = (await read(service)).length;
  const person = openConsole(service);
  t.equal((await person.post(`${journal}${id}/again/`, {}, { origin: 'https://evil.example' })).status, 403);
  t.equal((await person.get(`${journal}${id}/again/`)).status, 405);
  t.equal((await read(service)).length, count);
  t.equal((await openConsole(closed).post(`${journal}${id}/again/`)).status, 401);
  const claim = { 'x-understudy-again': '1', cookie: 'understudy-user=1' };
  await service.request('GET', list, { headers: claim });
  t.match(await lastOf(service), { from_page: false, principal: null }, 'no client can claim to be one');
});

await test('a request of another sandbox, and one that reached none, are sent again', async (t) => {
  const service = await startService(t);
  await service.request('GET', '/sandboxes/later/api/');
  const person = openConsole(service);
  const [, id] = /_understudy\/requests\/([0-9a-f]{8}-\d+)\//.exec((await person.get('requests/')).text) ?? [];
  t.ok(isOffered(await person.get(`requests/${id}/`)));
  await service.request('PUT', '/_understudy/sandboxes/later');
  const { headers } = await person.post(`requests/${id}/again/`);
  const [made] = await read(service, 'later');
  t.equal(headers['location'], `${service.url}/_understudy/console/later/journal/${made?.id}/?again=${id}`);
  t.match(made, { path: '/api/', status: 200, from_page: true });
  await service.request('GET', '/ap/');
  const [, other] = /_understudy\/requests\/([0-9a-f]{8}-\d+)\//.exec((await person.get('requests/')).text) ?? [];
  t.match((await person.get(`requests/${other}/`)).text, /it reached no sandbox/);
});

await test('sending again gives back what it took, also if a fault breaks the connection', async (t) => {
  const service = await startService(t, { maxRequests: 3 });
  const broken = { rules: [{ match: { method: 'PATCH' }, connection: 'close' }, { connection: 'cut' }] };
  await service.request('PUT', '/_understudy/sandboxes/default/faults', { json: broken });
  for (const method of ['PATCH', 'GET']) {
    await service.request(method, list, { as: 'bob' }).catch(() => undefined);
    for (let n = 0; n < 6; n++) t.match(await again(service), { method, principal: 'bob', from_page: true });
  }
  t.match((await showLast(service)).text, /The fault rule 2 was injected\./);
});

await test('an entry begins with the reason of its answer', async (t) => {
  const service = await startService(t, { rateLimits: { anonymous: 'off', user: '20/day' } });
  await service.request('PUT', '/_understudy/sandboxes/mine');
  await service.request('PUT', '/_understudy/sandboxes/other');
  const { json } = await service.request('POST', '/_understudy/sandboxes/other/tokens', { json: { username: 'bob' } });
  const { token } = json as { token: string };
  const person = openConsole(service);
  for (const [method, path, ask, reason] of [
    ['GET', '/sandboxes/mine/api/users/bob', {}, 'The path lacks its final slash; did you mean /api/users/bob/?'],
    ['GET', '/sandboxes/mine/api/languages/', {}, 'Weblate serves languages; Understudy doesn’t mirror that.'],
    ['GET', '/sandboxes/mine/api/user/bob/', {}, 'Nothing is served at this path; did you mean /api/users/bob/?'],
    ['GET', '/sandboxes/mine/api/xyz/bob/', {}, 'Nothing is served at this path.'],
    ['GET', '/sandboxes/mine/api/users/', { token }, 'The token is of the sandbox "other".'],
    [
      'GET',
      '/sandboxes/mine/api/users/',
      { token: 'wlu_x' },
      'No user of this sandbox has the token: it was made elsewhere, or is no longer valid.',
    ],
    ['DELETE', '/sandboxes/mine/api/users/bob/', {}, 'The request has no token.'],
    [
      'POST',
      '/sandboxes/mine/api/users/',
      { as: 'bob', json: {} },
      'Refused to bob: it takes a superuser, or a group with the permission user.edit.',
    ],
    [
      'GET',
      '/sandboxes/mine/api/users/bob/notifications/999/',
      { as: 'bob' },
      'There is no such user or entry, or none that bob may see.',
    ],
    [
      'GET',
      '/sandboxes/mine/api/users/nobody/',
      {},
      'There is no such user or entry, or none that a request without a token may see.',
    ],
    ['PUT', '/sandboxes/mine/api/users/', { as: 'bob' }, 'The path takes GET, POST, HEAD, OPTIONS, and not PUT.'],
    [
      'POST',
      '/sandboxes/mine/api/users/bob/notifications/',
      { as: 'bob', json: { ...entry, scope: 7 } },
      'scope: "7" is not a valid choice.',
    ],
  ] as [string, string, Ask, string][]) {
    await service.request(method, path, ask);
    const { id } = (await read(service, 'mine')).at(-1) as Listed;
    const page = await person.get(`console/mine/journal/${id}/`);
    t.equal(reasonOf(page), reason, `${method} ${path}`);
    t.match((await person.get('console/mine/journal/')).elements.map(({ text }) => text).join(), reason, 'its row too');
  }
  for (let n = 0; n < 21; n++) await service.request('GET', list, { as: 'bob' });
  t.match(reasonOf(await showLast(service)), /^The rate limit of 20 requests was reached: wait \d+ s\.$/);
  await service.request('PUT', '/_understudy/sandboxes/mine/faults', {
    json: { rules: [{ name: 'busy', status: 503 }] },
  });
  await service.request('GET', '/sandboxes/mine/api/');
  const { id } = (await read(service, 'mine')).at(-1) as Listed;
  t.equal(reasonOf(await person.get(`console/mine/journal/${id}/`)), 'The fault rule busy was injected.');
  for (const [path, reason] of [
    ['/sandboxes/mime/api/', 'No sandbox is named mime; did you mean mine?'],
    ['/users/bob/', 'Nothing is served at this path; did you mean /api/users/bob/?'],
    ['/sandboxes/mine/users/', 'Nothing is served at this path; did you mean /sandboxes/mine/api/users/?'],
  ] as const) {
    await service.request('GET', path);
    const [, ofRow] = /_understudy\/requests\/([0-9a-f]{8}-\d+)\//.exec((await person.get('requests/')).text) ?? [];
    t.equal(reasonOf(await person.get(`requests/${ofRow}/`)), reason, path);
  }
});
