// The replay of transcripts: what is read from a folder, how requests are sent, and which differences are found.
import net from 'node:net';
import { test } from 'tap';
import { readUrlOption } from '../../src/cli/usage.ts';
import {
  type Answer,
  choose,
  data,
  getPort,
  startTranscriptServer,
  tokens,
  type TranscriptServer,
} from './engine-server.ts';
import { classOf, formatClasses, type FoundDifference } from './engine/classes.ts';
import { compareJson } from './engine/compare-json.ts';
import { loadTranscripts } from './engine/load.ts';
import { makeRedact } from './engine/placeholders.ts';
import { parseRawJson } from './engine/raw-json.ts';
import { replay, type StepResult } from './engine/replay.ts';
import { send, type Target } from './engine/send-request.ts';
import { noDifferences, type Scenario, type TranscriptRequest } from './engine/transcript.ts';

await test('all faults are reported at once, with file and path, and without a token', async (t) => {
  const ok = { request: { method: 'GET', path: '/a' }, response: { status: 200, headers: {}, body: null } };
  const folder = t.testdir({
    'a.json': JSON.stringify({ scenario: 'a', steps: [{ ...ok, request: { method: 'GET', path: 'a b' } }] }),
    'b.json': JSON.stringify({ scenario: 'b', steps: [{ ...ok, request: { method: 'GET', path: '/', as: 'zoe' } }] }),
    'c.json': JSON.stringify({ scenario: 'b', steps: [ok, { request: ok.request }], more: 1 }),
    'd.json': '{"scenario": "d",\n "steps": wlu_secretsecretsecretsecret}',
    'e.json': JSON.stringify({ scenario: 'f', steps: [ok] }),
    'differences.json': JSON.stringify({ f: { 'GET /a (2)': { skip: 'x' } } }),
    'seed.json': JSON.stringify({ users: [{ username: 'amy', token: 'secret-of-amy' }] }),
  });
  const message = await loadTranscripts(folder).then(
    () => 'loaded',
    (error: unknown) => (error as Error).message,
  );
  t.notMatch(message, /secret/);
  t.strictSame(
    message
      .split('\n')
      .map((fault) => fault.split(': ').slice(0, 2).join(': '))
      .toSorted(),
    [
      'a.json: /steps/0/request/path',
      'b.json: GET / as zoe',
      'c.json: /more',
      'c.json: /steps/1/response',
      'd.json: is not JSON',
      'differences.json: f',
    ],
  );
  await t.rejects(loadTranscripts(t.testdir({})), { message: /holds no transcript/ });
});

await test('base URLs are read in their canonical form', async (t) => {
  t.equal(readUrlOption('--url', 'HTTP://LOCALHOST:80/'), 'http://localhost');
  t.equal(readUrlOption('--url', 'http://[::1]:8000/sandboxes/x/'), 'http://[::1]:8000/sandboxes/x');
  for (const bad of ['localhost:8000', 'ftp://a', '', 'http://u:secret@a', 'http://a/?b', 'http://a/#b'])
    t.throws(() => readUrlOption('--url', bad), { message: /^(?!.*secret)--url must/ }, bad);
});

await test('tokens are found whole, the longest first, and by their form', async (t) => {
  const redact = makeRedact(new Map(Object.entries({ a: 'abc', b: 'abcdef', bee: 'abcdef' })));
  t.equal(redact('Token abcdef, abc; wlu_0123456789abcdefghij'), 'Token {token:b}, {token:a}; {token}');
});

const rules = { unordered: new Set(['groups']), detailPrefix: 'JSON parse error - ' };
const compareTexts = (expected: string, received: string) =>
  compareJson('body', parseRawJson(expected), parseRawJson(received), rules);

