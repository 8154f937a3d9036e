// Fault rules: which requests they apply to, and what they answer.
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { test, type Test } from 'tap';
import { createFaults } from '../../src/traffic/faults.ts';
import { keptEntry } from '../support/kept-entry.ts';
import { type Ask, faultsOf, startService } from '../support/service.ts';
import { readTable } from '../support/tables.ts';

const own = '/_understudy/sandboxes/default';
const faultsPath = `${own}/faults`;
const list = '/api/users/alice/notifications/';
const formType = 'application/x-www-form-urlencoded';

async function open(t: Test) {
  const service = await startService(t);
  const put = (...rules: object[]) => service.request('PUT', faultsPath, { json: { rules } });
  const ask = async (method = 'GET', path = list, more: Ask = {}) =>
    (await service.request(method, path, { as: 'alice', ...more })).status;
  const inForce = async () =>
    ((await service.request('GET', faultsPath)).json as { name: string; skipped: number; struck: number }[]).map(
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
  t.same(await inForce(), [['later', 0, 0]], 'requests of an earlier rule don’t count');
  t.same(await statuses(3), [200, 418, 418]);
  t.same(await inForce(), [['later', 1, 2]]);
  await service.request('POST', `${own}/reset`);
  t.same(await inForce(), []);
});

await test('`next` and `skip` count exactly for simultaneous requests', async (t) => {
  const { put, ask } = await open(t);
  await put({ match: { user: 'alice', method: 'POST', body: {} }, status: 503, skip: 4, next: 3 });
  const all = await Promise.all(Array.from({ length: 20 }, () => ask('POST', list, { json: {} })));
  t.equal(all.filter((status) => status === 503).length, 3);
  await put({ match: { user: 'alice' }, status: 503, skip: 18 });
  const more = await Promise.all(Array.from({ length: 20 }, () => ask()));
  t.equal(more.filter((status) => status === 503).length, 2);
});

await test('a rule matches by user, or requests without one', async (t) => {
  const { service, put, ask } = await open(t);
  await put({ match: { user: null }, status: 418 }, { match: { user: 'ALICE' }, status: 503 });
  t.equal((await service.request('GET', list)).status, 418);
  t.equal(await ask(), 503);
  t.equal(await ask('GET', list, { as: 'bob' }), 403);
  t.equal((await service.request('GET', list, { token: 'wlu_unknown' })).status, 401, 'a token of no user');
});

await test('a rule matches by headers that the journal keeps', async (t) => {
  const { put, ask } = await open(t);
  await put({ match: { headers: { 'USER-AGENT': 'mine/', Accept: 'JSON' } }, status: 418 });
  const accept = 'application/json';
  t.equal(await ask('GET', list, { headers: { 'User-Agent': 'Mine/1.2 x', accept } }), 418);
  t.equal(await ask('GET', list, { headers: { 'User-Agent': 'other', accept } }), 200);
  t.equal(await ask('GET', list, { headers: { accept } }), 200);
  await put(
    { match: { headers: { 'If-Match': '"a"' } }, status: 418 },
    { match: { headers: { constructor: '' } }, status: 419 },
  );
  t.equal(await ask('GET', list, { headers: { 'if-match': '"a"' } }), 418);
  t.equal(await ask(), 200);
  const refused = await put({ match: { headers: { Cookie: 'a' } }, status: 418 });
  t.same([refused.status, faultsOf(refused)], [400, ['rules[0].match.headers.Cookie invalid']]);
  t.match(refused.text, 'Authorization, Cookie, Proxy-Authorization and X-Understudy-* can’t be compared');
});

await test('a rule matches by a part of the body', async (t) => {
  const { put, ask } = await open(t);
  await put({ match: { body: { scope: 10 } }, status: 418 }, { match: { body: { scope: '10' } }, status: 419 });
  const json = (value: unknown) => ask('POST', list, { json: value });
  const raw = (body: string, type = 'application/json') =>
    ask('POST', list, { body, headers: { 'content-type': type } });
  t.equal(await json({ scope: 10, note: 'x' }), 418);
  t.equal(await json({ scope: 20 }), 400);
  t.equal(await raw('scope=10&x=1', formType), 419);
  t.equal(await raw('{"scope":10'), 400, 'what is no JSON is a text');
  t.equal(await ask('GET'), 200, 'no body');
  t.equal(await json({ scope: 10, note: 'x'.repeat(1900) }), 418);
  t.equal(await json({ scope: 10, note: 'x'.repeat(2000) }), 400, 'one that is cut');
  t.equal(await json({ scope: 10, note: 'x'.repeat(20_000) }), 400, 'one that is not read early');
  t.equal(await ask('POST', '/api/nowhere/', { json: { scope: 10 } }), 418, 'a path that is not served');
  await put({ match: { body: { token: 'wlu_abc' } }, status: 418 });
  t.equal(await json({ token: 'wlu_other' }), 418, 'any token equals any other');
});

