// Which requests a fault rule strikes: sequences, and rules that ask for more than method and path.
import { once } from 'node:events';
import { request as send } from 'node:http';
import { type Test, test } from 'tap';
import { statusOf } from '../support/raw.ts';
import { type Ask, faultsOf, startService } from '../support/service.ts';

const faults = '/_understudy/sandboxes/default/faults';
const list = '/api/users/alice/notifications/';
const form = 'application/x-www-form-urlencoded';

async function open(t: Test) {
  const service = await startService(t);
  const put = (...rules: object[]) => service.request('PUT', faults, { json: { rules } });
  const ask = async (method = 'GET', path = list, more: Ask = {}) =>
    (await service.request(method, path, { as: 'alice', ...more })).status;
  const inForce = async () =>
    ((await service.request('GET', faults)).json as { name: string; skipped: number; struck: number }[]).map(
      ({ name, skipped, struck }) => [name, skipped, struck],
    );
  return { service, put, ask, inForce };
}

await test('sequences are rules in order', async (t) => {
  const { service, put, ask, inForce } = await open(t);
  const statuses = async (count: number, method?: string, path?: string) => {
    const all: number[] = [];
    for (let n = 0; n < count; n++) all.push(await ask(method, path));
    return all;
  };
  await put({ status: 503, next: 2 }, { status: 429, next: 1 });
  t.same(await statuses(4), [503, 503, 429, 200], '503, 503, 429, then fine');

  await put({ match: { method: 'POST' }, status: 429, skip: 2, next: 1 });
  t.same(await statuses(1), [200]);
  t.same(await statuses(4, 'POST'), [400, 400, 429, 400], 'the third write');

  await put({ match: { query: { page: 2 } }, status: 504 });
  t.same([await ask(), await ask('GET', `${list}?page=2`), await ask('GET', `${list}?page=22`)], [200, 504, 404]);

  await put({ name: 'first', status: 503, next: 1 }, { name: 'later', status: 418, skip: 1 });
  t.same(await statuses(1), [503]);
  t.same(await inForce(), [['later', 0, 0]], 'what an earlier rule strikes does not count');
  t.same(await statuses(3), [200, 418, 418]);
  t.same(await inForce(), [['later', 1, 2]]);
  await service.request('POST', '/_understudy/sandboxes/default/reset');
  t.same(await inForce(), []);
});

await test('requests at the same time: no more are struck, and no more pass', async (t) => {
  const { put, ask } = await open(t);
  await put({ match: { user: 'alice', method: 'POST', body: {} }, status: 503, skip: 4, next: 3 });
  const all = await Promise.all(Array.from({ length: 20 }, () => ask('POST', list, { json: {} })));
  t.equal(all.filter((status) => status === 503).length, 3);
  await put({ match: { user: 'alice' }, status: 503, skip: 18 });
  const more = await Promise.all(Array.from({ length: 20 }, () => ask()));
  t.equal(more.filter((status) => status === 503).length, 2);
});

await test('by user, or without one', async (t) => {
  const { service, put, ask } = await open(t);
  await put({ match: { user: null }, status: 418 }, { match: { user: 'ALICE' }, status: 503 });
  t.equal((await service.request('GET', list)).status, 418);
  t.equal(await ask(), 503);
  t.equal(await ask('GET', list, { as: 'bob' }), 403);
  t.equal((await service.request('GET', list, { token: 'wlu_unknown' })).status, 401, 'a token of no user');
});

await test('by headers that the journal keeps', async (t) => {
  const { put, ask } = await open(t);
  await put({ match: { headers: { 'USER-AGENT': 'mine/', Accept: 'JSON' } }, status: 418 });
  const accept = 'application/json';
  t.equal(await ask('GET', list, { headers: { 'User-Agent': 'Mine/1.2 x', accept } }), 418);
  t.equal(await ask('GET', list, { headers: { 'User-Agent': 'other', accept } }), 200);
  t.equal(await ask('GET', list, { headers: { accept } }), 200);
  const refused = await put({ match: { headers: { 'X-Other': 'a' } }, status: 418 });
  t.same([refused.status, faultsOf(refused)], [400, ['rules[0].match.headers.X-Other invalid']]);
  t.match(refused.text, 'Only these headers can be compared: accept, content-type, user-agent, x-request-id.');
});

