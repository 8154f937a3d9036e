// The parts of the replay: numbers that keep their text, requests sent exactly as recorded, and differences sorted into classes.
import net from 'node:net';
import { test } from 'tap';
import { getPort } from './engine-server.ts';
import { classOf, formatClasses, type FoundDifference } from './engine/classes.ts';
import { compareJson } from './engine/compare-json.ts';
import { mapStrings, parseRawJson } from './engine/raw-json.ts';
import { send, type Target } from './engine/send-request.ts';
import type { TranscriptRequest } from './engine/transcript.ts';

const rules = { unordered: new Set<string>() };
const compareTexts = (expected: string, received: string, own: Parameters<typeof compareJson>[3] = rules) =>
  compareJson('body', parseRawJson(expected), parseRawJson(received), own);

await test('numbers survive as they were written', async (t) => {
  const text = '{"a":[1.0,1000000000000000000000000000000,-0,1e2,0.10,12],"1.0":"1.0","__proto__":{"b":2.50}}';
  t.equal(JSON.stringify(parseRawJson(text)), text);
  t.equal(JSON.stringify(mapStrings(parseRawJson(text), (one) => one)), text);
  t.equal(JSON.stringify(mapStrings(parseRawJson('{"x":["x",1.0]}'), (one) => `${one}y`)), '{"xy":["xy",1.0]}');
  t.throws(() => parseRawJson('{"a":01}'), SyntaxError);
});

await test('equal values have no mismatch', async (t) => {
  const text = '{"count":2,"next":null,"results":[{"id":1,"ok":true},{"id":2,"ok":[]}]}';
  t.same(compareTexts(text, text), []);
});

const one: [name: string, expected: string, received: string, mismatch: object][] = [
  ['a number', '{"a":1}', '{"a":2}', { place: 'body.a', expected: '1', received: '2' }],
  ['a number written otherwise', '{"a":1}', '{"a":1.0}', { place: 'body.a', expected: '1', received: '1.0' }],
  ['a type', '{"a":1}', '{"a":"1"}', { place: 'body.a', expected: '1', received: '"1"' }],
  ['null and false', '{"a":null}', '{"a":false}', { place: 'body.a', expected: 'null', received: 'false' }],
  ['a list for an object', '{"a":{}}', '{"a":[]}', { place: 'body.a', expected: '{}', received: '[]' }],
  ['a key too few', '{"a":1,"b":2}', '{"b":2}', { place: 'body.a', expected: '1', received: '(absent)' }],
  ['a key too many', '{"a":1}', '{"c":3,"a":1}', { place: 'body.c', expected: '(absent)', received: '3' }],
  ['an inherited name', '{"a":1}', '{"a":1,"toString":1}', { place: 'body.toString', expected: '(absent)' }],
  [
    'the order',
    '{"a":1,"b":2}',
    '{"b":2,"a":1}',
    { place: 'body (order of keys)', expected: 'a, b', received: 'b, a' },
  ],
  ['another thing', '{"a":1,"b":2}', '{"c":1}', { place: 'body', expected: '{"a":1,"b":2}', received: '{"c":1}' }],
  ['an entry of a list', '[1,2,3]', '[1,5,3]', { place: 'body[1]', expected: '2', received: '5' }],
  ['an entry too few', '[1,2,3]', '[1,3]', { expected: '3 entries, at 1: 2', received: '2 entries, at 1: 3' }],
  ['an entry too many', '[1]', '[1,2]', { expected: '1 entries, at 1: (absent)', received: '2 entries, at 1: 2' }],
];
await test('each mismatch is named once', async (t) => {
  for (const [name, expected, received, mismatch] of one) {
    const found = compareTexts(expected, received);
    t.equal(found.length, 1, name);
    t.has(found[0], mismatch, name);
  }
});

const wait = (seconds: number) => `"Request was throttled. Expected available in ${seconds} seconds."`;

await test('values that depend on the time compare by form', async (t) => {
  const moment = '"2026-11-21T04:39:58.871372Z"';
  t.same(compareTexts(moment, '"2027-01-01T00:00:00.000001Z"'), []);
  t.equal(compareTexts(moment, '"2027-01-01T00:00:00.001Z"').length, 1, 'milliseconds are another form');
  t.equal(compareTexts(moment, '"yesterday"').length, 1);
  t.equal(compareTexts('"2026-01-02T03:04:05Z"', '"2026-01-02T03:04:06Z"').length, 1, 'a date that was set is exact');
  t.same(compareTexts(wait(3600), wait(3598)), []);
  t.equal(compareTexts(wait(3600), wait(3597)).length, 1);
});

