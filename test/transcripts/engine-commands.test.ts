// verify and record as they are typed: exits, what goes to which stream, files, and that no token leaves the program.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test } from 'tap';
import { record } from '../../src/cli/record.ts';
import { verify } from '../../src/cli/verify.ts';
import type { Command } from '../../src/cli/command.ts';
import { loadTranscripts } from '../../src/transcripts/load.ts';
import { makeRedact } from '../../src/transcripts/tokens.ts';
import { startTranscriptServer } from './engine-server.ts';

const data = new URL('data', import.meta.url).pathname;
const { scenarios, tokens } = await loadTranscripts(data);
const secrets = [...new Set(tokens.values())];
const choose = (prefix: string) => scenarios.filter(({ name }) => name.startsWith(prefix));

async function run(command: Command, args: string[], { isTTY = false, signal = new AbortController().signal } = {}) {
  const written = { stdout: '', stderr: '' };
  const stdout = { write: (text: string) => (written.stdout += text) };
  const stderr = { write: (text: string) => (written.stderr += text), isTTY };
  const code = await command.run(args, { stdout, stderr, env: process.env, signal });
  return { code, ...written };
}

await test('verify: no difference', async (t) => {
  await using server = await startTranscriptServer(scenarios);
  const done = await run(verify, [data, '--against', `${server.baseUrl}/`, '--exact']);
  t.equal(done.stdout, '52 scenarios, 470 steps: no difference\n');
  t.equal(done.code, 0);
  const [note, ...progress] = done.stderr.trimEnd().split('\n');
  t.match(note, /^note: without --reset .* 27 of them write$/);
  t.same(
    progress,
    scenarios.map(({ name }) => name),
  );
});

await test('verify: differences', async (t) => {
  await using server = await startTranscriptServer(choose('list/own'));
  server.alter = (answer, { step }) =>
    step === 0
      ? { ...answer, status: 203, body: answer.body.replace('"next":null', '"next":"\\u001b[31m\u009B"') }
      : answer;
  const done = await run(verify, [data, '--against', server.baseUrl, '--only', 'list/own', '--exact']);
  t.equal(
    done.stdout,
    `list/own step 0: GET /api/users/alice/notifications/ as alice
  status
    expected 200
    received 203
  body.next
    expected null
    received "\\u001b[31m\\x9b"
1 scenarios, ${choose('list/own')[0]?.steps.length} steps: 1 differ
`,
  );
  t.equal(done.code, 1);
});

await test('verify: differences.json is heeded unless told otherwise; scenarios can be left out', async (t) => {
  const chosen = scenarios.filter(({ name }) => name.startsWith('root/') || name === 'list/own');
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer) => ({
    ...answer,
    headers: answer.headers.map(([name, value]) => [name, name === 'vary' ? 'Accept' : value]),
  });
  const which = [
    '--only',
    'root/',
    '--only',
    'list/',
    ...['a', 'e', 'h', 'no', 'u'].flatMap((one) => ['--except', `list/${one}`]),
  ];
  const done = await run(verify, [data, '--against', server.baseUrl, ...which], { isTTY: true });
  t.match(done.stdout, /^2 scenarios, \d+ steps: no difference, 2 not compared\n$/);
  t.equal(done.code, 0);
  t.match(done.stderr, '\r\u001B[2K5/15 list/own', 'a terminal gets one line, rewritten');
  t.ok(done.stderr.endsWith('\r\u001B[2K'), 'which does not stay');
});

await test('verify: no token is ever written', async (t) => {
  await using server = await startTranscriptServer(choose('list/'));
  server.alter = (answer) => {
    const echoed = server.asked.at(-1)?.headers['authorization'] ?? '';
    const body = { echoed, unknown: 'wlu_unknown0000000000000000000000000000' };
    return { ...answer, headers: [['content-type', echoed]], body: JSON.stringify(body) };
  };
  const done = await run(verify, [data, '--against', server.baseUrl, '--only', 'list/']);
  t.equal(done.code, 1);
  t.match(done.stdout, /Bearer \{token:alice\}/);
  for (const secret of [...secrets, 'wlu_unknown']) t.notOk(`${done.stdout}${done.stderr}`.includes(secret));
});

