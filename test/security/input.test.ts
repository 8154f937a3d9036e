// Hostile input stays a value: in SQL, headers, requests within requests, and bodies.
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { t as file, test } from 'tap';
import { pathsOfBodies, whole } from '../support/paths-of-bodies.ts';
import { head, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const payloads = [
  `' or '1'='1`,
  `alice'; drop table understudy.users; --`,
  `alice" or ""="`,
  `$1`,
  `\\'; select pg_sleep(10); --`,
  `alice'||(select 'x')||'`,
  `{alice,bob}`,
  `%`,
  `al_ce`,
  `\u02bc or 1=1`,
];

const shared = await startService(file);

await test('SQL in any value stays a value', async (t) => {
  const count = async () => {
    const found = await sql<{
      users: number;
      entries: number;
    }>`select (select count(*)::int from understudy.users) as users,
      (select count(*)::int from understudy.subscriptions) as entries`.execute(shared.database.load);
    return found.rows[0];
  };
  const before = await count();
  for (const payload of payloads) {
    const escaped = encodeURIComponent(payload);
    const asAdmin = { as: 'admin' };
    const asked = {
      'a name in the path': await shared.request('GET', `/api/users/${escaped}/notifications/`, asAdmin),
      'a user in the path': await shared.request('GET', `/api/users/${escaped}/`, asAdmin),
      'a name to write to': await shared.request('POST', `/api/users/${escaped}/notifications/`, {
        ...asAdmin,
        json: { notification: 'LockNotification', scope: 0, frequency: 1 },
      }),
      'an id': await shared.request('GET', `${list}${escaped}/`, asAdmin),
      'a page': await shared.request('GET', `${list}?page=${escaped}`, asAdmin),
      'a sandbox in the path': await shared.request('GET', `/sandboxes/${escaped}${list}`),
      'a group in a filter': await shared.request('GET', `/api/projects/${escaped}/`, asAdmin),
    };
    for (const [where, { status }] of Object.entries(asked)) t.equal(status, 404, `${where}: ${payload}`);
    const latin = Buffer.from(payload).toString('latin1');
    // A header with characters beyond ASCII counts as empty (transcript wire__authorization).
    const status = /^[ -~]*$/.test(latin) ? 401 : 200;
    t.equal((await shared.request('GET', list, { token: latin })).status, status, `a token: ${payload}`);
    t.equal(
      (await shared.request('GET', list, { headers: { 'x-understudy-sandbox': latin } })).status,
      404,
      `a sandbox's header: ${payload}`,
    );
    t.equal((await shared.request('GET', `${list}?page_size=${escaped}`)).status, 200, `a page's size: ${payload}`);
    t.match(
      await shared.request('POST', list, {
        as: 'alice',
        json: { notification: payload, scope: payload, frequency: payload },
      }),
      { status: 400, json: { type: 'validation_error' } },
      `a body: ${payload}`,
    );
    t.match(
      await shared.request('GET', `/api/users/?username=${escaped}&email=${escaped}`, asAdmin),
      { status: 200, json: { results: [] } },
      `a filter: ${payload}`,
    );
  }
  t.same(await count(), before, 'nothing was done');
});

await test('a request can’t add headers to the answer', async (t) => {
  const split = '%0d%0aX-Injected:%20yes%0d%0a';
  for (const path of [
    `/api/users/${split}/notifications/`,
    `${list}?page_size=1&x=${split}`,
    `/api/units/${split}/`,
    `/sandboxes/${split}${list}`,
  ]) {
    const { head: answered } = await sendRaw(shared, head(`GET ${path}`, 'Host: localhost', `X-Request-Id: ${split}`));
    t.notMatch(answered, /^X-Injected/im, path);
  }
});

await test('a request within a request is refused', async (t) => {
  const hidden = `DELETE ${list}1/ HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const start = `POST ${list}`;
  const both = head(start, 'Host: localhost', `Content-Length: ${hidden.length}`, 'Transfer-Encoding: chunked');
  t.equal((await sendRaw(shared, `${both}0\r\n\r\n${hidden}`)).status, 400, 'two lengths');
  const twice = head(start, 'Host: localhost', 'Content-Length: 0', `Content-Length: ${hidden.length}`);
  t.equal((await sendRaw(shared, twice + hidden)).status, 400, 'two different lengths');
  const odd = head(start, 'Host: localhost', 'Transfer-Encoding: xchunked');
  t.equal((await sendRaw(shared, odd + hidden)).status, 400, 'an encoding that is none');
  const folded = head(start, 'Host: localhost', 'Transfer-Encoding:\r\n chunked');
  t.equal((await sendRaw(shared, `${folded}0\r\n\r\n`)).status, 400, 'a folded header');
  const spaced = head(start, 'Host: localhost', 'Content-Length : 5');
  t.equal((await sendRaw(shared, `${spaced}hello`)).status, 400, 'a blank before the colon');
});

const asAlice = { as: 'alice' };

await test('names of prototypes are unknown fields, and pollute no object', async (t) => {
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const parts = { 'content-type': 'multipart/form-data; boundary=x' };
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'];
  for (const name of names) {
    const bodies = [
      { headers: json, body: `{"${name}":{"polluted":true,"isAdmin":true},"notification":"LockNotification"}` },
      { headers: json, body: `{"constructor":{"prototype":{"polluted":true}},"${name}":1}` },
      { headers: form, body: `${name}=1&${name}[polluted]=true&${name}.polluted=true` },
      { headers: parts, body: `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\npolluted\r\n--x--\r\n` },
    ];
    for (const body of bodies) {
      const { status } = await shared.request('POST', list, { ...asAlice, ...body });
      t.equal(status, 400, `${name}: only what is missing counts`);
    }
    t.equal((await shared.request('GET', `${list}?${name}=1&${name}[polluted]=1`)).status, 200);
    t.equal((await shared.request('GET', `/api/users/${name}/notifications/`, asAlice)).status, 404);
    t.equal((await shared.request('GET', list, { headers: { 'x-understudy-sandbox': name } })).status, 404);
    t.equal((await shared.request('GET', `/api/${name}/`)).status, 404);
    t.equal((await shared.request('GET', `${list}?format=${name}`)).status, 404);
    t.equal(
      (
        await shared.request('PUT', `/_understudy/sandboxes/proto-a`, {
          headers: json,
          body: `{"${name}":{"polluted":true}}`,
        })
      ).status >= 500,
      false,
    );
  }
  t.equal(({} as { polluted?: unknown }).polluted, undefined, 'no object was polluted');
  t.same(Object.keys(Object.prototype), []);
});

await test('a compressed body is not inflated', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
  t.ok(bomb.length < 100_000);
  const before = process.memoryUsage().rss;
  for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip'])
    t.equal(
      (
        await shared.request('POST', list, {
          ...asAlice,
          body: bomb,
          headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        })
      ).status,
      400,
      `${encoding} is not undone`,
    );
  t.ok(process.memoryUsage().rss - before < 150_000_000, 'nothing was inflated');
});

await test('deep nesting, long numbers and many fields are 400', async (t) => {
  const headers = { 'content-type': 'application/json' };
  for (const body of [
    '['.repeat(60_000),
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    `{"notification":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`,
    `{"notification":${'{"a":'.repeat(999)}1${'}'.repeat(999)}}`,
    `{"notification":${'['.repeat(999)}${']'.repeat(999)}}`,
    `{"scope":1${'0'.repeat(60_000)}}`,
    `{"scope":1e999999}`,
    `{"notification":"${'\\u0000'.repeat(1000)}"}`,
    '{"a":1,'.repeat(9000),
  ]) {
    const { status } = await shared.request('POST', list, { ...asAlice, headers, body });
    t.equal(status, 400, body.slice(0, 30));
  }
  const manyFields = Array.from({ length: 5000 }, (_, i) => `f${i}=1`).join('&');
  t.equal(
    (
      await shared.request('POST', list, {
        ...asAlice,
        body: manyFields,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).status,
    400,
  );
  t.equal((await shared.request('POST', list, { ...asAlice, headers, body: 'x'.repeat(2_000_000) })).status, 413);
});

await test('numbers that Python rejects are rejected in its words', async (t) => {
  const headers = { 'content-type': 'application/json' };
  const post = async (digits: string) => {
    const body = `{"notification":"LockNotification","frequency":1,"scope":${digits}}`;
    const { json } = await shared.request('POST', list, { ...asAlice, headers, body });
    return (json as { errors: { detail: string }[] }).errors[0]?.detail;
  };
  const most = `-${'9'.repeat(4300)}`;
  t.equal(await post(most), `"${most}" is not a valid choice.`);
  t.equal(
    await post('9'.repeat(4301)),
    'JSON parse error - Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits; ' +
      'use sys.set_int_max_str_digits() to increase the limit',
  );
  t.equal(await post(`1.${'9'.repeat(5000)}`), '"2.0" is not a valid choice.', 'a float has no such limit');
});

await test('a large body is parsed only for a caller who may write', async (t) => {
  const service = await startService(t, { seed: 'transcripts' });
  const headers = { 'content-type': 'application/json' };
  const [small, large] = [2000, 20_000].map((length) => `{"scope":"${'x'.repeat(length)}"}`);
  const parsed = t.capture(JSON, 'parse', JSON.parse);
  const isParsed = async (method: string, path: string, body: string | undefined, as?: string) => {
    parsed();
    const { status } = await service.request(method, path, { headers, ...(body && { body }), ...(as && { as }) });
    return `${status} ${parsed().some(({ args }) => args[0] === body) ? 'parsed' : 'not parsed'}`;
  };
  const writes = [
    ['POST', list],
    ['PATCH', `${list}43/`],
    ['PUT', `${list}43/`],
    ['PATCH', '/api/users/alice/'],
    ['POST', '/api/users/alice/groups/'],
    ['DELETE', '/api/users/alice/groups/'],
  ] as const;
  for (const [method, path] of writes) {
    t.equal(await isParsed(method, path, large), '401 not parsed', `${method} ${path}`);
    t.equal(await isParsed(method, path, large, 'bob'), '403 not parsed', `${method} ${path} by another`);
    t.match(await isParsed(method, path, large, 'admin'), /^(?:200|400) parsed$/, `${method} ${path} by who may`);
  }
  t.equal(await isParsed('POST', '/api/users/', large), '401 not parsed');
  t.equal(await isParsed('POST', '/api/users/', large, 'bob'), '403 not parsed');
  t.equal(await isParsed('POST', list, small), '401 parsed', 'a small one costs less than a round trip');
});

await test('while a large seed is read, others get their answers', async (t) => {
  const headers = { 'content-type': 'application/yaml' };
  // Long enough for many lists on a busy machine too.
  const users = '- usernme: a\n'.repeat(5000);
  for (const [path, body] of [
    ['/_understudy/sandboxes/default/seed', `users:\n${users}`],
    ['/_understudy/sandboxes/large', `seed:\n  users:\n${users.replaceAll(/^/gm, '  ')}`],
  ] as const) {
    const answered = new AbortController();
    const refused = shared.request('PUT', path, { headers, body }).finally(() => answered.abort());
    const lists: number[] = [];
    while (!answered.signal.aborted) lists.push((await shared.request('GET', list, asAlice)).status);
    t.match(await refused, { status: 400, text: /usernme/ }, path);
    t.same(new Set(lists), new Set([200]));
    t.ok(lists.length > 20, `${lists.length} lists meanwhile`);
  }
});

await test('YAML tags that make other values than JSON has are refused', async (t) => {
  const headers = { 'content-type': 'application/yaml' };
  for (const value of ['!!binary aGk=', '!!set { a }', '!!omap [ a: 1 ]', '!!timestamp 2026-01-02', '!else 1'])
    for (const [path, body] of [
      ['/_understudy/sandboxes/tags', `seed:\n  users: [{ username: ${value} }]`],
      ['/_understudy/sandboxes/default/seed', `users: [{ username: ${value} }]`],
      ['/_understudy/sandboxes/default/faults', `rules: [{ status: 500, body: ${value} }]`],
    ] as const)
      t.match(await shared.request('PUT', path, { headers, body }), { status: 400, text: /Unresolved tag/ }, body);
});

await test('each API has a limit of its own for bodies', async (t) => {
  const send = async (method: string, path: string, length: number) => {
    const headers = { 'content-type': 'application/json' };
    const { status, json } = await shared.request(method, path, { headers, body: ' '.repeat(length) });
    return `${status} ${(json as { errors: { detail: string }[] }).errors[0]?.detail}`;
  };
  t.match(await send('POST', list, 65_536), /^401 /);
  t.equal(await send('POST', list, 65_537), '413 Request body exceeds the limit of 65536 bytes.');
  t.match(await send('PUT', '/_understudy/sandboxes/big/seed', 1_048_576), /^4(?!13)/);
  t.equal(
    await send('PUT', '/_understudy/sandboxes/big/seed', 1_048_577),
    '413 Request body exceeds the limit of 1048576 bytes. UNDERSTUDY_ADMIN_BODY_LIMIT raises it; the seed command has no limit.',
  );
});

// More than the buffers of both sockets hold.
const length = 16_000_000;
const body = Buffer.alloc(length, 'x');
const times = 3;
const typed = ['Host: 127.0.0.1', 'Content-Type: application/json', `Content-Length: ${length}`];

await test('a client that sends a body beyond its limit gets the whole 413', async (t) => {
  for (const [method, path] of pathsOfBodies)
    for (let n = 0; n < times; n++) {
      const answer = await sendRaw(shared, head(`${method} ${path}`, ...typed), body);
      t.match(answer, { status: 413, body: whole, isEnded: true }, `${method} ${path}`);
    }
});

await test('a client whose body is refused before it is read gets the whole answer', async (t) => {
  const service = await startService(t, { anonymous: 'write' });
  const foreign = [...typed, 'Origin: http://elsewhere.example'];
  for (const [status, line, ...headers] of [
    [415, 'PUT /_understudy/sandboxes/default/seed', ...typed.toSpliced(1, 1, 'Content-Type: text/html')],
    [403, 'PUT /_understudy/sandboxes/default/seed', ...foreign],
    [403, 'POST /_understudy/console/default/seed/', ...foreign],
    [403, 'POST /api/users/alice/notifications/', ...foreign],
  ] as const)
    for (let n = 0; n < times; n++) {
      const answer = await sendRaw(service, head(line, ...headers), body);
      t.match(answer, { status, body: whole, isEnded: true }, `${line} ${status}`);
    }
});
