// POST …/requests/expect, and lists as the text of a report.
import * as fc from 'fast-check';
import { type Test, test } from 'tap';
import { createJournal } from '../../src/traffic/journal/journal.ts';
import { expectRequests } from '../../src/traffic/journal/expect.ts';
import { createLists } from '../../src/traffic/journal/lists.ts';
import { createWaits } from '../../src/traffic/journal/waits.ts';
import { keptEntry } from '../support/kept-entry.ts';
import { faultsOf, type ServiceOptions, startService } from '../support/service.ts';

const base = '/_understudy/sandboxes/default/requests';
const root = '/api/';
const list = '/api/users/alice/notifications/';
const minute = 60_000;

interface Listed {
  readonly id: string;
  readonly path: string;
  readonly query: string;
}
interface Outcome {
  readonly matched: boolean;
  readonly message: string | null;
  readonly requests: readonly Listed[];
  readonly near_misses: readonly {
    readonly request: Listed;
    readonly differs: readonly { readonly field: string }[];
  }[];
}

const page = (n: number | string) => ({ query: { page: n } });
const pagesOf = (requests: readonly Listed[]) => requests.map(({ query }) => query.replace('page=', ''));
const keeping = (entries: number) => ({ journalBounds: { entries, headBytes: 1 << 20, bodyBytes: 1 << 20 } });

async function open(t: Test, options: ServiceOptions = {}) {
  const service = await startService(t, options);
  const ask = (json: object) => service.request('POST', `${base}/expect`, { json });
  const expect = async (json: object) => (await ask(json)).json as Outcome;
  const call = (n: number | string, method = 'GET') => service.request(method, `${root}?page=${n}`);
  const listed = async (query = '') =>
    ((await service.request('GET', base + query)).json as { requests: Listed[] }).requests;
  const read = (path: string, accept: string) => service.request('GET', path, { headers: { accept } });
  const idsOf = async () => (await listed()).map(({ id }) => id);
  return { service, ask, expect, call, listed, read, idsOf };
}

/** Resolves once the service's only slot is free again: what was asked waits. */
async function startWaiting(t: Test, json: object, before: readonly number[] = []) {
  const opened = await open(t, { maxRequests: 1 });
  for (const n of before) await opened.call(n);
  const answer = opened.ask({ within_ms: minute, ...json });
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  while ((await opened.service.request('GET', '/_understudy/sandboxes')).status === 503);
  t.equal(isAnswered, false);
  return { ...opened, answer };
}

await test('a match', async (t) => {
  const { expect, call } = await open(t);
  for (const n of [1, 2, 2]) await call(n);
  t.match(await expect({ match: page(2) }), { matched: true, message: null, count: 2, near_misses: [] });
  t.match(await expect({ match: { method: ['get', 'PUT'] }, times: 3 }), { matched: true });
  t.match(await expect({ match: {}, times: { max: 2 } }), {
    matched: false,
    message: /^Expected at most 2 requests, but sandbox default received 3:\n  any request\nReceived:\n  1\. GET /,
    count: 3,
    lost: 0,
    dropped: 0,
    dropped_bodies: 0,
  });
});

await test('the nearest of many polls is the request that differs in one value', async (t) => {
  const { service, expect } = await open(t);
  await service.request('POST', list, { as: 'alice', json: { notification: 'x', scope: 20 } });
  for (let n = 0; n < 6; n++) await service.request('GET', list, { as: 'alice' });
  const match = { method: 'POST', path: list, user: 'alice', body: { scope: 10 } };
  const { near_misses: nearMisses } = await expect({ match });
  t.strictSame(
    nearMisses.map(({ differs }) => differs.map(({ field }) => field)),
    [['body.scope'], ...Array.from({ length: 4 }, () => ['method', 'body'])],
  );
});

