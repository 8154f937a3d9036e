// POST …/requests/find: what it finds, and how it waits.
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { type Test, test } from 'tap';
import { createJournal, type Journal } from '../../src/traffic/journal/journal.ts';
import { compileMatch } from '../../src/traffic/match.ts';
import { findRequests } from '../../src/traffic/journal/expect.ts';
import { shownEntry } from '../../src/traffic/entry.ts';
import { createLists, type Lists, mostLists } from '../../src/traffic/journal/lists.ts';
import { findIn, startSearch } from '../../src/traffic/journal/search.ts';
import { createWaits, maxWaiting } from '../../src/traffic/journal/waits.ts';
import { statusOf } from '../support/raw.ts';
import { faultsOf, type ServiceOptions, startService } from '../support/service.ts';
import { keptEntry } from '../support/kept-entry.ts';

const base = '/_understudy/sandboxes';
const list = '/api/users/alice/notifications/';
const minute = 60_000;

interface Found {
  readonly count: number;
  readonly matched: boolean;
  readonly requests: readonly { readonly path: string; readonly principal: string | null }[];
  readonly near_misses: readonly { readonly request: { readonly path: string }; readonly differs: readonly object[] }[];
}

async function open(t: Test, options: ServiceOptions = {}) {
  const service = await startService(t, options);
  const ask = (json: unknown, name = 'default') => service.request('POST', `${base}/${name}/requests/find`, { json });
  const search = async (json: unknown, name?: string) => (await ask(json, name)).json as Found;
  const call = (path = list, as?: string) => service.request('GET', path, { ...(as !== undefined && { as }) });
  /** Resolves once the service's only slot is free again, though the search has no answer yet. */
  const untilIdle = async () => {
    while ((await service.request('GET', '/api/')).status === 503);
  };
  return { service, ask, search, call, untilIdle };
}

/** A service with a single slot, and a search that waits on it. */
async function startWaiting(t: Test, json: object) {
  const opened = await open(t, { maxRequests: 1 });
  const answer = opened.ask({ within_ms: minute, ...json });
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  await opened.untilIdle();
  t.equal(isAnswered, false);
  return { ...opened, answer };
}

await test('a search finds the requests that match', async (t) => {
  const { service, ask, search, call } = await open(t);
  await service.request('POST', list, { as: 'alice', json: { notification: 'x', scope: 10 } });
  await call(`${list}?page=1&page_size=5`, 'alice');
  await call('/api/nowhere/');
  const pathsOf = async (match: object) => (await search(match)).requests.map(({ path }) => path);
  t.strictSame(await pathsOf({}), [list, list, '/api/nowhere/']);
  t.strictSame(await pathsOf({ unmatched: true }), ['/api/nowhere/']);
  t.match(await search({ user: 'Alice', query: { page: 1 } }), {
    count: 1,
    matched: true,
    requests: [{ method: 'GET', path: list, query: 'page=1&page_size=5', principal: 'alice', status: 200 }],
    near_misses: [],
  });
  t.match(await search({ method: 'post', path: '/api/users/*/notifications/', body: { scope: 10 } }), {
    count: 1,
    requests: [{ request_body: '{"notification":"x","scope":10}' }],
  });
  t.match(await search({ user: null, times: 1 }), { count: 1, matched: true });
  t.match(await search({ times: { max: 2 } }), { count: 3, matched: false, near_misses: [] });
  t.match(await search({ times: { min: 3, max: 4 } }), { matched: true });
  t.match(await search({ method: 'PUT', times: 0 }), { count: 0, matched: true });
  const everything = await service.request('POST', `${base}/default/requests/find`);
  t.match(everything.json, { count: 3, matched: true }, 'without a body');
  t.strictSame(
    (everything.json as { requests: object[] }).requests,
    ((await service.request('GET', `${base}/default/requests`)).json as { requests: object[] }).requests,
    'as they are listed',
  );
  t.equal((await ask({}, 'nowhere')).status, 404);
});