await test('wrong usage', async (t) => {
  const wrong: [Command, string[], RegExp][] = [
    [verify, [], /one folder/],
    [verify, [data], /--against must/],
    [verify, [data, data, '--against', 'http://127.0.0.1'], /one folder/],
    [verify, [data, '--against', 'nowhere'], /http:\/\//],
    [verify, [data, '--against', 'http://127.0.0.1', '--into', 'x'], /--into/],
    [record, [data, '--against', 'http://127.0.0.1'], /--into must/],
  ];
  for (const [command, args, message] of wrong) {
    const done = await run(command, args);
    t.equal(done.code, 2);
    t.match(done.stderr, message);
    t.match(done.stderr, `Usage: understudy ${command.name}`);
    t.equal(done.stdout, '');
  }
  const none = await run(verify, [data, '--against', 'http://127.0.0.1', '--only', 'nothing']);
  t.same([none.code, none.stdout], [2, '']);
  t.match(none.stderr, /no scenario is left/);
  const help = await run(verify, ['--help']);
  t.same([help.code, help.stdout, help.stderr], [0, `${verify.usage}\n`, '']);
});

await test('a server that is not there', async (t) => {
  const server = await startTranscriptServer([]);
  await server[Symbol.asyncDispose]();
  const into = join(t.testdir({}), 'into');
  for (const done of [
    await run(verify, [data, '--against', server.baseUrl]),
    await run(record, [data, '--against', server.baseUrl, '--into', into]),
  ]) {
    t.same([done.code, done.stdout], [2, '']);
    t.match(done.stderr, /not reachable \(ECONNREFUSED\)/);
  }
  await t.rejects(readdir(into), { code: 'ENOENT' }, 'nothing is written');
});

await test('the reset command', async (t) => {
  const folder = t.testdir({});
  const chosen = choose('order/');
  await using server = await startTranscriptServer(chosen);
  const command = `echo "$UNDERSTUDY_SCENARIO $UNDERSTUDY_SEED_FILE" >> '${folder}/log'`;
  const done = await run(verify, [
    data,
    '--against',
    server.baseUrl,
    '--only',
    'order/',
    '--exact',
    '--reset',
    command,
  ]);
  t.equal(done.code, 0);
  t.notMatch(done.stderr, /note/);
  const log = await readFile(join(folder, 'log'), 'utf8');
  t.same(log, chosen.map(({ name }) => `${name} ${data}/seed.json\n`).join(''));

  const failing = `echo "broken ${secrets[0]}"; echo too >&2; exit 3`;
  const failed = await run(verify, [data, '--against', server.baseUrl, '--reset', failing]);
  t.same([failed.code, failed.stdout], [2, '']);
  t.match(failed.stderr, /the reset command failed before create\/bodies \(exit 3\):\nbroken \{token:admin\}\ntoo\n$/);
});

await test('record: the round trip gives the same files', async (t) => {
  const into = join(t.testdir({}), 'a', 'b');
  await using server = await startTranscriptServer(scenarios, '/sandboxes/x');
  const done = await run(record, [data, '--against', server.baseUrl, '--into', into]);
  t.same([done.code, done.stdout], [0, '']);
  t.match(done.stderr, /52 scenarios, 470 steps written to /);
  const files = await readdir(into);
  t.same(files.toSorted(), scenarios.map(({ file }) => file).toSorted(), 'and no seed, which holds tokens');
  const redact = makeRedact(tokens);
  for (const file of files) {
    const [before, after] = await Promise.all([data, into].map((folder) => readFile(join(folder, file), 'utf8')));
    t.ok(after === redact(before ?? ''), file);
    for (const secret of secrets) t.notOk(after?.includes(secret));
  }
  await using again = await startTranscriptServer(scenarios);
  const verified = await run(verify, [into, '--against', again.baseUrl, '--seed', join(data, 'seed.json')]);
  t.equal(verified.stdout, '52 scenarios, 470 steps: no difference\n', 'what was recorded can be replayed');
});

await test('record: what a server answers otherwise', async (t) => {
  const into = t.testdir({ 'list__own.json': 'old', 'other.json': 'stays' });
  await using server = await startTranscriptServer(choose('list/own'));
  server.alter = (answer, { step }) => {
    const vary = ['vary', 'Accept'] as [string, string];
    const base: [string, string][] = [
      ['Location', `${server.baseUrl}/x/`],
      vary,
      ['X-RateLimit-Reset', '5'],
      ['Server', 'x'],
    ];
    if (step === 0)
      return {
        status: 201,
        headers: [...base, ['content-type', 'application/json']],
        body: `{"b":1.0,"a":"${secrets[0]} ${server.baseUrl}0 ${server.baseUrl}/"}`,
      };
    if (step === 1) return { status: 404, headers: [vary, ['content-type', 'text/html']], body: '<html>' };
    if (step === 2) return { status: 200, headers: [vary, ['content-type', 'text/csv']], body: 'a\r\n' };
    return answer;
  };
  const done = await run(record, [data, '--against', server.baseUrl, '--only', 'list/own', '--into', into]);
  t.equal(done.code, 0);
  t.same((await readdir(into)).toSorted(), ['list__own.json', 'other.json']);
  const text = await readFile(join(into, 'list__own.json'), 'utf8');
  const [first, second, third] = JSON.parse(text).steps;
  t.strictSame(first.response, {
    status: 201,
    headers: {
      'content-type': 'application/json',
      vary: 'Accept',
      location: '{base_url}/x/',
      'x-ratelimit-reset': '5',
    },
    body: { b: 1, a: `{token:admin} ${server.baseUrl}0 {base_url}/` },
  });
  t.match(text, '"b": 1.0,');
  t.strictSame(second.response, { status: 404, headers: { 'content-type': 'text/html', vary: 'Accept' }, html: true });
  t.strictSame(third.response, { status: 200, headers: { 'content-type': 'text/csv', vary: 'Accept' }, text: 'a\r\n' });
});

await test('Ctrl-C', async (t) => {
  const into = t.testdir({ 'list__own.json': 'old' });
  const commands: [Command, string[]][] = [
    [verify, ['--exact']],
    [record, ['--into', into]],
  ];
  for (const [command, more] of commands) {
    const controller = new AbortController();
    await using server = await startTranscriptServer(choose('list/'));
    server.alter = (answer) => {
      if (server.asked.length === 5) controller.abort();
      return answer;
    };
    const args = [data, '--against', server.baseUrl, '--only', 'list/', ...more];
    const done = await run(command, args, { signal: controller.signal });
    t.same([done.code, done.stdout], [130, '']);
    t.equal(server.asked.length, 5);
  }
  t.same(await readdir(into), ['list__own.json'], 'no file of the recording, whole or half');
  t.equal(await readFile(join(into, 'list__own.json'), 'utf8'), 'old');

  const controller = new AbortController();
  const stopped = run(
    verify,
    [data, '--against', 'http://127.0.0.1:1', '--reset', `echo $$ > '${into}/pid'; sleep 60`],
    controller,
  );
  const readPid = async () => Number(await readFile(join(into, 'pid'), 'utf8').catch(() => ''));
  while (!(await readPid())) await setTimeout(5);
  const pid = await readPid();
  controller.abort();
  t.equal((await stopped).code, 130);
  const isAlive = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (isAlive()) await setTimeout(5);
  t.pass('the reset command has ended with it');
});