await test('rules keep their order around one with a body', async (t) => {
  const { put, ask } = await open(t);
  await put({ status: 501, next: 1 }, { match: { body: { a: 1 } }, status: 418 }, { status: 503 });
  t.equal(await ask('POST', list, { json: { a: 1 } }), 501);
  t.equal(await ask('POST', list, { json: { a: 1 } }), 418);
  t.equal(await ask('POST', list, { json: { a: 2 } }), 503);
  t.equal(await ask(), 503);
});

await test('a request that a rule answers has its body in the journal, whatever the rule does', async (t) => {
  const { service, put } = await open(t);
  await put(
    { status: 503, next: 1 },
    { connection: 'close', next: 1 },
    { connection: 'cut', next: 1 },
    { status: 429 },
  );
  const send = (json: object) => service.request('POST', list, { as: 'alice', json }).catch(() => undefined);
  for (let n = 0; n < 4; n++) await send({ scope: 10 });
  const same = { match: { method: 'POST', body: { scope: 10 } }, times: 4 };
  const asked = await service.request('POST', `${own}/requests/expect`, { json: same });
  t.match(asked.json, { matched: true, message: null });
  await send({ note: 'x'.repeat(70_000) });
  const { json } = await service.request('GET', `${own}/requests`);
  t.match(
    (json as { requests: object[] }).requests.at(-1),
    { status: 429, fault: '4', request_body: null },
    'too long',
  );
});

await test('rules that name a user take one statement', async (t) => {
  const faults = createFaults(async () => undefined);
  const rules = Array.from({ length: 50 }, (_, n) => ({ match: { user: `u${n}` }, status: 418 }));
  await faults.replace('a', async () => ({ rules }));
  let statements = 0;
  const look = async () => (statements++, '7 u49');
  const strike = await faults.strike('a', keptEntry({ hasToken: true }), look, () => undefined);
  t.strictSame([strike?.rule.name, statements], ['50', 1]);
});

await test('a browser shows what a rule answers apart from the pages', async (t) => {
  const { service, put } = await open(t);
  const headers = { 'Content-Type': 'text/html', 'Content-Security-Policy': 'default-src *' };
  await put({ status: 200, body: '<script>1</script>', headers, next: 1 }, { status: 415, headers });
  for (const status of [200, 415])
    t.match(await service.request('GET', list), {
      status,
      headers: {
        'content-type': 'text/html',
        'x-content-type-options': 'nosniff',
        'content-security-policy': 'sandbox',
      },
    });
});

