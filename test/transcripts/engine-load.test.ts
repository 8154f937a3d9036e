// Folders of transcripts: what is read from them, and the faults of broken ones.
import { readdir } from 'node:fs/promises';
import { test } from 'tap';
import { readUrlOption } from '../../src/cli/parse-arguments.ts';
import { getExpectation } from './engine/expectation.ts';
import { loadTranscripts, TranscriptFaults } from './engine/load.ts';
import { makeRedact } from './engine/placeholders.ts';
import { titleSteps } from './engine/transcript.ts';

const data = new URL('data', import.meta.url).pathname;
const loaded = await loadTranscripts(data);

const expectStep = (name: string, title: string) => {
  const step = loaded.scenarios.find((one) => one.name === name)?.steps.find((one) => one.title === title);
  if (!step) throw new Error(`${name} has no step ${title}`);
  const { everywhere, steps } = loaded.differences;
  return getExpectation(step.response, steps[name]?.[title] ?? {}, everywhere);
};

await test('the recorded folder loads whole', async (t) => {
  const files = (await readdir(data)).filter((name) => name.includes('__'));
  t.same(loaded.scenarios.map(({ file }) => file).toSorted(), files.toSorted());
  t.equal(
    JSON.stringify(loaded.scenarios.find(({ name }) => name === 'create/types')?.steps[3]?.request.json),
    '{"notification":1.0,"scope":10,"frequency":1}',
  );
  t.equal(loaded.tokens.get('jurgen'), loaded.tokens.get('jürgen'));
  t.ok(loaded.tokens.get('janedoeciexample'));
  t.equal(loaded.tokens.get('janedoeciexample'), loaded.tokens.get('jane.doe+ci@example'));
  t.notOk(loaded.tokens.has('anonymous'), 'a user without a token has none');
});

await test('differences replace what was recorded', async (t) => {
  const duplicate = expectStep(
    'create/duplicate',
    'POST /api/users/alice/notifications/ as alice json {"notification":"RepositoryNotification","scope":10,"frequency":1} (2)',
  );
  t.equal(duplicate.status, 400);
  t.match(duplicate.content, { body: { type: 'validation_error' } });
  t.equal(duplicate.headers.get('vary'), 'Accept', 'the difference everywhere');
  t.ok(duplicate.unordered.has('groups'));
  const page = expectStep('detail/read', 'GET /api/users/alice/notifications/43/?format=api as alice');
  t.same(page.content, { html: true });
  t.notOk(page.headers.has('content-type'), 'the type recorded was that of the JSON');
  const either = expectStep('list/no-trailing-slash', 'GET /api/users/alice/notifications as alice');
  t.same(either.content, { html: null });
  t.notOk(either.headers.has('content-type'));
  const foo = expectStep('methods/list', 'FOO /api/users/alice/notifications/ as alice');
  t.equal(foo.headers.size, 0, 'null takes a header out of the comparison');
  const expiry = expectStep('users/expiry', 'PATCH /api/users/carol/ as admin json {"date_expires":"2020-01-01"}');
  t.equal(expiry.detailPrefix, 'Ensure this value is greater than or equal to ');
  t.match(expectStep('root/paths', 'GET /api/ as alice').skip, /links/);
  t.equal(expectStep('list/own', 'GET /api/users/alice/notifications/ as alice').skip, undefined);
});

await test('a step is titled by what it sends; equal titles are numbered', async (t) => {
  const response = { status: 200, headers: {}, body: null };
  const post = { method: 'POST', path: '/api/', as: 'amy', headers: { accept: '*/*' } };
  const long = { ...post, form: { text: 'x'.repeat(200) } };
  const requests = [
    post,
    { method: 'GET', path: '/' },
    post,
    { ...post, raw: 'a\nb' },
    { ...post, json: 1 },
    long,
    long,
  ];
  const cut = `${`POST /api/ as amy accept: */* form {"text":"${'x'.repeat(200)}`.slice(0, 160)}…`;
  t.same(
    titleSteps(requests.map((request) => ({ request, response }))).map(({ title }) => title),
    [
      'POST /api/ as amy accept: */*',
      'GET /',
      'POST /api/ as amy accept: */* (2)',
      String.raw`POST /api/ as amy accept: */* raw "a\nb"`,
      'POST /api/ as amy accept: */* json 1',
      cut,
      `${cut} (2)`,
    ],
  );
  for (const { name, steps } of loaded.scenarios)
    t.equal(new Set(steps.map(({ title }) => title)).size, steps.length, `unique in ${name}`);
});