await test('random digits in the name of a deleted user compare by form', async (t) => {
  t.same(compareTexts('"noreply+7-2e95cc5f3b@weblate.org"', '"noreply+7-79161b9036@weblate.org"'), []);
  t.same(compareTexts('"/api/users/deleted-7-2e95cc5f3b/"', '"/api/users/deleted-7-79161b9036/"'), []);
  t.equal(compareTexts('"deleted-7-2e95cc5f3b"', '"deleted-8-2e95cc5f3b"').length, 1, 'the id is exact');
  t.equal(compareTexts('"deleted-7-2e95cc5f3b"', '"deleted-7"').length, 1, 'a suffix is not left out');
});

await test('listed keys compare as sets, and listed details by their beginning', async (t) => {
  const unordered = { unordered: new Set(['groups']) };
  t.same(compareTexts('{"groups":[2,3]}', '{"groups":[3,2]}', unordered), []);
  t.equal(compareTexts('{"groups":[2,3]}', '{"groups":[3,4]}', unordered).length, 1);
  t.equal(compareTexts('{"groups":[2,3]}', '{"groups":[3,2,2]}', unordered).length, 1);
  t.equal(compareTexts('{"others":[2,3]}', '{"others":[3,2]}', unordered).length, 2);
  const prefix = { ...rules, detailPrefix: 'JSON parse error - ' };
  t.same(compareTexts('{"detail":"JSON parse error - x"}', '{"detail":"JSON parse error - y"}', prefix), []);
  t.equal(compareTexts('{"detail":"JSON parse error - x"}', '{"detail":"broken"}', prefix).length, 1);
  t.equal(compareTexts('{"code":"JSON parse error - x"}', '{"code":"JSON parse error - y"}', prefix).length, 1);
});

// A request is sent exactly as its transcript has it.

const tokens = new Map([['amy', 'secret-of-amy']]);

/** Answers `answer` to any bytes, and keeps what came. */
async function startSocket(answer: string) {
  const kept = { text: '' };
  const server = net.createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      kept.text += chunk.toString('utf8');
      const length = Number(/content-length: (\d+)/iu.exec(kept.text)?.[1] ?? 0);
      const end = kept.text.indexOf('\r\n\r\n');
      if (end !== -1 && Buffer.byteLength(kept.text.slice(end + 4)) >= length) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = getPort(server);
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { kept, close, baseUrl: `http://127.0.0.1:${port}` };
}

const empty = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** The bytes that are sent for `request`, with the base URL's host and port as HOST. */
async function capture(request: Partial<TranscriptRequest>, path = ''): Promise<string> {
  const socket = await startSocket(empty);
  await send({ method: 'GET', path: '/', ...request }, { baseUrl: socket.baseUrl + path, tokens });
  await socket.close();
  return socket.kept.text.replaceAll(socket.baseUrl.slice('http://'.length), 'HOST');
}