await test('each mismatch is named once', async (t) => {
  for (const [expected, received, named] of [
    ['{"a":1}', '{"a":2}', 'body.a: 1 → 2'],
    ['{"a":1}', '{"a":1.0}', 'body.a: 1 → 1.0'],
    ['{"a":1}', '{"a":"1"}', 'body.a: 1 → "1"'],
    ['{"a":null}', '{"a":false}', 'body.a: null → false'],
    ['{"a":{}}', '{"a":[]}', 'body.a: {} → []'],
    ['{"a":1,"b":2}', '{"b":2}', 'body.a: 1 → (absent)'],
    ['{"a":1}', '{"c":3,"a":1}', 'body.c: (absent) → 3'],
    ['{"a":1}', '{"a":1,"toString":1}', 'body.toString: (absent) → 1'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', 'body (order of keys): a, b → b, a'],
    ['{"a":1,"b":2}', '{"c":1}', 'body: {"a":1,"b":2} → {"c":1}'],
    ['[1,2,3]', '[1,5,3]', 'body[1]: 2 → 5'],
    ['[1,2,3]', '[1,3]', 'body: 3 entries, at 1: 2 → 2 entries, at 1: 3'],
    ['[1]', '[1,2]', 'body: 1 entries, at 1: (absent) → 2 entries, at 1: 2'],
    ['{"groups":[2,3]}', '{"groups":[3,2,2]}', 'body.groups: in any order 2, 3 → 2, 2, 3'],
    ['{"detail":"JSON parse error - x"}', '{"detail":"x"}', 'body.detail: "JSON parse error - " and more → "x"'],
    // Milliseconds are another form, and a moment that was set is exact.
    ['"2026-11-21T04:39:58.871372Z"', '"2027-01-01T00:00:00.001Z"'],
    ['"2026-01-02T03:04:05Z"', '"2026-01-02T03:04:06Z"'],
    ['"Expected available in 9 seconds."', '"Expected available in 6 seconds."'],
    ['"deleted-7-2e95cc5f3b"', '"deleted-8-2e95cc5f3b"'],
    ['"deleted-7-2e95cc5f3b"', '"deleted-7"'],
  ] as const) {
    const found = compareTexts(expected, received).map((one) => `${one.place}: ${one.expected} → ${one.received}`);
    t.same(found, [named ?? `body: ${expected} → ${received}`]);
  }
});

await test('what depends on the time or on chance compares by form', async (t) => {
  for (const [expected, received] of [
    ['"2026-11-21T04:39:58.871372Z"', '"2027-01-01T00:00:00.000001Z"'],
    ['"Expected available in 3600 seconds."', '"Expected available in 3598 seconds."'],
    ['"noreply+7-2e95cc5f3b@weblate.org"', '"noreply+7-79161b9036@weblate.org"'],
    ['"/api/users/deleted-7-2e95cc5f3b/"', '"/api/users/deleted-7-79161b9036/"'],
    ['{"groups":[2,3]}', '{"groups":[3,2]}'],
    ['{"detail":"JSON parse error - x"}', '{"detail":"JSON parse error - y"}'],
  ] as const)
    t.same(compareTexts(expected, received), [], expected);
});

/** Answers `answer` to a request, and keeps what came. */
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
  const baseUrl = `http://127.0.0.1:${getPort(server)}`;
  const ask = (request: Partial<TranscriptRequest> = {}, target: Partial<Target> = {}) =>
    send({ method: 'GET', path: '/', ...request }, { baseUrl, tokens: new Map([['amy', 'secret-of-amy']]), ...target });
  return { kept, baseUrl, ask, [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())) };
}

