// The replay of transcripts: what is read from a folder, how requests are sent, and which differences are found.
import { readdir } from 'node:fs/promises';
import net from 'node:net';
import { test } from 'tap';
import { readUrlOption } from '../../src/cli/parse-arguments.ts';
import { data, scenarios, stepCount, tokens } from './engine-data.ts';
import { type Answer, getPort, startTranscriptServer, type TranscriptServer } from './engine-server.ts';
import { classOf, formatClasses, type FoundDifference } from './engine/classes.ts';
import { compareJson } from './engine/compare-json.ts';
import { loadTranscripts, TranscriptFaults } from './engine/load.ts';
import { makeRedact } from './engine/placeholders.ts';
import { parseRawJson } from './engine/raw-json.ts';
import { replay, selectScenarios, type StepResult } from './engine/replay.ts';
import { send, type Target } from './engine/send-request.ts';
import { noDifferences, type Scenario, type TranscriptRequest } from './engine/transcript.ts';

// What is read.

await test('the recorded folder loads whole', async (t) => {
  const files = (await readdir(data)).filter((name) => name.includes('__'));
  t.same(scenarios.map(({ file }) => file).toSorted(), files.toSorted());
  for (const { name, steps } of scenarios)
    t.equal(new Set(steps.map(({ title }) => title)).size, steps.length, `titles are unique in ${name}`);
  t.notOk(tokens.has('anonymous'), 'a user without a token has none');
});