await test('near misses are those with the fewest differences, then the latest, at most five', async (t) => {
  const { search, call } = await open(t);
  await call('/api/nowhere/1/');
  await call(`${list}?page=3`, 'alice');
  await call('/api/nowhere/2/', 'alice');
  await call(list, 'bob');
  for (const n of [3, 4, 5]) await call(`/api/nowhere/${n}/`);
  const match = { method: 'GET', path: list, user: 'alice', query: { page: 2 } };
  const { near_misses, ...rest } = await search(match);
  t.strictSame(rest, { count: 0, lost: 0, matched: false, dropped: 0, dropped_bodies: 0, requests: [] });
  const path = (received: string) => ({ field: 'path', expected: list, received });
  const page = { field: 'query.page', expected: '2' };
  const nobody = { field: 'user', expected: 'alice', received: null };
  t.strictSame(
    near_misses.map(({ differs }) => differs),
    [
      [{ field: 'query.page', expected: '2', received: '3' }],
      [{ field: 'user', expected: 'alice', received: 'bob' }, page],
      [path('/api/nowhere/2/'), page],
      [path('/api/nowhere/5/'), nobody, page],
      [path('/api/nowhere/4/'), nobody, page],
    ],
    'each with all that differs',
  );
  t.equal(near_misses[0]?.request.path, list);
  const paths = async (json: object) => (await search(json)).near_misses.map(({ request }) => request.path);
  t.strictSame(
    await paths({ method: 'PUT' }),
    [5, 4, 3].map((n) => `/api/nowhere/${n}/`).concat(list, '/api/nowhere/2/'),
    'with as many differences, the latest',
  );
  t.strictSame(
    await paths({ path: list, times: 3 }),
    [5, 4, 3, 2, 1].map((n) => `/api/nowhere/${n}/`),
  );
});

await test('no answer shows a token', async (t) => {
  const { service, ask, search } = await open(t);
  const token = 'wlu_abcdefghijklmnop';
  await service.request('POST', `${list}?key=${token}`, { json: { key: token } });
  const { text } = await ask({ query: { key: `${token}x`, a: 1 }, body: { key: `${token}x`, b: 1 } });
  t.match(text, /key=wlu_…/);
  t.notMatch(text, 'abcdef');
  t.match(await search({ body: { key: token } }), { count: 1 }, 'tokens are masked before the comparison');
});

const keeping = (entries: number) => ({
  journalBounds: { entries, headBytes: 1 << 20, bodyBytes: 3000 },
});

await test('what the journal has dropped meanwhile does not count', async (t) => {
  const { ask, search, call, untilIdle } = await open(t, { ...keeping(3), maxRequests: 1 });
  await call();
  const answer = ask({ path: list, times: { min: 2 }, within_ms: minute });
  await untilIdle();
  for (let n = 0; n < 3; n++) await call('/api/nowhere/');
  await call();
  t.match(await search({ path: list }), { count: 1 });
  await call();
  t.match((await answer).json, { count: 2, matched: true });
});

await test('what was dropped may have matched', async (t) => {
  const { service, search, call } = await open(t, keeping(3));
  const refuse = { count: 0, lost: 1, matched: false, dropped: 1 };
  for (let n = 0; n < 4; n++) await call();
  for (const times of [0, { max: 0 }, 1, { min: 1 }, { min: 0, max: 0 }])
    t.match(await search({ path: '/api/nowhere/', times }), refuse, JSON.stringify(times));
  t.match(await search({ path: '/api/nowhere/', times: { max: 1 } }), { ...refuse, matched: true });
  t.match(await search({ path: list, times: 3 }), { count: 3, lost: 1, matched: false }, 'there may be a fourth');
  t.match(await search({ path: list, times: { min: 3 } }), { count: 3, lost: 1, matched: true });
  t.match(await search({ times: 0, within_ms: minute }), { matched: false }, 'no wait changes that');
  for (const [method, path] of [
    ['DELETE', 'requests'],
    ['POST', 'reset'],
  ] as const) {
    for (let n = 0; n < 4; n++) await call();
    await service.request(method, `${base}/default/${path}`);
    t.match(await search({ times: 0 }), { count: 0, lost: 0, matched: true, dropped: 0, dropped_bodies: 0 });
  }
});