/** The bytes that are sent for `request`, with the base URL's host and port as HOST. */
async function capture(request: Partial<TranscriptRequest>): Promise<string> {
  await using socket = await startSocket('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  await socket.ask(request);
  return socket.kept.text.replaceAll(socket.baseUrl.slice('http://'.length), 'HOST');
}

await test('nothing is added, and path, headers and bodies are sent byte for byte', async (t) => {
  const rest = 'Host: HOST\r\nConnection: close\r\n\r\n';
  t.equal(await capture({ path: '/api//a/../%zz?x={|}&y=%00' }), `GET /api//a/../%zz?x={|}&y=%00 HTTP/1.1\r\n${rest}`);
  for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'DELETE'])
    t.equal(await capture({ method }), `${method} / HTTP/1.1\r\n${rest}`);
  const own = { Authorization: 'bearer {token:amy}', Accept: '' };
  t.match(await capture({ as: 'amy', headers: own }), /\r\nauthorization: bearer secret-of-amy\r\naccept: ?\r\n/);

  const json = parseRawJson('{"a":1.0,"b":1000000000000000000000000000000,"c":"{base_url}/x/"}');
  t.match(
    await capture({ method: 'POST', json }),
    /\r\n\r\n\{"a":1\.0,"b":1000000000000000000000000000000,"c":"http:\/\/HOST\/x\/"\}$/,
  );
  t.match(
    await capture({ method: 'POST', form: { a: parseRawJson('1.0'), b: 'x y&ü', c: '' } }),
    /a=1\.0&b=x\+y%26%C3%BC&c=$/,
  );
  const raw = await capture({ method: 'DELETE', raw: '\uFEFF{' });
  t.notMatch(raw, /content-type/i);
  t.match(raw, /content-length: 4\r\n[^]*\r\n\r\n\uFEFF\{$/);
});

