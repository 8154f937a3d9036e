// The command record, and both commands when the server is unreachable or the user stops them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test } from 'tap';
import type { Command } from '../../src/cli/command.ts';
import { record } from './commands/record.ts';
import { verify } from './commands/verify.ts';
import { makeRedact } from './engine/placeholders.ts';
import { runCommand } from '../support/run-command.ts';
import { choose, counted, data, scenarios, secrets, tokens } from './engine-data.ts';
import { startTranscriptServer } from './engine-server.ts';

await test('an unreachable server ends both commands, and nothing is written', async (t) => {
  const server = await startTranscriptServer([]);
  await server[Symbol.asyncDispose]();
  const into = join(t.testdir({}), 'into');
  for (const done of [
    await runCommand(verify, [server.baseUrl]),
    await runCommand(record, [server.baseUrl, '--into', into]),
  ]) {
    t.same([done.code, done.stdout], [2, '']);
    t.match(done.stderr, /not reachable \(ECONNREFUSED\)/);
  }
  await t.rejects(readdir(into), { code: 'ENOENT' }, 'nothing is written');
});

await test('record: the round trip gives the same files', async (t) => {
  const into = join(t.testdir({}), 'a', 'b');
  await using server = await startTranscriptServer(scenarios, '/sandboxes/x');
  const done = await runCommand(record, [server.baseUrl, '--into', into]);
  t.same([done.code, done.stdout], [0, '']);
  t.match(done.stderr, new RegExp(`${counted} written to `));
  const files = await readdir(into);
  t.same(files.toSorted(), scenarios.map(({ file }) => file).toSorted(), 'and no seed, which holds tokens');
  const redact = makeRedact(tokens);
  for (const file of files) {
    const [before, after] = await Promise.all([data, into].map((folder) => readFile(join(folder, file), 'utf8')));
    t.ok(after === redact(before ?? ''), file);
    for (const secret of secrets) t.notOk(after?.includes(secret));
  }
  await using again = await startTranscriptServer(scenarios);
  const verified = await runCommand(verify, [again.baseUrl, '--recordings', into, '--seed', join(data, 'seed.json')]);
  t.equal(verified.stdout, `${counted}: no difference\n`, 'what was recorded can be replayed');
});

await test('record writes the answers of a server that differs', async (t) => {
  const into = t.testdir({ 'list__own.json': 'old', 'other.json': 'stays' });
  await using server = await startTranscriptServer(choose('list/own'));
  const titles = choose('list/own').flatMap(({ steps }) => steps.map(({ title }) => title));
  server.alter = (answer, { step }) => {
    const vary = ['vary', 'Accept'] as [string, string];
    const base: [string, string][] = [
      ['Location', `${server.baseUrl}/x/`],
      vary,
      ['X-RateLimit-Reset', '5'],
      ['Server', 'x'],
    ];
    if (step === titles[0])
      return {
        status: 201,
        headers: [...base, ['content-type', 'application/json']],
        body: `{"b":1.0,"a":"${secrets[0]} ${server.baseUrl}0 ${server.baseUrl}/"}`,
      };
    if (step === titles[1]) return { status: 404, headers: [vary, ['content-type', 'text/html']], body: '<html>' };
    if (step === titles[2]) return { status: 200, headers: [vary, ['content-type', 'text/csv']], body: 'a\r\n' };
    return answer;
  };
  const done = await runCommand(record, [server.baseUrl, '--only', 'list/own', '--into', into]);
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
    },
    body: { b: 1, a: `{token:admin} ${server.baseUrl}0 {base_url}/` },
  });
  t.match(text, '"b": 1.0,');
  t.strictSame(second.response, { status: 404, headers: { 'content-type': 'text/html', vary: 'Accept' }, html: true });
  t.strictSame(third.response, { status: 200, headers: { 'content-type': 'text/csv', vary: 'Accept' }, text: 'a\r\n' });
});

await test('rate limit headers are recorded only in scenarios that have them already', async (t) => {
  const into = t.testdir({});
  const chosen = [...choose('list/own'), ...choose('ratelimit/user')];
  await using server = await startTranscriptServer(chosen);
  server.alter = (answer) => ({
    ...answer,
    headers: [...answer.headers.filter(([name]) => !name.startsWith('x-ratelimit')), ['X-RateLimit-Limit', '1000000']],
  });
  const which = chosen.flatMap(({ name }) => ['--only', name]);
  const done = await runCommand(record, [server.baseUrl, ...which, '--into', into]);
  t.equal(done.code, 0);
  t.notMatch(await readFile(join(into, 'list__own.json'), 'utf8'), 'ratelimit');
  const { steps } = JSON.parse(await readFile(join(into, 'ratelimit__user.json'), 'utf8'));
  t.ok(steps.length > 1);
  for (const { response } of steps) t.equal(response.headers['x-ratelimit-limit'], '1000000');
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
  const stopped = runCommand(
    verify,
    ['http://127.0.0.1:1', '--reset', `echo $$ > '${into}/pid'; sleep 60`],
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