await test('by a part of the body', async (t) => {
  const { put, ask } = await open(t);
  await put({ match: { body: { scope: 10 } }, status: 418 }, { match: { body: { scope: '10' } }, status: 419 });
  const json = (value: unknown) => ask('POST', list, { json: value });
  const raw = (body: string, type = 'application/json') =>
    ask('POST', list, { body, headers: { 'content-type': type } });
  t.equal(await json({ scope: 10, note: 'x' }), 418);
  t.equal(await json({ scope: 20 }), 400);
  t.equal(await raw('scope=10&x=1', form), 419);
  t.equal(await raw('{"scope":10'), 400, 'what is no JSON is a text');
  t.equal(await ask('GET'), 200, 'no body');
  t.equal(await json({ scope: 10, note: 'x'.repeat(1900) }), 418);
  t.equal(await json({ scope: 10, note: 'x'.repeat(2000) }), 400, 'one that is cut');
  t.equal(await json({ scope: 10, note: 'x'.repeat(20_000) }), 400, 'one that is not read early');
  t.equal(await ask('POST', '/api/nowhere/', { json: { scope: 10 } }), 418, 'a path that is not served');
  await put({ match: { body: { token: 'wlu_abc' } }, status: 418 });
  t.equal(await json({ token: 'wlu_other' }), 418, 'any token equals any other');
});

await test('rules before and after one that asks for the body keep their order', async (t) => {
  const { put, ask } = await open(t);
  await put({ status: 501, next: 1 }, { match: { body: { a: 1 } }, status: 418 }, { status: 503 });
  t.equal(await ask('POST', list, { json: { a: 1 } }), 501);
  t.equal(await ask('POST', list, { json: { a: 1 } }), 418);
  t.equal(await ask('POST', list, { json: { a: 2 } }), 503);
  t.equal(await ask(), 503);
});

await test('the service reads a body early only where a rule asks for it', async (t) => {
  const { service, put } = await open(t);
  /** The status before the body was sent, undefined if there was none; and the one after it. */
  async function begin(path: string, body: string) {
    const headers = { 'content-type': 'application/json', expect: '100-continue' };
    const request = send(service.url + path, { method: 'POST', headers });
    t.teardown(() => request.destroy());
    const answer = statusOf(request);
    request.flushHeaders();
    await once(request, 'continue');
    return { answer, end: () => request.end(body) };
  }
  await put({ match: { body: { a: 1 }, path: '/api/users/bob/**' }, status: 418 }, { status: 503 });
  t.equal(await (await begin(list, '{"a":1}')).answer, 503, 'answered without the body');
  for (const [body, status] of [
    ['{"a":1}', 418],
    ['{"a":2}', 503],
  ] as const) {
    const { answer, end } = await begin('/api/users/bob/notifications/', body);
    end();
    t.equal(await answer, status);
  }
});

await test('the old keys are errors that name the new ones', async (t) => {
  const { put } = await open(t);
  const refused = await put({ method: 'GET', path: '/api/**', user: 'alice', status: 503 });
  t.equal(refused.status, 400);
  for (const key of ['method', 'path', 'user']) t.match(refused.text, `did you mean match.${key}?`);
});

await test('any request that a rule strikes is found by the same match', async (t) => {
  const { service, put, ask } = await open(t);
  const match = { method: 'POST', path: '/api/users/*/**', user: 'Alice', query: { a: 1 }, body: { scope: 10 } };
  await put({ name: 'mine', match: { ...match, headers: { 'content-type': 'json' } }, status: 418 });
  t.equal(await ask('POST', `${list}?a=1`, { json: { scope: 10 } }), 418);
  const found = await service.request('POST', '/_understudy/sandboxes/default/requests/find', { json: match });
  t.match(found.json, {
    count: 1,
    requests: [{ fault: 'mine', line: `POST ${list}?a=1 as alice {"scope":10} → 418 struck by fault mine` }],
  });
});