await test('`cut` breaks an answer without a body too', async (t) => {
  const { service, put } = await open(t);
  await put({ connection: 'cut' });
  const { json } = await service.request('GET', `${own}/seed?format=json`);
  const { users } = json as { users: { username: string; subscriptions: { id: number }[] }[] };
  const id = users.find(({ username }) => username === 'alice')?.subscriptions[0]?.id;
  const url = new URL(service.url);
  for (const [method, path, status] of [
    ['HEAD', list, 200],
    ['DELETE', `${list}${id}/`, 204],
  ] as const) {
    const socket = connect(Number(url.port), url.hostname);
    const token = 'wlu_alice_public_sample_token_0000000000';
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Token ${token}\r\n\r\n`);
    const answer = await readText(socket);
    t.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer);
    t.match(answer, /\r\nx-understudy-fault: 1\r\n/);
    t.notMatch(answer, '\r\n\r\n', 'its head has no end');
    t.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, 'it is sent once');
  }
  await put();
  t.equal((await service.request('GET', `${list}${id}/`, { as: 'alice' })).status, 404, 'it was executed');
});

await test('a request that a rule applies to is found by the same match', async (t) => {
  const { service, put, ask } = await open(t);
  const match = { method: 'POST', path: '/api/users/*/**', user: 'Alice', query: { a: 1 }, body: { scope: 10 } };
  await put({ name: 'mine', match: { ...match, headers: { 'content-type': 'json' } }, status: 418 });
  t.equal(await ask('POST', `${list}?a=1`, { json: { scope: 10 } }), 418);
  const found = await service.request('POST', `${own}/requests/find`, { json: match });
  t.match(found.json, {
    count: 1,
    requests: [{ fault: 'mine', line: `POST ${list}?a=1 as alice {"scope":10} → 418 struck by fault mine` }],
  });
});

await test('without a body, a status has its documented error', async (t) => {
  const { service, put } = await open(t);
  const answer = async (rule: object, method = 'GET', ask = {}) => {
    t.equal((await put(rule)).status, 200);
    const { status, headers, text, json } = await service.request(method, list, ask);
    t.match(headers, { 'x-understudy-fault': '1', 'x-understudy': /./ });
    return { status, headers, text, json };
  };
  const documented = new Map(readTable('reference/errors.md', 'catalogue').map((row) => [row['name'], row]));
  const rows = readTable('reference/control-api.md', 'errors');
  t.equal(rows.length, 15);
  for (const row of rows.slice(0, -1)) {
    const [name = ''] = row['error']?.match(/^`\w+`/) ?? [];
    const { status = '', type = '', code = '' } = documented.get(name) ?? {};
    const [plainType, plainCode] = [type, code].map((text) => text.replaceAll('`', ''));
    t.equal(row['status'], status);
    const answered = await answer({ status: Number(status) });
    t.match(answered, { status: Number(status), headers: { 'content-type': 'application/json' } });
    t.match(answered.json, { type: plainType, errors: [{ code: plainCode, detail: /./, attr: null }] });
    t.notMatch(answered.text, '{}', 'the text is complete');
  }
  t.match((await answer({ status: 401 })).headers, { 'www-authenticate': 'Token' });
  t.match((await answer({ status: 503 })).headers, { 'retry-after': '1' });
  t.match(await answer({ status: 429 }), { headers: { 'retry-after': '1' }, text: /available in 1 seconds/ });
  t.match(await answer({ status: 429, headers: { 'Retry-After': 7 } }), {
    headers: { 'retry-after': '7' },
    text: /available in 7 seconds/,
  });
  t.match(await answer({ status: 405 }, 'POST'), { text: /Method \\"POST\\" not allowed/ });
  const form = { headers: { 'content-type': 'text/x' }, body: 'a' };
  t.match(await answer({ status: 415 }, 'POST', form), { text: /media type \\"text\/x\\"/ });
  for (const [status, type, detail] of [
    [418, 'client_error', "I'm a Teapot"],
    [502, 'server_error', 'Bad Gateway'],
    [599, 'server_error', 'Status 599'],
  ] as const)
    t.strictSame((await answer({ status })).json, { type, errors: [{ code: 'error', detail, attr: null }] });
  for (const status of [200, 204, 302]) t.match(await answer({ status }), { status, text: '' });
  t.match(await answer({ status: 429, body: null }), { text: 'null' });
});

await test('a header may be given as a number', async (t) => {
  const { service, put } = await open(t);
  const given = { 'Retry-After': 1, 'X-Half': 0.5, 'X-A': 'b' };
  t.match((await put({ status: 503, body: 'x', headers: given })).json, [
    { headers: { 'Retry-After': '1', 'X-Half': '0.5', 'X-A': 'b' } },
  ]);
  t.match((await service.request('GET', list)).headers, { 'retry-after': '1', 'x-half': '0.5', 'x-a': 'b' });
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`X-${n}`, 'a']));
  for (const headers of [{ 'X-A': true }, many])
    t.match((await put({ status: 503, headers })).json, { errors: [{ attr: 'rules[0].headers' }] });
});

await test('close and a status don’t execute the request, cut does', async (t) => {
  const { service, put } = await open(t);
  const match = { method: 'PATCH' };
  await put(
    { match, connection: 'close', next: 1 },
    { match, status: 200, next: 1 },
    { match, connection: 'cut', next: 1 },
  );
  const outcomes: unknown[] = [];
  for (const name of ['Closed', 'Answered', 'Cut']) {
    const ask = { as: 'admin', json: { full_name: name } };
    const answered = await service.request('PATCH', '/api/users/bob/', ask).catch((error: Error) => error);
    const { json } = await service.request('GET', '/api/users/bob/', { as: 'admin' });
    const outcome = answered instanceof Error ? answered.message : answered.status;
    outcomes.push([outcome, (json as { full_name: string }).full_name]);
  }
  t.same(outcomes, [
    ['socket hang up', 'Bob Example'],
    [200, 'Bob Example'],
    ['aborted', 'Cut'],
  ]);
});

