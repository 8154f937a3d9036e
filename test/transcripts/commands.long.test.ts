// The commands verify and record: exit codes, output, the reset, and no token in the output.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test } from 'tap';
import type { Command } from '../../src/cli/command.ts';
import { isGone } from '../support/postgres-folders.ts';
import { runCommand } from '../support/run-command.ts';
import { record } from './commands/record.ts';
import { verify } from './commands/verify.ts';
import { choose, data, scenarios, startTranscriptServer, tokens } from './engine-server.ts';
import { makeRedact } from './engine/placeholders.ts';

const counted = `${scenarios.length} scenarios, ${scenarios.reduce((sum, { steps }) => sum + steps.length, 0)} steps`;
const secrets = [...new Set(tokens.values())];

await test('verify without a difference exits with 0', async (t) => {
  await using server = await startTranscriptServer(scenarios);
  const done = await runCommand(verify, [`${server.baseUrl}/`, '--exact']);
  t.same([done.code, done.stdout], [0, `${counted}: no difference\n`]);
  const [note, ...progress] = done.stderr.trimEnd().split('\n');
  t.match(note, /^note: without --reset .* \d+ of them write$/);
  t.same(
    progress,
    scenarios.map(({ name }) => name),
  );
});

await test('verify prints the differences and exits with 1; --summary prints their table alone', async (t) => {
  const args = ['--only', 'list/own', '--exact'];
  const run = async (...more: string[]) => {
    await using server = await startTranscriptServer(choose('list/own'));
    server.alter = (answer, { step }) =>
      step === 'GET /api/users/alice/notifications/ as alice'
        ? {
            ...answer,
            status: 203,
            body: answer.body.replace('"next":null', '"next":"\\u001b[31m\u009B"').replace('/api/p', '/api/q'),
          }
        : answer;
    return await runCommand(verify, [server.baseUrl, ...args, ...more]);
  };
  const { code, stdout } = await run();
  t.equal(code, 1);
  const [listed = '', table] = stdout.split('\n\n');
  t.equal(
    listed.replace(/\n {2}body\.results[^]*/, ''),
    `list/own: GET /api/users/alice/notifications/ as alice
  status
    expected 200
    received 203
  body.next
    expected null
    received "\\u001b[31m\\x9b"`,
  );
  t.match(table, /^\| request +\| what +\| before +\| now +\| steps +\| first seen +\|\n/);
  t.match(table, /\| `status` +\| `200` +\| `203` +\| 1 +\| `list\/own: GET \/api\/users\/alice\/notifications\//);
  t.match(table, /\| `\S*base_url\}\/api\/p\S*` +\| `\S*base_url\}\/api\/q/, 'without the URL of the server');
  const last = `1 scenario, ${choose('list/own')[0]?.steps.length} steps: 1 differs\n`;
  t.ok(stdout.endsWith(`\n\n${last}`));
  t.match(await run('--summary'), { code: 1, stdout: `${table}\n\n${last}` });
});

await test('verify: differences.json applies without --exact; scenarios can be left out', async (t) => {
  const chosen = scenarios.filter(({ name }) => name.startsWith('root/') || name === 'list/no-trailing-slash');
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer) => ({
    ...answer,
    headers: answer.headers.map(([name, value]) => [name, name === 'vary' ? 'Accept' : value]),
  });
  const except = ['a', 'e', 'h', 'o', 'u'].flatMap((one) => ['--except', `list/${one}`]);
  const args = [server.baseUrl, '--only', 'root/', '--only', 'list/', ...except];
  const done = await runCommand(verify, args, { isTTY: true });
  t.match(done.stdout, /^2 scenarios, \d+ steps: no difference, 2 not compared\n$/);
  t.equal(done.code, 0);
  t.match(done.stderr, '\r\u001B[2K8/14 root/paths', 'a terminal shows progress on one line');
  t.ok(done.stderr.endsWith('\r\u001B[2K'), 'that line is cleared');
});

await test('verify: no token is ever written', async (t) => {
  await using server = await startTranscriptServer(choose('list/'));
  server.alter = (answer) => {
    const echoed = server.asked.at(-1) ?? '';
    const body = { echoed, unknown: 'wlu_unknown0000000000000000000000000000' };
    return { ...answer, headers: [['content-type', echoed]], body: JSON.stringify(body) };
  };
  const done = await runCommand(verify, [server.baseUrl, '--only', 'list/']);
  t.equal(done.code, 1);
  t.match(done.stdout, /Bearer \{token:alice\}/);
  for (const secret of [...secrets, 'wlu_unknown']) t.notOk(`${done.stdout}${done.stderr}`.includes(secret));
});