await test('all faults are reported at once, with file and path, and without a token', async (t) => {
  const ok = { request: { method: 'GET', path: '/a' }, response: { status: 200, headers: {}, body: null } };
  const folder = t.testdir({
    'a.json': JSON.stringify({ scenario: 'a', steps: [{ ...ok, request: { method: 'GET', path: 'a b' } }] }),
    'b.json': JSON.stringify({ scenario: 'b', steps: [{ ...ok, request: { method: 'GET', path: '/', as: 'zoe' } }] }),
    'c.json': JSON.stringify({ scenario: 'b', steps: [ok, { request: ok.request }], more: 1 }),
    'd.json': '{"scenario": "d",\n "steps": wlu_secretsecretsecretsecret}',
    'e.json': JSON.stringify({ scenario: 'b', steps: [ok] }),
    'f.json': JSON.stringify({
      scenario: 'f',
      steps: [
        { request: { ...ok.request, raw: '', json: {} }, response: { status: 200, headers: {}, body: 1, text: '' } },
      ],
    }),
    'differences.json': JSON.stringify({ f: { 'GET /a (2)': { skip: 'x' } } }),
    'seed.json': JSON.stringify({ users: [{ username: 'amy', token: 'secret-of-amy' }] }),
  });
  const error: unknown = await loadTranscripts(folder).catch((reason: unknown) => reason);
  if (!(error instanceof TranscriptFaults)) throw new Error('loaded, or failed otherwise');
  t.notMatch(error.message, /secret/);
  t.strictSame([...error.faults].map((fault) => fault.split(': ').slice(0, 2).join(': ')).toSorted(), [
    'a.json: /steps/0/request/path',
    'b.json: GET / as zoe',
    'c.json: /more',
    'c.json: /steps/1/response',
    'd.json: is not JSON',
    'differences.json: f',
    'e.json: /scenario',
    'f.json: GET /a raw "" json {}',
    'f.json: GET /a raw "" json {}',
  ]);
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

// How JSON compares.

const rules = { unordered: new Set(['groups']), detailPrefix: 'JSON parse error - ' };
const compareTexts = (expected: string, received: string) =>
  compareJson('body', parseRawJson(expected), parseRawJson(received), rules);

const mismatches: [name: string, expected: string, received: string, mismatch: object][] = [
  ['a number', '{"a":1}', '{"a":2}', { place: 'body.a', expected: '1', received: '2' }],
  ['a number written otherwise', '{"a":1}', '{"a":1.0}', { place: 'body.a', expected: '1', received: '1.0' }],
  ['a type', '{"a":1}', '{"a":"1"}', { place: 'body.a', expected: '1', received: '"1"' }],
  ['null and false', '{"a":null}', '{"a":false}', { place: 'body.a', expected: 'null', received: 'false' }],
  ['a list for an object', '{"a":{}}', '{"a":[]}', { place: 'body.a', expected: '{}', received: '[]' }],
  ['a key too few', '{"a":1,"b":2}', '{"b":2}', { place: 'body.a', expected: '1', received: '(absent)' }],
  ['a key too many', '{"a":1}', '{"c":3,"a":1}', { place: 'body.c', expected: '(absent)', received: '3' }],
  ['an inherited name', '{"a":1}', '{"a":1,"toString":1}', { place: 'body.toString', expected: '(absent)' }],
  ['the order', '{"a":1,"b":2}', '{"b":2,"a":1}', { place: 'body (order of keys)', expected: 'a, b' }],
  ['another thing', '{"a":1,"b":2}', '{"c":1}', { place: 'body', expected: '{"a":1,"b":2}', received: '{"c":1}' }],
  ['an entry of a list', '[1,2,3]', '[1,5,3]', { place: 'body[1]', expected: '2', received: '5' }],
  ['an entry too few', '[1,2,3]', '[1,3]', { expected: '3 entries, at 1: 2', received: '2 entries, at 1: 3' }],
  ['an entry too many', '[1]', '[1,2]', { expected: '1 entries, at 1: (absent)', received: '2 entries, at 1: 2' }],
  ['a set', '{"groups":[2,3]}', '{"groups":[3,2,2]}', { place: 'body.groups' }],
  ['another detail', '{"detail":"JSON parse error - x"}', '{"detail":"broken"}', { place: 'body.detail' }],
  ['milliseconds', '"2026-11-21T04:39:58.871372Z"', '"2027-01-01T00:00:00.001Z"', { place: 'body' }],
  ['a date that was set', '"2026-01-02T03:04:05Z"', '"2026-01-02T03:04:06Z"', { place: 'body' }],
  ['a wait', '"Expected available in 9 seconds."', '"Expected available in 6 seconds."', { place: 'body' }],
  ['the id of a deleted user', '"deleted-7-2e95cc5f3b"', '"deleted-8-2e95cc5f3b"', { place: 'body' }],
  ['a suffix left out', '"deleted-7-2e95cc5f3b"', '"deleted-7"', { place: 'body' }],
];
await test('each mismatch is named once', async (t) => {
  for (const [name, expected, received, mismatch] of mismatches) {
    const found = compareTexts(expected, received);
    t.equal(found.length, 1, name);
    t.has(found[0], mismatch, name);
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

// How requests are sent.

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

await test('an answer is taken as it came', async (t) => {
  await using socket = await startSocket('HTTP/1.1 418 -\r\nAllow: GET\r\nallow: POST\r\n\r\n\uFEFFü\0');
  t.match(await socket.ask(), { status: 418, headers: { allow: ['GET', 'POST'] }, body: /^\uFEFFü\0$/ });
});

await test('servers that do not respond are reported', async (t) => {
  for (const answer of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc']) {
    await using socket = await startSocket(answer);
    await t.rejects(socket.ask(), { name: 'NoAnswerError' });
  }
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

// The replay against a server that answers from the transcripts themselves: faithful, and with one fault at a time.

const find = (...names: string[]): Scenario[] => scenarios.filter(({ name }) => names.includes(name));

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

await test('a faithful server has no mismatch, under a path too', async (t) => {
  await using server = await startTranscriptServer(scenarios, '/sandboxes/mine');
  const results = await collect(server, scenarios);
  t.equal(results.length, stepCount);
  t.same(differing(results), []);
});

const withHeader = (answer: Answer, name: string, values: string[]): Answer => ({
  ...answer,
  headers: answer.headers.flatMap((one): [string, string][] =>
    one[0] === name ? values.map((value) => [name, value]) : [one],
  ),
});

await test('seconds of rate limits may differ', async (t) => {
  const chosen = find('ratelimit/user');
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer) => ({
    ...answer,
    headers: answer.headers.map(([name, value]) =>
      name === 'x-ratelimit-reset' || name === 'retry-after' ? [name, `${Number(value) - 1}`] : [name, value],
    ),
  });
  t.same(differing(await collect(server, chosen)), []);
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
  const chosen = find('list/own');
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
  const chosen = find('format/query', 'detail/delete');
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
  const chosen = find('create/duplicate', 'create/bodies', 'root/paths', 'list/no-trailing-slash');
  const { differences } = await loadTranscripts(data);
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
  const chosen = find('list/own');
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

await test('the reset runs before each scenario, and only those chosen run', async (t) => {
  const chosen = selectScenarios(scenarios, ['users/li', 'order/p']);
  await using server = await startTranscriptServer(chosen);
  const done: string[] = [];
  const reset = async ({ name }: Scenario) => void done.push(`reset ${name}`);
  const options = { scenarios: chosen, differences: noDifferences, baseUrl: server.baseUrl, tokens, reset };
  for await (const { scenario } of replay(options)) if (done.at(-1) !== scenario) done.push(scenario);
  t.same(done, ['reset order/page', 'order/page', 'reset users/list', 'users/list']);
  const broken = replay({ ...options, reset: () => Promise.reject(new Error('no reset')) });
  await t.rejects(broken.next(), { message: 'no reset' });
});

await test('an unreachable server and an abort end the replay', async (t) => {
  const chosen = find('list/own');
  const server = await startTranscriptServer(chosen);
  const { baseUrl } = server;
  const controller = new AbortController();
  const { signal } = controller;
  const running = replay({ scenarios: chosen, differences: noDifferences, baseUrl, tokens, signal });
  await running.next();
  controller.abort();
  await t.rejects(running.next(), { name: 'AbortError' });
  await server[Symbol.asyncDispose]();
  await t.rejects(collect(server, chosen), { name: 'UnreachableError' });
});

// Differences sorted into classes, and the table of them.

const inPlace = (place: string, expected: string, received: string) => ({ place, expected, received });
const status = inPlace('status', '200', '404');

await test('a class is an operation, a place and the forms of both values', async (t) => {
  for (const [path, pattern] of [
    ['/api/users/?page=2&username=bob', '/api/users/'],
    ['/api/users/groups/groups/', '/api/users/{username}/groups/'],
    ['/api/users/alice/notifications/abc/?format=csv', '/api/users/{username}/notifications/{id}/'],
    ['/api/components/demo/app/', '/api/components/{project}/{slug}/'],
    ['/api/users.json', '/api/users.json'],
    ['/api/users//notifications/', '/api/users//notifications/'],
  ] as const)
    t.equal(classOf({ method: 'OPTIONS', path }, status), `OPTIONS ${pattern} status 200 → 404`);
  for (const [place, expected, received, named] of [
    ['header vary', 'Accept', '(absent)', 'header vary Accept → (absent)'],
    ['header location', 'http://a/1/', 'http://a/2/', 'header location http://a/1/ → http://a/2/'],
    ['body.results[3].groups[12]', '1', '2', 'body.results[].groups[] number → number'],
    ['body.next', 'null', '"http://a/?page=2"', 'body.next null → text'],
    ['body.errors[0].code', '"invalid"', '"null"', 'body.errors[].code "invalid" → "null"'],
    ['body.errors', '2 entries, at 1: {"a":1}', '1 entries, at 1: (absent)', 'body.errors entries → entries'],
    ['body.groups', 'in any order 1, 2', '1, 3', 'body.groups list → number'],
    ['body', 'JSON: {"a":1}', 'an HTML page', 'body JSON → an HTML page'],
    ['body', '{"a":1}', '[1]', 'body object → list'],
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