await test('servers that do not respond are reported', async (t) => {
  const silent = net.createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<net.Socket>();
  silent.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  const ask = (more: Partial<Target>) =>
    send({ method: 'GET', path: '/' }, { baseUrl: `http://127.0.0.1:${getPort(silent)}`, tokens, ...more });
  await t.rejects(ask({ timeoutMs: 50 }), { name: 'NoAnswerError', message: 'nothing within 50 ms' });
  const controller = new AbortController();
  silent.once('connection', () => controller.abort());
  await t.rejects(ask({ signal: controller.signal }), { name: 'AbortError' });
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

async function collect(
  server: TranscriptServer,
  chosen: readonly Scenario[],
  differences = noDifferences,
): Promise<StepResult[]> {
  return await Array.fromAsync(replay({ scenarios: chosen, differences, baseUrl: server.baseUrl, tokens }));
}
const differing = (results: readonly StepResult[]) => results.filter(({ mismatches: found }) => found.length > 0);
const placesOf = ({ scenario, step, mismatches: found }: StepResult) => [
  scenario,
  step,
  ...found.map(({ place }) => place),
];

const withHeader = (answer: Answer, name: string, values: string[]): Answer => ({
  ...answer,
  headers: answer.headers.flatMap((one): [string, string][] =>
    one[0] === name ? values.map((value) => [name, value]) : [one],
  ),
});

const faults: { name: string; place: string; alter: (answer: Answer) => Answer | null }[] = [
  { name: 'a status', place: 'status', alter: (answer) => ({ ...answer, status: 203 }) },
  {
    name: 'a value more in a header',
    place: 'header allow',
    alter: (answer) => withHeader(answer, 'allow', ['GET, POST, HEAD, OPTIONS, PATCH']),
  },
  {
    name: 'a header sent twice',
    place: 'header allow',
    alter: (answer) => withHeader(answer, 'allow', ['GET, POST, HEAD, OPTIONS', 'GET']),
  },
  { name: 'a header left out', place: 'header vary', alter: (answer) => withHeader(answer, 'vary', []) },
  {
    name: 'another charset',
    place: 'header content-type',
    alter: (answer) => withHeader(answer, 'content-type', ['application/json; charset=utf-8']),
  },
  {
    name: 'a URL without its base',
    place: 'body.results[10].project',
    alter: (answer) => ({ ...answer, body: answer.body.replace(/"http:\/\/[\d.:]+\/api\/projects/, '"/api/projects') }),
  },
  {
    name: 'a page for JSON',
    place: 'body',
    alter: (answer) => ({ ...withHeader(answer, 'content-type', ['text/html']), body: '<!doctype html><p>' }),
  },
  { name: 'broken JSON', place: 'body', alter: (answer) => ({ ...answer, body: answer.body.slice(1) }) },
  { name: 'an empty body', place: 'body', alter: (answer) => ({ ...answer, body: '' }) },
  { name: 'no answer', place: 'answer', alter: () => null },
];

await test('each fault is reported exactly once', async (t) => {
  const chosen = choose('list/own');
  const faulty = 'GET /api/users/alice/notifications/ as alice';
  for (const { name, place, alter } of faults) {
    await using server = await startTranscriptServer(chosen);
    server.alter = (answer, { step }) => (step === faulty ? alter(answer) : answer);
    const results = await collect(server, chosen);
    t.equal(results.length, chosen[0]?.steps.length);
    t.same(differing(results).map(placesOf), [['list/own', faulty, place]], name);
  }
});

await test('answers without JSON are compared too', async (t) => {
  const chosen = choose('format/query', 'detail/delete');
  const list = '/api/users/alice/notifications/';
  const [api, csv] = ['api', 'csv'].map((format) => `GET ${list}?format=${format} as alice`) as [string, string];
  const removed = `DELETE ${list}43/ as alice`;
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer, { scenario, step }) => {
    if (scenario === 'detail/delete' && step === removed) return { ...answer, status: 200, body: 'null' };
    return scenario === 'format/query' && (step === api || step === csv)
      ? { ...answer, body: `${answer.body}x`.replace('<!DOCTYPE html>\n<html>', '{}') }
      : answer;
  };
  t.same(differing(await collect(server, chosen)).map(placesOf), [
    ['detail/delete', removed, 'status', 'body'],
    ['format/query', api, 'body'],
    ['format/query', csv, 'text'],
  ]);
});

await test('with the differences applied, even the recorded system differs in those places', async (t) => {
  const chosen = choose('create/duplicate', 'create/bodies', 'root/paths', 'list/no-trailing-slash');
  const all = (await loadTranscripts(data)).differences;
  // Without the keys that only Understudy has.
  const differences = { ...all, everywhere: { ...all.everywhere, added_keys: {} } };
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer) => withHeader(answer, 'vary', ['Accept']);
  const results = await collect(server, chosen, differences);
  const duplicate =
    'POST /api/users/alice/notifications/ as alice json {"notification":"RepositoryNotification","scope":10';
  const places = ['status', 'body.type', 'body.errors[0].code', 'body.errors[0].detail', 'body.errors[0].attr'];
  t.same(differing(results).map(placesOf), [
    ['create/duplicate', `${duplicate},"frequency":1} (2)`, ...places],
    ['create/duplicate', `${duplicate},"frequency":3}`, ...places],
  ]);
  t.same(results.filter(({ skipped }) => skipped !== undefined).map(placesOf), [
    ['root/paths', 'GET /api/ as alice'],
    ['root/paths', 'GET /api/'],
  ]);
  t.equal(server.asked.length, results.length, 'what is not compared is asked all the same');
});

await test('`added_keys` accepts a further key everywhere', async (t) => {
  const chosen = choose('list/own');
  const differences = { ...noDifferences, everywhere: { added_keys: { color: ['scope', 'frequency'] } } };
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer) => ({ ...answer, body: answer.body.replaceAll('"project":', '"color":"red","project":') });
  t.same(differing(await collect(server, chosen, differences)), [], 'at any place, with any value');
  await using without = await startTranscriptServer(chosen);
  without.alter = (answer) => ({
    ...answer,
    body: answer.body.replace('"previous":null', '"previous":null,"color":1'),
  });
  const [first] = await collect(without, chosen, differences);
  const entries = Array.from({ length: 12 }, (_entry, i) => `body.results[${i}].color`);
  t.same(first && placesOf(first).slice(2), [...entries, 'body.color']);
});

const inPlace = (place: string, expected: string, received: string) => ({ place, expected, received });
const status = inPlace('status', '200', '404');

await test('a class is an operation, a place and the forms of both values', async (t) => {
  for (const [path, pattern] of [
    ['/api/users/?page=2&username=bob', '/api/users/'],
    ['/api/components/demo/app/', '/api/components/{project}/{slug}/'],
    ['/api/users.json', '/api/users.json'],
  ] as const)
    t.equal(classOf({ method: 'OPTIONS', path }, status), `OPTIONS ${pattern} status 200 → 404`);
  for (const [place, expected, received, named] of [
    ['header vary', 'Accept', '(absent)', 'header vary Accept → (absent)'],
    ['body.results[3].groups[12]', '1', '2', 'body.results[].groups[] number → number'],
    ['body.next', 'null', '"http://a/?page=2"', 'body.next null → text'],
    ['body.errors[0].code', '"invalid"', '"null"', 'body.errors[].code "invalid" → "null"'],
    ['body.groups', 'in any order 1, 2', '1, 3', 'body.groups list → number'],
    ['body (order of keys)', 'a, b', 'b, a', 'body (order of keys)'],
  ] as const)
    t.equal(classOf({ method: 'PUT', path: '/api/' }, inPlace(place, expected, received)), `PUT /api/ ${named}`);
});

const found = (method: string, path: string, step: string, mismatch = status): FoundDifference => ({
  request: { method, path },
  mismatch,
  step,
});

await test('the table: a row for each class, steps counted once, the most frequent first', async (t) => {
  const name = (index: number, value: string) => inPlace(`body.results[${index}].name`, '"x"', value);
  const vary = inPlace('header vary', 'Accept, Cookie', 'Accept');
  const table = formatClasses([
    found('GET', '/api/users/bob/', 'users/detail: GET /api/users/bob/'),
    found('GET', '/api/users/', 'users/list: GET /api/users/', name(0, '"y"')),
    found('GET', '/api/users/', 'users/list: GET /api/users/', name(1, '"z"')),
    found('GET', '/api/users/', 'users/list: GET /api/users/?page=2', name(0, '"y"')),
    ...['a', 'b', 'c'].map((step) => found(step === 'a' ? 'GET' : 'PUT', '/api/users/', step, vary)),
  ]);
  t.equal(
    table,
    `| request                      | what                  | before           | now      | steps | first seen                          |
| ---------------------------- | --------------------- | ---------------- | -------- | ----- | ----------------------------------- |
| \`GET /api/users/\` and 1 more | \`header vary\`         | \`Accept, Cookie\` | \`Accept\` | 3     | \`a\`                                 |
| \`GET /api/users/\`            | \`body.results[].name\` | \`"x"\`            | \`"y"\`    | 2     | \`users/list: GET /api/users/\`       |
| \`GET /api/users/{username}/\` | \`status\`              | \`200\`            | \`404\`    | 1     | \`users/detail: GET /api/users/bob/\` |
`,
  );
  t.equal(formatClasses([]), '', 'nothing without differences');
});

await test('the table: values are shortened to where they differ, and can break neither line nor terminal', async (t) => {
  const before = `${'a'.repeat(100)}b|c\u001B[31m\nd \`e\`${'f'.repeat(100)}`;
  const now = `${'a'.repeat(100)}B|c`;
  const table = formatClasses([found('GET', '/api/', 'root/paths: GET /api/', inPlace('body.x', before, now))]);
  t.match(table, `| \`\` …${'a'.repeat(12)}b\\|c [31m d \`e\`${'f'.repeat(6)}… \`\` | \`…${'a'.repeat(12)}B\\|c\` `);
  t.equal(table.split('\n').length, 4);
});