await test('bodies that were dropped may have matched', async (t) => {
  const { service, search, call } = await open(t, keeping(100));
  const post = (scope: number) =>
    service.request('POST', list, { as: 'alice', json: { scope, note: 'x'.repeat(1500) } });
  await post(10);
  await post(20);
  await call('/api/nowhere/');
  t.match(await search({ body: { scope: 20 }, times: 1 }), { count: 1, lost: 1, matched: false });
  t.match(await search({ body: { scope: 10 }, times: 0 }), {
    count: 0,
    lost: 1,
    dropped: 0,
    dropped_bodies: 1,
  });
  t.match(await search({ body: {}, path: '/api/nowhere/', times: 0 }), { lost: 0, matched: true });
  t.match(
    await search({ method: 'POST', times: 2 }),
    { count: 2, lost: 0, matched: true },
    'the search has no body to compare',
  );
});

await test('a search that waits compares each request once, however many follow', async (t) => {
  const { database } = await startService(t);
  const journal = createJournal(1 << 20);
  let watched = 0;
  const watching: Journal = {
    ...journal,
    watch: (...given) => (watched++, waiting.resolve(), journal.watch(...given)),
  };
  const waitFor = createWaits(watching, new AbortController().signal);
  const body = { path: '/api/**', method: 'GET', times: 150, within_ms: minute };
  const waiting = Promise.withResolvers<void>();
  const searched = findRequests(
    {
      params: { name: 'default' },
      body: Buffer.from(JSON.stringify(body)),
      contentType: 'application/json',
      becomeIdle: () => new AbortController().signal,
    } as unknown as Parameters<typeof findRequests>[0],
    { database, journal: watching, waitFor, lists: createLists(journal) },
  );
  for (let n = 0; n < 50; n++) journal.add('default', keptEntry({ path: `/api/before-${n}/` }));
  await waiting.promise;
  for (let n = 0; n < 100; n++) {
    journal.add('default', keptEntry({ path: `/api/then-${n}/` }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { content } = await searched;
  // A stream, for it is long.
  t.match(JSON.parse(await readText(content as Readable)), { count: 150, matched: true });
  t.equal(watched, 1);
});

await test('searches give way to other work by the time that they take', async (t) => {
  const journal = createJournal(1 << 24);
  for (let n = 0; n < 30; n++) journal.add('default', keptEntry({ path: `/api/${n}/` }));
  let rounds = 0;
  const count = () => (rounds++, (next = setImmediate(count)));
  let next = setImmediate(count);
  // Each comparison takes longer than a turn has.
  const fits = () => {
    for (const end = performance.now() + 6; performance.now() < end;);
    return true;
  };
  const matcher = { ...compileMatch({ method: 'GET' }), fits };
  const all = await Promise.all([1, 2].map(() => findIn(journal, ['default'], matcher)));
  clearImmediate(next);
  t.strictSame(
    all.map(({ found }) => found.length),
    [30, 30],
  );
  t.ok(rounds > 50, `${rounds} rounds of the event loop`);
});

await test('requests that are dropped while a search reads count as lost, once', async (t) => {
  const journal = createJournal(1 << 24, { entries: 1000, headBytes: 1 << 20, bodyBytes: 1 << 20 });
  for (let n = 0; n < 1000; n++) journal.add('default', keptEntry({ path: `/api/${n}/` }));
  const compared: number[] = [];
  const matcher = { fits: ({ number = 0 }) => compared.push(number) > 0, mayHaveFitted: () => false };
  const searched = startSearch(journal, 'default', -Infinity, [matcher]);
  const reading = searched.readNew();
  for (let n = 0; n < 30; n++) {
    journal.add('default', keptEntry({ path: '/api/more/' }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await reading;
  await searched.readNew();
  searched.readLatest();
  const { seen, lost } = searched.review();
  t.equal(seen.length + lost, 1030);
  t.equal(new Set(compared).size, compared.length, 'none is compared twice');
});

await test('all errors of a search are reported at once', async (t) => {
  const { ask } = await open(t);
  const refused = await ask({
    pth: '/',
    method: 1,
    path: 'x'.repeat(201),
    user: 1,
    query: { page: null },
    since: 'x-1',
    limit: -1,
    headers: { Accept: 'json', 'X-Other': 'a', authorization: 'b', 'X-Understudy-Sandbox': 'c' },
    body: { text: 'x'.repeat(2000) },
    status: 'ok',
    unmatched: 'yes',
    times: { min: 2, max: 1 },
    within_ms: minute + 1,
  });
  t.equal(refused.status, 400);
  t.strictSame(faultsOf(refused), [
    'pth unknown',
    'method invalid',
    'path invalid',
    'user invalid',
    'query invalid',
    'status invalid',
    'unmatched invalid',
    'times.min invalid',
    'within_ms invalid',
    'limit invalid',
    'headers.authorization invalid',
    'headers.X-Understudy-Sandbox invalid',
    'body invalid',
    'since invalid',
  ]);
  for (const [times, ...faults] of [
    [{}, 'times invalid'],
    [-1, 'times invalid'],
    [null, 'times invalid'],
    [{ mn: 1 }, 'times.mn unknown'],
    [{ min: -1, max: 'x' }, 'times.min invalid', 'times.max invalid'],
  ])
    t.strictSame(faultsOf(await ask({ times })), faults);
});

await test('a service without a journal answers 409', async (t) => {
  const { ask } = await open(t, {
    admin: {
      access: { mode: 'on', token: undefined, allowedHosts: [], isLocal: true },
      maxSandboxes: 10,
      journalBytes: 0,
    },
  });
  t.match(await ask({ times: 0 }), { status: 409, text: /UNDERSTUDY_JOURNAL_BYTES is 0/ });
});

await test('a search holds no slot while it waits for the expected requests', async (t) => {
  const { search, call, answer } = await startWaiting(t, { path: list, user: 'alice', times: 2 });
  await call(list, 'bob');
  await call(list, 'alice');
  await call('/api/nowhere/', 'alice');
  t.match(await search({ path: list, user: 'alice' }), { count: 1 });
  await call(list, 'alice');
  t.match((await answer).json, { count: 2, matched: true });
});

await test('a search whose result can no longer change does not wait', async (t) => {
  const { search, call } = await open(t);
  await call();
  for (const times of [undefined, 1, { min: 1 }, { min: 0 }, { min: 1, max: 2 }])
    t.match(await search({ path: list, times, within_ms: minute }), { count: 1, matched: true });
  t.match(await search({ path: list, times: 0, within_ms: minute }), { count: 1, matched: false });
});

await test('a wait ends after its time', async (t) => {
  const { search, call } = await open(t);
  await call('/api/nowhere/');
  t.match(await search({ path: list, within_ms: 1 }), {
    count: 0,
    matched: false,
    near_misses: [{ differs: [{ field: 'path', expected: list, received: '/api/nowhere/' }] }],
  });
  t.match(await search({ path: list, times: 0, within_ms: 1 }), { count: 0, matched: true });
});

await test('reset and deletion of the sandbox end a wait', async (t) => {
  const { service, ask, untilIdle } = await open(t, { maxRequests: 1 });
  for (const [method, path, expected] of [
    ['POST', '/reset', 409],
    ['DELETE', '/requests', 409],
    ['PUT', '', 409],
    ['DELETE', '', 404],
  ] as const) {
    await service.request('PUT', `${base}/job`);
    const answer = ask({ within_ms: minute }, 'job');
    await untilIdle();
    while ((await service.request(method, `${base}/job${path}`)).status === 503);
    t.equal((await answer).status, expected, `${method} ${path}`);
  }
});

await test('the end of the service ends a wait', async (t) => {
  const drained = await startWaiting(t, { path: list });
  const ended = drained.service.app.drain(100);
  t.match(await drained.answer, { status: 503, headers: { connection: 'close' } });
  const late = await drained.ask({ path: list, within_ms: minute }).catch((error: Error) => error);
  t.match(late, late instanceof Error ? { code: 'ECONNREFUSED' } : { status: 503 });
  await ended;

  const closed = await startWaiting(t, { path: list });
  const [{ status }] = await Promise.all([closed.answer, closed.service.app.close()]);
  t.equal(status, 503);
});

await test('the number of waits is limited; clients that disconnect make room', async (t) => {
  const { service, ask } = await open(t);
  const agent = new Agent();
  const body = JSON.stringify({ within_ms: minute });
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const statuses = Array.from({ length: maxWaiting.ofSandbox + 1 }, () => {
    const request = send(`${service.url}${base}/default/requests/find`, { method: 'POST', agent, headers });
    request.end(body);
    return statusOf(request);
  });
  t.equal(await Promise.race(statuses), 503);
  agent.destroy();
  t.equal((await Promise.all(statuses)).filter((status) => status === 0).length, maxWaiting.ofSandbox);
  while ((await ask({ within_ms: 1 })).status === 503);
  t.equal((await ask({ within_ms: 1 })).status, 200);
});

await test('a list that nobody reads is not made, and ends', async (t) => {
  const journal = createJournal(1 << 24);
  for (let n = 0; n < 40; n++) journal.add('default', keptEntry({ path: `/api/${'"'.repeat(5000)}` }));
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  let shown = 0;
  const begin = (lists: Lists) =>
    lists('default', { accept: undefined }, undefined, async () => ({
      ...(await findIn(journal, ['default'], compileMatch({}))),
      show: (kept) => (shown++, shownEntry(kept)),
    }));
  const lists = createLists(journal, 50);
  const { content } = await begin(lists);
  const stream = content as Readable;
  stream.read(0);
  await t.rejects(once(stream, 'end'), { message: 'a list was not read for 50 ms' });
  t.ok(shown < 20, `${shown} entries were read`);

  const lasting = createLists(journal);
  const all = await Promise.all(Array.from({ length: mostLists.ofSandbox }, () => begin(lasting)));
  await t.rejects(begin(lasting), {
    status: 503,
    message: 'There are too many lists of requests. Retry when one has ended.',
    headers: { 'retry-after': '1' },
  });
  const whole = JSON.parse(await readText(all[0]?.content as Readable)) as { requests: object[] };
  t.equal(whole.requests.length, 40);
  const again = await begin(lasting);
  for (const one of [...all, again]) (one.content as Readable).destroy();
});

await test('lists whose clients left keep no place', async (t) => {
  const { service, call } = await open(t);
  for (let n = 0; n < 40; n++) await call(`/api/${'x'.repeat(2000)}`);
  const path = `${base}/default/requests`;
  const { port } = new URL(service.url);
  for (let n = 0; n < 4; n++) {
    const clients = Array.from({ length: mostLists.ofSandbox / 2 }, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`, () => socket.destroy());
      await once(socket, 'close');
    });
    await Promise.all(clients);
  }
  const places = Array.from({ length: mostLists.ofSandbox / 2 });
  const isFree = async () => {
    const all = await Promise.all(places.map(() => service.request('GET', path)));
    return all.every(({ status }) => status === 200);
  };
  while (!(await isFree()));
  t.pass('there is room again');
});

await test('lists are indented JSON, one entry after the other', async (t) => {
  const { service, ask, call } = await open(t);
  for (let n = 0; n < 40; n++) await call(`/api/nowhere/${n}/`);
  for (const path of [`${base}/default/requests`, '/_understudy/requests', `${base}/default/requests?limit=0`]) {
    const { text, json, headers } = await service.request('GET', path);
    t.equal(text, `${JSON.stringify(json, null, 2)}\n`);
    t.equal(headers['content-type'], 'application/json');
  }
  for (const json of [{}, { limit: 1 }, { path: '/api/' }]) {
    const { text, json: found } = await ask(json);
    t.equal(text, `${JSON.stringify(found, null, 2)}\n`);
  }
});

await test('an entry that can not be added keeps no reader of the journal waiting, and ends no service', async (t) => {
  const journal = createJournal(1 << 20);
  journal.addLater(Promise.reject(new Error('it can not be read')));
  await journal.settled();
  t.pass();
});