await test('rules of more than 256 KiB are 409, and those in force stay', async (t) => {
  const { service, put } = await open(t);
  await put({ name: 'kept', status: 500 });
  for (const body of ['x'.repeat(262_144), { a: 'x'.repeat(262_144) }])
    t.match(await put({ status: 500, body }), {
      status: 409,
      json: { errors: [{ code: 'conflict', detail: 'Fault rules are limited to 262144 bytes in a sandbox.' }] },
    });
  t.match((await service.request('GET', faultsPath)).json, [{ name: 'kept' }]);
  t.equal((await put({ status: 500, body: 'x'.repeat(260_000) })).status, 200);
});

await test('rules of more than 32 MiB in all are 409; a rule that ends makes room', async (t) => {
  const faults = createFaults(async () => undefined);
  const body = 'x'.repeat(262_144 - 1024 - 100);
  const fill = (sandbox: string, more = {}) =>
    faults.replace(sandbox, async () => ({ rules: [{ status: 500, body, ...more }] }));
  for (let n = 1; n < 128; n++) await fill(`s${n}`);
  await fill('last', { next: 1 });
  await t.rejects(fill('more'), { message: /33554432 bytes in all sandboxes/ });
  await t.rejects(
    faults.add('more', async () => ({ status: 500, body })),
    { message: /in all sandboxes/ },
  );
  t.same(await faults.list('more'), []);
  await fill('s1');
  const strike = (sandbox: string) =>
    faults.strike(
      sandbox,
      keptEntry({ path: '/api/' }),
      async () => null,
      () => undefined,
    );
  await strike('last');
  await fill('more');
  const [first, second] = [await strike('more'), await strike('more')];
  t.ok(Buffer.isBuffer(first?.body));
  t.equal(first?.body, second?.body, 'one buffer, however often it is sent');
});

await test('one rule is added before the others, and removed by its key', async (t) => {
  const service = await startService(t);
  const ask = async (method: string, key = '', json?: object) => {
    const answered = await service.request(method, faultsPath + key, json && { json });
    return { ...answered, rules: answered.json as { key: string; name: string; struck: number }[] };
  };
  const rule = { match: { method: 'GET' }, status: 503 };
  const [former] = (await ask('PUT', '', { rules: [{ ...rule, name: 'former' }] })).rules;
  await service.request('GET', list);
  const added = await ask('POST', '', rule);
  t.match(added, { status: 201, json: { ...rule, name: '2', struck: 0, expires: /Z$/ } });
  const { key } = added.json as { key: string };
  t.match((await ask('GET')).rules, [
    { key, name: '2' },
    { key: former?.key, name: 'former', struck: 1 },
  ]);
  t.match((await service.request('GET', list)).headers, { 'x-understudy-fault': '2' });
  t.match(await ask('POST', '', { status: 1, nmae: 'x' }), {
    status: 400,
    json: { errors: [{ attr: 'nmae' }, { attr: 'status' }] },
  });
  t.equal((await ask('DELETE', `/${key}`)).status, 204);
  t.match((await ask('GET')).rules, [{ name: 'former', struck: 1 }]);
  t.match(await ask('DELETE', `/${key}`), { status: 404, text: /no fault rule with the key/ });
  await ask('PUT', '', { rules: [{ ...rule, name: 'former' }] });
  t.equal((await ask('DELETE', `/${former?.key}`)).status, 404, 'PUT ends the keys of before');
  for (let n = 1; n < 50; n++) t.equal((await ask('POST', '', rule)).status, 201);
  t.match(await ask('POST', '', rule), { status: 409, text: /limited to 50 entries in a sandbox/ });
});

await test('rules are not set if the sandbox is cleared while they are read', async (t) => {
  const faults = createFaults(async (name) => {
    if (name === 'missing') throw new Error('no sandbox');
  });
  const rule = { status: 500 };
  const reading = <T>(read: T) => {
    faults.clear('job');
    return Promise.resolve(read);
  };
  const late = { message: /^The sandbox or its rules were/ };
  await t.rejects(
    faults.replace('job', () => reading({ rules: [rule] })),
    late,
  );
  await t.rejects(
    faults.add('job', () => reading(rule)),
    late,
  );
  t.same(await faults.list('job'), []);
  await t.rejects(
    faults.add('job', () => Promise.reject(new Error('unread'))),
    { message: 'unread' },
  );
  const added = await faults.add('other', () => reading(rule));
  t.same(await faults.list('other'), [added]);
  const changes: readonly Promise<unknown>[] = [
    faults.add('missing', async () => rule),
    faults.replace('missing', async () => ({ rules: [rule] })),
    faults.remove('missing'),
    faults.remove('missing', added.key),
  ];
  for (const change of changes) await t.rejects(change, { message: 'no sandbox' });
});