await test('all faults are reported at once, with file and path, and without a token', async (t) => {
  const ok = { request: { method: 'GET', path: '/a' }, response: { status: 200, headers: {}, body: null } };
  const folder = t.testdir({
    'a.json': JSON.stringify({ scenario: 'a', steps: [{ ...ok, request: { method: 'GET', path: 'a b' } }] }),
    'b.json': JSON.stringify({ scenario: 'b', steps: [{ ...ok, request: { method: 'GET', path: '/', as: 'zoe' } }] }),
    'c.json': JSON.stringify({ scenario: 'b', steps: [ok, { request: ok.request }], more: 1 }),
    'd.json': '{"scenario": "d",\n "steps": nothing}',
    'e.json': JSON.stringify({ scenario: 'b', steps: [ok] }),
    'f.json': JSON.stringify({
      scenario: 'f',
      steps: [
        { request: { ...ok.request, raw: '', json: {} }, response: { status: 200, headers: {}, body: 1, text: '' } },
      ],
    }),
    'differences.json': JSON.stringify({ b: { 'GET /a': {} }, a: { 'GET /a': 1 } }),
    'seed.json': JSON.stringify({ users: [{ username: 'amy', token: 'secret-of-amy' }] }),
  });
  const error: unknown = await loadTranscripts(folder).catch((reason: unknown) => reason);
  if (!(error instanceof TranscriptFaults)) throw new Error('loaded, or failed otherwise');
  t.strictSame([...error.faults].map((fault) => fault.split(': ').slice(0, 2).join(': ')).toSorted(), [
    'a.json: /steps/0/request/path',
    'b.json: GET / as zoe',
    'c.json: /more',
    'c.json: GET /a (2)',
    'd.json: is not JSON',
    'differences.json: /a/GET ~1a',
    'e.json: /scenario',
    'f.json: GET /a raw "" json {}',
    'f.json: GET /a raw "" json {}',
  ]);
});

await test('a difference of a step that does not exist is a fault', async (t) => {
  const step = { request: { method: 'GET', path: '/' }, response: { status: 200, headers: {}, body: null } };
  const folder = t.testdir({
    'b.json': JSON.stringify({ scenario: 'b', steps: [step] }),
    'differences.json': JSON.stringify({ b: { 'GET /': {}, 'GET / (2)': { skip: 'x' } }, unknown: { 'GET /': {} } }),
  });
  await t.rejects(loadTranscripts(folder), { message: 'differences.json: b: there is no step "GET / (2)"' });
});

await test('a broken seed is not quoted', async (t) => {
  const folder = t.testdir({ 'seed.json': '{"users": [{"username": "amy", "token": wlu_secretsecretsecretsecret}]}' });
  const error: unknown = await loadTranscripts(folder).catch((reason: unknown) => reason);
  t.match(error, { message: /seed\.json: is not JSON/ });
  t.notMatch(error, { message: /secret/ });
});

await test('folders without a scenario are refused', async (t) => {
  await t.rejects(loadTranscripts(t.testdir({})), { message: /holds no transcript/ });
  await t.rejects(loadTranscripts(`${t.testdirName}/none`), { message: /cannot be read \(ENOENT\)/ });
  const step = { request: { method: 'GET', path: '/', as: 'amy' }, response: { status: 200, headers: {}, body: null } };
  const folder = t.testdir({ 'a.json': JSON.stringify({ scenario: 'a', steps: [step, step] }) });
  await t.rejects(loadTranscripts(folder), { faults: { length: 1 }, message: /no seed\.json/ });
});

await test('base URLs are read in their canonical form', async (t) => {
  t.equal(readUrlOption('--url', 'HTTP://LOCALHOST:80/'), 'http://localhost');
  t.equal(readUrlOption('--url', 'http://[::1]:8000/sandboxes/x/'), 'http://[::1]:8000/sandboxes/x');
  for (const bad of ['localhost:8000', 'ftp://a', '', 'http://u:secret@a', 'http://a/?b', 'http://a/#b'])
    t.throws(() => readUrlOption('--url', bad), { message: /^(?!.*secret)--url must/ }, bad);
});

await test('tokens are found whole, the longest first, and by their form', async (t) => {
  const redact = makeRedact(
    new Map([
      ['a', 'abc'],
      ['b', 'abcdef'],
      ['bee', 'abcdef'],
    ]),
  );
  t.equal(redact('Token abcdef, abc; wlu_0123456789abcdefghij'), 'Token {token:b}, {token:a}; {token}');
});