await test('an order', async (t) => {
  const { expect, call } = await open(t);
  for (const n of [1, 2, 1, 3]) await call(n);
  const inOrder = (...matches: object[]) => expect({ in_order: matches });
  const { requests, ...rest } = await inOrder(page(1), page(1), page(3));
  t.strictSame(pagesOf(requests), ['1', '1', '3']);
  t.match(rest, { matched: true, message: null, count: 3, near_misses: [] });
  t.equal(new Set(requests.map(({ id }) => id)).size, 3, 'a request counts for one of equal matches');
  t.match(await inOrder(page(1), page(1), page(1)), { matched: false, count: 2 });
  t.match(await inOrder(page(2), {}, page(3)), { matched: true }, 'a wider match takes the first that fits');
  const wrong = await inOrder(page(2), page(1), page(2));
  t.match(wrong, { matched: false, count: 2, near_misses: [{ request: { query: 'page=3' } }] });
  t.strictSame(pagesOf(wrong.requests), ['2', '1'], 'as far as they came');
  t.equal(wrong.near_misses.length, 1, 'of those that came later');
  t.match(wrong.message, /received no number 3 after number 2:\n.*page":2[^]*\nReceived:\n  GET .*page=1 /);
});

await test('an order is found wherever some choice of requests fits it', async (t) => {
  const { database } = await startService(t);
  const method = ['GET', 'PUT', 'POST'];
  const orders = fc.array(fc.subarray(method, { minLength: 1 }), { minLength: 1, maxLength: 5 });
  const arrivals = fc.array(fc.record({ method: fc.constantFrom(...method), early: fc.nat(3) }), { maxLength: 9 });
  /** How much of the order, from its beginning, some choice of requests fits. */
  const longest = (order: readonly string[][], sent: readonly string[], from = 0): number =>
    Math.max(
      from,
      ...sent.map((one, n) => (order[from]?.includes(one) ? longest(order, sent.slice(n + 1), from + 1) : from)),
    );
  await fc.assert(
    fc.asyncProperty(orders, arrivals, fc.nat(9), async (order, all, before) => {
      const journal = createJournal(1 << 20);
      const start = performance.now() + 1000;
      // Some arrived before others that were answered earlier.
      const sent = all.map((one, n) => keptEntry({ method: one.method, startedAt: start + 2 * n - 3 * one.early }));
      const add = (some: typeof sent) => some.forEach((entry) => journal.add('default', entry));
      const watch: typeof journal.watch = (...given) => {
        const stop = journal.watch(...given);
        add(sent.slice(before));
        return stop;
      };
      add(sent.slice(0, before));
      const body = { in_order: order.map((methods) => ({ method: methods })), within_ms: 2 };
      const asked = {
        params: { name: 'default' },
        body: Buffer.from(JSON.stringify(body)),
        contentType: 'application/json',
        becomeIdle: () => new AbortController().signal,
      };
      const waitFor = createWaits({ watch }, new AbortController().signal);
      const lists = createLists(journal);
      const { content } = await expectRequests(asked as unknown as Asked, { database, journal, waitFor, lists });
      const byArrival = sent.toSorted((a, b) => a.startedAt - b.startedAt).map((one) => one.method);
      const { matched, count } = JSON.parse(content as string) as { matched: boolean; count: number };
      return count === longest(order, byArrival) && matched === (count === order.length);
    }),
  );
  t.pass();
});
type Asked = Parameters<typeof expectRequests>[0];

await test('nothing but some requests', async (t) => {
  const { expect, call, idsOf } = await open(t);
  for (const n of [1, 2]) await call(n);
  const [first = '', second = ''] = await idsOf();
  t.match(await expect({ except: [second, first] }), { matched: true, message: null, count: 0, requests: [] });
  await call(3);
  const other = await expect({ except: [first, second], within_ms: minute });
  t.match(other, {
    matched: false,
    message: `Expected no other request within 60s, but sandbox default received 1 that no assertion matched:\n  GET ${root}?page=3 without a token → 200`,
    count: 1,
    near_misses: [],
  });
  t.strictSame(pagesOf(other.requests), ['3']);
  t.match(await expect({ except: [] }), { count: 3 });
});

await test('a wait ends with what comes', async (t) => {
  const order = await startWaiting(t, { in_order: [page(1), page(2)] }, [2]);
  for (const n of [1, 3, 2]) await order.call(n);
  const { requests, matched } = (await order.answer).json as Outcome;
  t.strictSame([matched, pagesOf(requests)], [true, ['1', '2']]);

  const others = await startWaiting(t, { except: [] });
  await others.call(1);
  t.match((await others.answer).json, { matched: false, count: 1 });
  await others.service.request('DELETE', base);
  t.match(await others.expect({ except: [], within_ms: 1 }), { matched: true }, 'nothing came');

  const some = await startWaiting(t, { match: page(2), times: 2 });
  for (const n of [2, 1, 2]) await some.call(n);
  t.match((await some.answer).json, { matched: true, count: 2 });
  const emptied = some.ask({ in_order: [page(5)], within_ms: minute });
  while ((await some.service.request('DELETE', base)).status === 503);
  t.match(await emptied, { status: 409, text: /emptied/ });
});

await test('`since` leaves out what arrived before, and what was dropped before', async (t) => {
  const { service, expect, call, listed, idsOf } = await open(t, keeping(4));
  for (const n of [1, 2, 3, 4, 5]) await call(n);
  const [, , mark, last] = await idsOf();
  const first = (await idsOf())[0] ?? '';
  for (const [since, pages] of [
    [mark, ['5']],
    [last, []],
  ] as const) {
    t.strictSame(pagesOf(await listed(`?since=${since}`)), pages);
    const found = await service.request('POST', `${base}/find`, { json: { since, times: pages.length } });
    t.match(found.json, { matched: true, count: pages.length, lost: 0, dropped: 0 });
  }
  t.match(await expect({ match: {}, times: 4 }), { matched: false, lost: 1, dropped: 1 });
  t.match(await expect({ match: page(4), times: 0, since: mark }), { matched: true });
  t.match(await expect({ match: page(4), times: 1 }), { matched: false });
  await call(6);
  t.match(
    await expect({ match: {}, times: 4, since: first }),
    { matched: false, count: 4, lost: 2, dropped: 2 },
    'it was dropped, and so may later ones be',
  );
  t.match(await expect({ match: page(6), since: first }), { matched: true }, 'a dropped one can’t undo this');
  t.match(await expect({ except: await idsOf() }), { matched: false, count: 0, lost: 2 });
  t.match(await expect({ except: [last], since: mark }), { matched: false, count: 1, lost: 0 });
  await service.request('DELETE', base);
  await call(7);
  t.match(await expect({ match: {}, times: 1, since: last }), { matched: true, dropped: 0 }, 'it was emptied');
});

await test('an id that the journal never had is an error', async (t) => {
  const { service, ask, call } = await open(t);
  await service.request('PUT', '/_understudy/sandboxes/other');
  await call(1);
  await service.request('GET', '/sandboxes/other/api/');
  const others = (await service.request('GET', '/_understudy/sandboxes/other/requests')).json;
  const { id } = (others as { requests: [Listed] }).requests[0];
  const foreign = '00000000-1';
  for (const since of [id, foreign, 'x']) {
    t.strictSame(faultsOf(await ask({ match: {}, since })), ['since invalid'], since);
    t.strictSame(faultsOf(await service.request('GET', `${base}?since=${since}`)), ['since invalid'], since);
    t.strictSame(faultsOf(await service.request('POST', `${base}/find`, { json: { since } })), ['since invalid']);
  }
  t.strictSame(faultsOf(await ask({ except: [foreign] })), ['except[0] invalid']);
});

await test('what was dropped during a wait before the mark is not lost', async (t) => {
  const { service, ask, call, idsOf } = await open(t, { ...keeping(3), maxRequests: 1 });
  for (const n of [1, 2, 3]) await call(n);
  const since = (await idsOf())[2];
  const answer = ask({ match: {}, times: { min: 2, max: 5 }, within_ms: minute, since });
  while ((await service.request('GET', '/_understudy/sandboxes')).status === 503);
  for (const n of [4, 5]) await call(n);
  t.match((await answer).json, { matched: true, lost: 0, count: 2 });
});

await test('`limit` keeps the last ones; 0 keeps none', async (t) => {
  const { service, expect, call, listed } = await open(t);
  for (const n of [1, 2, 3]) await call(n);
  const pages = async (limit: number) => [
    pagesOf((await expect({ match: {}, limit })).requests),
    pagesOf(((await service.request('POST', `${base}/find`, { json: { limit } })).json as Outcome).requests),
    pagesOf(await listed(`?limit=${limit}`)),
    pagesOf(((await service.request('GET', `/_understudy/requests?limit=${limit}`)).json as Outcome).requests),
  ];
  for (const [limit, expected] of [
    [0, []],
    [2, ['2', '3']],
    [10, ['1', '2', '3']],
  ] as const)
    t.strictSame(await pages(limit), [expected, expected, expected, expected]);
  for (let n = 4; n < 105; n++) await call(n);
  t.equal((await expect({ match: {} })).requests.length, 100);
  t.match(await expect({ match: {}, limit: 0, times: 1 }), {
    count: 104,
    message: /received 104:\n.*\nReceived:\n  1\. .*page=1 .*\n(?:.*\n){4}  and 99 more$/,
  });
});

await test('all errors of an assertion are reported at once', async (t) => {
  const { service, ask } = await open(t);
  for (const [json, ...faults] of [
    [{}, 'null required'],
    [{ times: 1, mtch: {} }, 'mtch unknown', 'null required', 'times invalid'],
    [{ match: {}, in_order: [{}], except: [] }, 'in_order invalid', 'except invalid'],
    [{ in_order: [] }, 'in_order invalid'],
    [{ in_order: Array.from({ length: 51 }, () => ({})) }, 'in_order invalid'],
    [
      {
        in_order: [{}, { method: ['GTE', 'GET'], pth: 1 }, { headers: { 'X-Other': 'a', Cookie: 'a' }, method: [] }],
        within_ms: -1,
        limit: 10_001,
        since: 'y',
      },
      'in_order[1].pth unknown',
      'in_order[1].method invalid',
      'in_order[2].method invalid',
      'in_order[2].headers.Cookie invalid',
      'within_ms invalid',
      'limit invalid',
      'since invalid',
    ],
  ] as const)
    t.strictSame(faultsOf(await ask(json)), faults, JSON.stringify(json));
  t.equal(
    (await service.request('POST', `${base.replace('default', 'nobody')}/expect`, { json: { match: {} } })).status,
    404,
  );
});

await test('text/plain alone is answered with the report', async (t) => {
  const { service, call, read, idsOf } = await open(t, keeping(30));
  for (let n = 1; n <= 32; n++) await call(n);
  const json = { 'content-type': 'application/json' };
  for (const accept of ['', '*/*', 'text/*', 'application/json, text/plain, */*', 'text/html'])
    t.equal((await read(base, accept)).headers['content-type'], 'application/json', accept);
  const line = (n: number) => `GET    ${root}?page=${n}  200  anonymous\n`;
  for (const [path, last, from] of [
    [base, 'The last 20 of 30:', 13],
    [`${base}?limit=2`, 'The last 2 of 30:', 31],
    ['/_understudy/requests?limit=1', 'The last 1 of 30:', 32],
  ] as const) {
    const { text, headers } = await read(path, 'text/plain; charset=utf-8');
    t.equal(headers['content-type'], 'text/plain; charset=utf-8');
    t.ok(text.startsWith(`The journal dropped the oldest 2 requests.\n${last}\n${line(from)}`), text);
    t.match(text, /\n$/);
  }
  const id = (await idsOf()).at(-2);
  for (const query of ['', '&sandbox=default']) {
    const { json: ofAll } = await service.request('GET', `/_understudy/requests?since=${id}${query}`);
    t.match(ofAll, { dropped: 0, requests: [{ query: 'page=32' }] });
  }
  t.equal((await service.request('GET', '/_understudy/requests?since=x')).status, 400);
  const later = (await read(`${base}?since=${id}`, 'text/plain')).text;
  t.ok(later.startsWith(line(32)), later);
  t.equal((await read(`${base}?method=PUT&since=${id}`, 'text/plain')).text, 'none\n');
  const found = await service.request('POST', `${base}/find`, {
    body: '{"query":{"page":32}}',
    headers: { ...json, accept: 'text/plain' },
  });
  t.ok(found.text.startsWith(`The journal dropped the oldest 2 requests.\n${line(32)}`), found.text);
});