await test('nothing is added, and the path is sent byte for byte', async (t) => {
  const rest = 'Host: HOST\r\nConnection: close\r\n\r\n';
  t.equal(await capture({ path: '/api//a/../%zz?x={|}&y=%00' }), `GET /api//a/../%zz?x={|}&y=%00 HTTP/1.1\r\n${rest}`);
  t.equal(await capture({ path: '/api/' }, '/sandboxes/x'), `GET /sandboxes/x/api/ HTTP/1.1\r\n${rest}`);
  for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'DELETE'])
    t.equal(await capture({ method }), `${method} / HTTP/1.1\r\n${rest}`);
  for (const method of ['POST', 'PROPFIND', 'FOO'])
    t.equal(
      await capture({ method }),
      `${method} / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
});

await test('the token is added, and headers are sent unchanged', async (t) => {
  t.match(await capture({ as: 'amy' }), /\r\nauthorization: Token secret-of-amy\r\n/);
  const own = { Authorization: 'bearer {token:amy}', Accept: '' };
  t.match(await capture({ as: 'amy', headers: own }), /\r\nauthorization: bearer secret-of-amy\r\naccept: ?\r\n/);
});

await test('bodies of each kind are sent byte for byte', async (t) => {
  const json = parseRawJson('{"a":1.0,"b":1000000000000000000000000000000,"c":"{base_url}/x/"}');
  const sent = await capture({ method: 'POST', json });
  t.match(sent, /\r\ncontent-type: application\/json\r\n/);
  t.match(sent, /\r\n\r\n\{"a":1\.0,"b":1000000000000000000000000000000,"c":"http:\/\/HOST\/x\/"\}$/);

  const form = await capture({ method: 'POST', form: { a: parseRawJson('1.0'), b: 'x y&ü', c: '' } });
  t.match(form, /\r\ncontent-type: application\/x-www-form-urlencoded\r\n/);
  t.match(form, /\r\n\r\na=1\.0&b=x\+y%26%C3%BC&c=$/);

  const multipart = await capture({ method: 'POST', multipart: { a: '1', 'b"': 'ü\r\n--understudy-transcript' } });
  const [, boundary] = /content-type: multipart\/form-data; boundary=(\S+)\r\n/.exec(multipart) ?? [];
  t.equal(multipart.split(`--${boundary}\r\n`).length, 3, 'the boundary stands in no field');
  t.match(multipart, /name="b%22"\r\n\r\nü\r\n--understudy-transcript\r\n/);
  t.ok(multipart.endsWith(`\r\n--${boundary}--\r\n`));

  const raw = await capture({ method: 'DELETE', raw: '\uFEFF{' });
  t.notMatch(raw, /content-type/i);
  t.match(raw, /content-length: 4\r\n[^]*\r\n\r\n\uFEFF\{$/);
});

await test('an answer is taken as it came', async (t) => {
  const answer = 'HTTP/1.1 418 -\r\nAllow: GET\r\nallow: POST\r\nLocation: a\r\nLocation: b\r\n\r\n\uFEFFü\0';
  const socket = await startSocket(answer);
  const received = await send({ method: 'GET', path: '/' }, { baseUrl: socket.baseUrl, tokens });
  await socket.close();
  t.equal(received.status, 418);
  t.same(received.headers['allow'], ['GET', 'POST']);
  t.same(received.headers['location'], ['a', 'b']);
  t.equal(received.body, '\uFEFFü\0');
});

const ask = (baseUrl: string, more: Partial<Target> = {}) =>
  send({ method: 'GET', path: '/' }, { baseUrl, tokens, ...more });

await test('servers that do not respond are reported', async (t) => {
  const hangsUp = await startSocket('');
  await t.rejects(ask(hangsUp.baseUrl), { name: 'NoAnswerError' });
  await hangsUp.close();
  await t.rejects(ask(hangsUp.baseUrl), { name: 'UnreachableError' }, 'nothing listens any more');
  const halfway = await startSocket('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
  await t.rejects(ask(halfway.baseUrl), { name: 'NoAnswerError' });
  await halfway.close();

  const silent = net.createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<net.Socket>();
  silent.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  const baseUrl = `http://127.0.0.1:${getPort(silent)}`;
  await t.rejects(ask(baseUrl, { timeoutMs: 50 }), { name: 'NoAnswerError', message: 'nothing within 50 ms' });
  const controller = new AbortController();
  silent.once('connection', () => controller.abort());
  await t.rejects(ask(baseUrl, { signal: controller.signal }), { name: 'AbortError' });
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

await test('an answer that doesn’t end is given up', async (t) => {
  const chunk = Buffer.alloc(1 << 20, 'x');
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    const more = () => socket.write(chunk, (error) => error ?? more());
    socket.once('data', more);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const target = { baseUrl: `http://127.0.0.1:${getPort(server)}`, tokens };
  await t.rejects(send({ method: 'GET', path: '/' }, target), { message: /\(more than 33554432 bytes\)$/ });
});

// Differences sorted into classes, and the table of them.

const inPlace = (place: string, expected: string, received: string) => ({ place, expected, received });
const status = inPlace('status', '200', '404');

const paths: [string, string][] = [
  ['/api/', '/api/'],
  ['/api/users/?page=2&username=bob', '/api/users/'],
  ['/api/users/alice/', '/api/users/{username}/'],
  ['/api/users/alice', '/api/users/{username}'],
  ['/api/users/12/', '/api/users/{username}/'],
  ['/api/users/groups/groups/', '/api/users/{username}/groups/'],
  ['/api/users/jane.doe%2Bci/notifications.json', '/api/users/{username}/notifications.{format}'],
  ['/api/users/alice/notifications/43/', '/api/users/{username}/notifications/{id}/'],
  ['/api/users/alice/notifications/abc/?format=csv', '/api/users/{username}/notifications/{id}/'],
  ['/api/users/alice/statistics/', '/api/users/{username}/statistics/'],
  ['/api/users//notifications/', '/api/users//notifications/'],
  ['/api/groups/1/roles/', '/api/groups/{id}/roles/'],
  ['/api/projects/demo/', '/api/projects/{slug}/'],
  ['/api/users/alice/anything/', '/api/users/{username}/{other}/'],
  ['/nothing?', '/{other}'],
];

for (const [path, pattern] of paths)
  await test(`the pattern of ${path}`, async (t) => {
    t.equal(classOf({ method: 'GET', path }, status), `GET ${pattern} status 200 → 404`);
  });

const members: [string, string, string, string][] = [
  ['header vary', 'Accept', '(absent)', 'header vary Accept → (absent)'],
  ['header location', 'http://a/1/', 'http://a/2/', 'header location http://a/1/ → http://a/2/'],
  ['body.results[3].groups[12]', '1', '2', 'body.results[].groups[] number → number'],
  ['body.next', 'null', '"http://a/?page=2"', 'body.next null → text'],
  ['body.errors[0].code', '"invalid"', '"null"', 'body.errors[].code "invalid" → "null"'],
  ['body.errors[0].detail', '"Wrong."', '"Bad."', 'body.errors[].detail text → text'],
  ['body.errors', '2 entries, at 1: {"a":1}', '1 entries, at 1: (absent)', 'body.errors entries → entries'],
  ['body.groups', 'in any order 1, 2', '1, 3', 'body.groups list → number'],
  ['body', 'JSON: {"a":1}', 'an HTML page', 'body JSON → an HTML page'],
  ['body', '{"a":1}', '[1]', 'body object → list'],
  ['body (order of keys)', 'a, b', 'b, a', 'body (order of keys)'],
  ['text', '"a,b\\r\\n"', '"a,c\\r\\n"', 'text text → text'],
];

for (const [place, expected, received, named] of members)
  await test(`the class of ${place}: ${expected}`, async (t) => {
    t.equal(classOf({ method: 'PUT', path: '/api/' }, inPlace(place, expected, received)), `PUT /api/ ${named}`);
  });

const found = (method: string, path: string, step: string, mismatch = status): FoundDifference => ({
  request: { method, path },
  mismatch,
  step,
});

await test('the table: a row for each class, steps counted once, the most frequent first', async (t) => {
  const name = (index: number, value: string) => inPlace(`body.results[${index}].name`, '"x"', value);
  const table = formatClasses([
    found('GET', '/api/users/bob/', 'users/detail: GET /api/users/bob/'),
    found('GET', '/api/users/', 'users/list: GET /api/users/', name(0, '"y"')),
    found('GET', '/api/users/', 'users/list: GET /api/users/', name(1, '"z"')),
    found('GET', '/api/users/', 'users/list: GET /api/users/?page=2', name(0, '"y"')),
  ]);
  t.equal(
    table,
    `| request                      | what                  | before | now   | steps | first seen                          |
| ---------------------------- | --------------------- | ------ | ----- | ----- | ----------------------------------- |
| \`GET /api/users/\`            | \`body.results[].name\` | \`"x"\`  | \`"y"\` | 2     | \`users/list: GET /api/users/\`       |
| \`GET /api/users/{username}/\` | \`status\`              | \`200\`  | \`404\` | 1     | \`users/detail: GET /api/users/bob/\` |
`,
  );
  t.equal(formatClasses([]), '', 'nothing without differences');
});

await test('the table: the same change in several operations is one row', async (t) => {
  const vary = inPlace('header vary', 'Accept, Cookie', 'Accept');
  const rows = formatClasses([
    found('GET', '/api/users/', 'users/list: GET /api/users/', vary),
    found('GET', '/api/users/bob/', 'users/detail: GET /api/users/bob/', vary),
    found('PUT', '/api/users/bob/', 'users/detail: PUT /api/users/bob/', vary),
    found(
      'PUT',
      '/api/users/bob/',
      'users/detail: PUT /api/users/bob/',
      inPlace('header vary', 'Accept, Cookie', 'Accept, origin'),
    ),
  ]).split('\n');
  t.match(
    rows[2],
    /^\| `GET \/api\/users\/` and 2 more +\| `header vary` .* \| 3 +\| `users\/list: GET \/api\/users\/` +\|$/,
  );
  t.match(rows[3], /^\| `PUT \/api\/users\/\{username\}\/` +\| `header vary` .*`Accept, origin` \| 1 /);
  t.equal(rows.length, 5);
});

await test('the table: values are shortened to where they differ, and can break neither line nor terminal', async (t) => {
  const before = `${'a'.repeat(100)}b|c\u001B[31m\nd \`e\`${'f'.repeat(100)}`;
  const now = `${'a'.repeat(100)}B|c`;
  const table = formatClasses([found('GET', '/api/', 'root/paths: GET /api/', inPlace('body.x', before, now))]);
  t.match(table, `| \`\` …${'a'.repeat(12)}b\\|c [31m d \`e\`${'f'.repeat(6)}… \`\` | \`…${'a'.repeat(12)}B\\|c\` `);
  t.equal(table.split('\n').length, 4);
});
