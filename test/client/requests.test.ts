// The client's assertions on requests, and their messages.
import { type Test, test } from 'tap';
import { connect } from '../../src/package/client/client.ts';
import { RequestMismatchError } from '../../src/package/client/requests.ts';
import { startService } from '../support/service.ts';
import { errorOfType } from './error-of.ts';

const list = '/api/users/alice/notifications/';

async function open(t: Test) {
  const service = await startService(t);
  const box = await connect(service.url).sandbox({ name: 'job' });
  const call = (path: string, method = 'GET', body?: object) =>
    fetch(box.baseUrl + path, {
      method,
      headers: { ...box.headers('alice'), 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const messageOf = async (json: object): Promise<string> => {
    const asked = await service.request('POST', '/_understudy/sandboxes/job/requests/expect', { json });
    return (asked.json as { message: string }).message;
  };
  return { ...box, call, messageOf };
}

const mismatchOf = (work: Promise<unknown>) => errorOfType(RequestMismatchError, work);

await test('list, find, count, expect and clear work on the journal', async (t) => {
  const { requests, call } = await open(t);
  await call(list);
  await call(list, 'POST', { notification: 'x', scope: 10 });
  const posted = { method: 'POST', path: '/api/users/*/notifications/', body: { scope: 10 } };
  t.match(await requests.list(), [{ method: 'GET' }, { method: 'POST' }]);
  t.match(await requests.list(posted), [{ method: 'POST', path: list, principal: 'alice' }]);
  t.match(await requests.find({ body: { scope: 20 } }), {
    count: 0,
    matched: false,
    near_misses: [{ request: { method: 'POST' }, differs: [{ field: 'body.scope', expected: 20, received: 10 }] }, {}],
  });
  t.equal(await requests.count(), 2);
  t.equal(await requests.count(posted), 1);
  const [first] = await requests.list({}, { limit: 2 });
  t.match(await requests.list({}, { since: first?.id }), [{ method: 'POST' }]);
  t.match(await requests.list({}, { limit: 1 }), [{ method: 'POST' }]);
  t.match(await requests.find({}, { limit: 0 }), { count: 2, requests: [] });
  await requests.expect({ method: 'GET' }, { times: 0, since: first?.id });
  t.match(
    await requests.report(),
    /^GET    \/api.*  200  alice\nPOST   .*  400  alice\n {7}sent \{"notification":"x","scope":10\}\n/,
  );
  t.match(await requests.report({ method: 'GET' }), /^GET .*$/);
  t.equal(await requests.report({}, { since: first?.id, limit: 0 }), 'The last 0 of 1:\nnone');
  t.match(await requests.expect(posted, { times: 1, within: '5s' }), [{ method: 'POST' }]);
  t.match(await requests.expect(posted), [{ method: 'POST' }]);
  t.strictSame(await requests.expect({ method: 'PUT' }, { times: 0, within: 1 }), []);
  await requests.clear();
  t.strictSame(await requests.list(), []);
});

await test('expect waits for a request', async (t) => {
  const { requests, call } = await open(t);
  const expected = requests.expect({ path: list }, { within: '60s' });
  await call(list);
  t.match(await expected, [{ path: list }]);
});

await test('the message is the one that the service has worded', async (t) => {
  const { requests, call, messageOf } = await open(t);
  const { expect } = requests;
  await call(`${list}?page=1`);
  await call(list, 'POST', { notification: 'x', scope: 20 });
  const match = { method: ['post', 'PUT'], path: '/api/users/*/notifications/', user: 'alice', body: { scope: 10 } };
  const thrown = await mismatchOf(expect(match, { times: 1, within: '10ms' }));
  t.equal(thrown.message, await messageOf({ match, times: 1, within_ms: 10 }));
  t.match(
    thrown.message,
    /^Expected exactly 1 request within 10ms, .*\n(?:.*\n)+ {7}body\.scope: expected 10, received 20\n/,
  );
  const in_order = [{ method: 'GET' }, match];
  t.equal((await mismatchOf(expect.inOrder(in_order))).message, await messageOf({ in_order }));
  t.equal((await mismatchOf(expect.nothingElse())).message, await messageOf({ except: [] }));
});

await test('lines() gives the same lines in each run', async (t) => {
  const { requests, call, baseUrl } = await open(t);
  await call(list, 'POST', { notification: 'RepositoryNotification', scope: 10, frequency: 1 });
  await call(`${list}?page=2`);
  await fetch(baseUrl + list, { method: 'POST', body: new URLSearchParams({ scope: '10' }) });
  await fetch(baseUrl + list, { headers: { Authorization: 'Token wlu_none' } });
  t.same(await requests.lines(), [
    `POST ${list} as alice {"notification":"RepositoryNotification","scope":10,"frequency":1} → 201`,
    `GET ${list}?page=2 as alice → 404`,
    `POST ${list} without a token {"scope":"10"} → 401`,
    `GET ${list} → 401`,
  ]);
  t.same(await requests.lines({ user: null }), [`POST ${list} without a token {"scope":"10"} → 401`]);
});

await test('inOrder finds requests in their order', async (t) => {
  const { requests, call } = await open(t);
  const { inOrder } = requests.expect;
  for (const page of [1, 2, 1]) await call(`${list}?page=${page}`);
  const page = (number: number) => ({ query: { page: number } });
  t.match(await inOrder([page(1), page(2)]), [{ query: 'page=1' }, { query: 'page=2' }]);
  const error = await mismatchOf(inOrder([page(2), page(2)], { within: 5 }));
  t.match(error.found, { count: 1, requests: [{ query: 'page=2' }] });
  t.match(error.message, /^Expected 2 requests in this order within 5ms, .* no number 2 after number 1:\n/);
  t.match(error.message, `Received:\n  GET ${list}?page=1 as alice → 200\n`);
  const waiting = inOrder([page(2), { method: 'POST' }], { within: '60s' });
  await call(list, 'POST', {});
  t.match(await waiting, [{ query: 'page=2' }, { method: 'POST' }]);
});

await test('nothingElse fails for unmatched requests', async (t) => {
  const { requests, call } = await open(t);
  const { nothingElse } = requests.expect;
  await nothingElse();
  for (const method of ['GET', 'POST', 'GET']) await call(list, method);
  await requests.list();
  await requests.expect({ method: 'POST' });
  const error = await mismatchOf(nothingElse());
  t.match(error.found, { count: 2, requests: [{ method: 'GET' }, { method: 'GET' }] });
  const line = `  GET ${list} as alice → 200`;
  const headline = 'Expected no other request, but sandbox job received 2 that no assertion matched:';
  t.equal(error.message, [headline, line, line].join('\n'));
  await requests.expect.inOrder([{ method: 'GET' }, { method: 'GET' }]);
  await nothingElse();
  const late = mismatchOf(nothingElse({ within: '60s' }));
  await call(list);
  t.match((await late).found, { requests: [{ method: 'GET' }] }, 'the wait ends with the first');
  await nothingElse({ since: (await requests.list()).at(-1)?.id });
  await requests.clear();
  await nothingElse();
});

await test('the error has the matching requests and the near misses', async (t) => {
  const { requests, call } = await open(t);
  await call(list);
  const error = await mismatchOf(requests.expect({ method: 'PUT' }, { times: 2 }));
  t.equal(error.name, 'RequestMismatchError');
  t.match(error.found, {
    count: 0,
    requests: [],
    near_misses: [{ request: { path: list }, differs: [{ field: 'method', expected: 'PUT', received: 'GET' }] }],
  });
});

await test('wrong arguments and a reset during the wait are errors', async (t) => {
  const box = await open(t);
  const { requests } = box;
  await t.rejects(requests.expect({}, { within: '5 minutes' as '5s' }), TypeError);
  await t.rejects(requests.expect({ path: 'x'.repeat(201) }, { within: '61s' }), {
    message: /^match.path: Must .*\nwithin_ms: Must be a whole number from 0 to 60000, not 61000\.$/,
  });
  const ended = new AbortController();
  const waiting = requests
    .expect({}, { within: '60s' })
    .catch((error: unknown) => error)
    .finally(() => ended.abort());
  // The first reset may come before the search.
  while (!ended.signal.aborted) await box.reset();
  t.match(await waiting, { kind: 'refused', status: 409, message: 'The journal was emptied during the wait.' });
});
