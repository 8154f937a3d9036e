// Folders of transcripts: what is read from them, and the faults of broken ones.
import { readdir } from 'node:fs/promises';
import { test } from 'tap';
import { readUrlOption } from '../../src/cli/url-option.ts';
import { getExpectation } from './engine/expectation.ts';
import { loadTranscripts, TranscriptFaults } from './engine/load.ts';
import { makeRedact } from './engine/placeholders.ts';

const data = new URL('data', import.meta.url).pathname;
const loaded = await loadTranscripts(data);

const expectStep = (name: string, step: number) => {
  const response = loaded.scenarios.find((one) => one.name === name)?.steps[step]?.response;
  if (!response) throw new Error(`${name} has no step ${step}`);
  const { everywhere, steps } = loaded.differences;
  return getExpectation(response, steps[name]?.[step] ?? {}, everywhere);
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
  const duplicate = expectStep('create/duplicate', 1);
  t.equal(duplicate.status, 400);
  t.match(duplicate.content, { body: { type: 'validation_error' } });
  t.equal(duplicate.headers.get('vary'), 'Accept', 'the difference everywhere');
  t.ok(duplicate.unordered.has('groups'));
  const page = expectStep('detail/read', 20);
  t.same(page.content, { html: true });
  t.notOk(page.headers.has('content-type'), 'the type recorded was that of the JSON');
  const either = expectStep('list/no-trailing-slash', 0);
  t.same(either.content, { html: null });
  t.notOk(either.headers.has('content-type'));
  t.equal(expectStep('methods/list', 12).headers.size, 0, 'null takes a header out of the comparison');
  t.equal(expectStep('users/expiry', 36).detailPrefix, 'Ensure this value is greater than or equal to ');
  t.match(expectStep('root/paths', 0).skip, /links/);
  t.equal(expectStep('list/own', 0).skip, undefined);
});

await test('all faults at once, with file and path, and without a token', async (t) => {
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
    'differences.json': JSON.stringify({ b: { 0: {} }, a: { x: {} } }),
    'seed.json': JSON.stringify({ users: [{ username: 'amy', token: 'secret-of-amy' }] }),
  });
  const error: unknown = await loadTranscripts(folder).catch((reason: unknown) => reason);
  if (!(error instanceof TranscriptFaults)) throw new Error('loaded, or failed otherwise');
  t.strictSame([...error.faults].map((fault) => fault.split(': ').slice(0, 2).join(': ')).toSorted(), [
    'a.json: /steps/0/request/path',
    'b.json: /steps/0/request',
    'c.json: /more',
    'c.json: /steps/1/response',
    'd.json: is not JSON',
    'differences.json: /a/x',
    'e.json: /scenario',
    'f.json: /steps/0/request',
    'f.json: /steps/0/response',
  ]);
});

await test('a difference of a step that does not exist', async (t) => {
  const step = { request: { method: 'GET', path: '/' }, response: { status: 200, headers: {}, body: null } };
  const folder = t.testdir({
    'b.json': JSON.stringify({ scenario: 'b', steps: [step] }),
    'differences.json': JSON.stringify({ b: { 0: {}, 1: { skip: 'x' } }, unknown: { 7: {} } }),
  });
  await t.rejects(loadTranscripts(folder), { message: 'differences.json: /b/1: there is no such step' });
});

await test('a broken seed is not quoted', async (t) => {
  const folder = t.testdir({ 'seed.json': '{"users": [{"username": "amy", "token": wlu_secretsecretsecretsecret}]}' });
  const error: unknown = await loadTranscripts(folder).catch((reason: unknown) => reason);
  t.match(error, { message: /seed\.json: is not JSON/ });
  t.notMatch(error, { message: /secret/ });
});

await test('folders that hold nothing to replay', async (t) => {
  await t.rejects(loadTranscripts(t.testdir({})), { message: /holds no transcript/ });
  await t.rejects(loadTranscripts(`${t.testdirName}/none`), { message: /cannot be read \(ENOENT\)/ });
  const step = { request: { method: 'GET', path: '/', as: 'amy' }, response: { status: 200, headers: {}, body: null } };
  const folder = t.testdir({ 'a.json': JSON.stringify({ scenario: 'a', steps: [step, step] }) });
  await t.rejects(loadTranscripts(folder), { faults: { length: 1 }, message: /no seed\.json/ });
});

await test('base URLs', async (t) => {
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