await test('wrong usage and an unreachable server exit with 2, and nothing is written', async (t) => {
  const url = 'http://127.0.0.1:1';
  const into = join(t.testdir({}), 'into');
  const wrong: [Command, string[], RegExp][] = [
    [verify, [], /^verify: missing URL\n/],
    [verify, [url, url], /unexpected argument/],
    [verify, ['nowhere'], /http:\/\//],
    [verify, [url, '--into', 'x'], /--into/],
    [record, [url], /missing --into DIR\n/],
    [verify, [url, '--only', 'nothing'], /leave no scenario/],
    [verify, [url], /not reachable \(ECONNREFUSED\)/],
    [record, [url, '--into', into], /not reachable \(ECONNREFUSED\)/],
  ];
  for (const [command, args, message] of wrong) {
    const done = await runCommand(command, args);
    t.same([done.code, done.stdout], [2, '']);
    t.match(done.stderr, message);
  }
  await t.rejects(readdir(into), { code: 'ENOENT' });
});

await test('verify runs the reset command before each scenario', async (t) => {
  const folder = t.testdir({});
  const chosen = choose('order/');
  await using server = await startTranscriptServer(chosen);
  const command = `echo "$VERIFY_SCENARIO $VERIFY_SEED_FILE" >> '${folder}/log'`;
  const done = await runCommand(verify, [server.baseUrl, '--only', 'order/', '--exact', '--reset', command]);
  t.equal(done.code, 0);
  t.notMatch(done.stderr, /note/);
  const log = await readFile(join(folder, 'log'), 'utf8');
  t.same(log, chosen.map(({ name }) => `${name} ${data}/seed.json\n`).join(''));

  const failing = `echo "broken ${secrets[0]}"; echo too >&2; exit 3`;
  const failed = await runCommand(verify, [server.baseUrl, '--reset', failing]);
  t.same([failed.code, failed.stdout], [2, '']);
  t.match(failed.stderr, /the reset before create\/bodies: sh -c .* failed \(3\).*\nbroken \{token:admin\}\ntoo\n$/);
});

await test('record: the round trip gives the same files', async (t) => {
  const into = join(t.testdir({}), 'a', 'b');
  await using server = await startTranscriptServer(scenarios, '/sandboxes/x');
  const done = await runCommand(record, [server.baseUrl, '--into', into]);
  t.same([done.code, done.stdout], [0, '']);
  t.match(done.stderr, new RegExp(`${counted} written to `));
  const files = await readdir(into);
  const recorded = (await readdir(data)).filter((name) => name.includes('__'));
  t.same(files.toSorted(), recorded.toSorted(), 'and no seed, which holds tokens');
  const redact = makeRedact(tokens);
  for (const file of files) {
    const [before, after] = await Promise.all([data, into].map((folder) => readFile(join(folder, file), 'utf8')));
    t.ok(after === redact(before ?? ''), file);
    for (const secret of secrets) t.notOk(after?.includes(secret));
  }
});

await test('record writes the answers of a server that differs', async (t) => {
  const into = t.testdir({ 'list__own.json': 'old', 'other.json': 'stays' });
  await using server = await startTranscriptServer(choose('list/own'));
  const titles = choose('list/own').flatMap(({ steps }) => steps.map(({ title }) => title));
  const ofFirst = { vary: 'Accept', Location: `${server.baseUrl}/x/`, 'X-RateLimit-Reset': '5', Server: 'x' };
  const answers = [
    [
      201,
      { ...ofFirst, 'content-type': 'application/json' },
      `{"b":1.0,"a":"${secrets[0]} ${server.baseUrl}0 ${server.baseUrl}/"}`,
    ],
    [404, { vary: 'Accept', 'content-type': 'text/html' }, '<html>'],
    [200, { vary: 'Accept', 'content-type': 'text/csv' }, 'a\r\n'],
  ] as const;
  server.alter = (answer, { step }) => {
    const [status, headers, body] = answers[titles.indexOf(step)] ?? [];
    return status === undefined ? answer : { status, headers: Object.entries(headers), body };
  };
  const done = await runCommand(record, [server.baseUrl, '--only', 'list/own', '--into', into]);
  t.equal(done.code, 0);
  t.same((await readdir(into)).toSorted(), ['list__own.json', 'other.json']);
  const text = await readFile(join(into, 'list__own.json'), 'utf8');
  const [first, second, third] = JSON.parse(text).steps;
  t.strictSame(first.response, {
    status: 201,
    headers: { 'content-type': 'application/json', vary: 'Accept', location: '{base_url}/x/' },
    body: { b: 1, a: `{token:admin} ${server.baseUrl}0 {base_url}/` },
  });
  t.match(text, '"b": 1.0,');
  t.strictSame(second.response, { status: 404, headers: { 'content-type': 'text/html', vary: 'Accept' }, html: true });
  t.strictSame(third.response, { status: 200, headers: { 'content-type': 'text/csv', vary: 'Accept' }, text: 'a\r\n' });
});

await test('Ctrl-C ends both commands, and no file is written', async (t) => {
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
    const args = [server.baseUrl, '--only', 'list/', ...more];
    const done = await runCommand(command, args, { signal: controller.signal });
    t.same([done.code, done.stdout], [130, '']);
    t.equal(server.asked.length, 5);
  }
  t.same(await readdir(into), ['list__own.json'], 'no file of the recording, whole or half');
  t.equal(await readFile(join(into, 'list__own.json'), 'utf8'), 'old');

  const controller = new AbortController();
  const reset = `echo $$ > '${into}/pid'; sleep 60`;
  const stopped = runCommand(verify, ['http://127.0.0.1:1', '--reset', reset], controller);
  const readPid = async () => Number(await readFile(join(into, 'pid'), 'utf8').catch(() => ''));
  while (!(await readPid())) await setTimeout(5);
  const pid = await readPid();
  controller.abort();
  t.equal((await stopped).code, 130);
  while (!isGone(pid)) await setTimeout(5);
  t.pass('the reset command has ended with it');
});
