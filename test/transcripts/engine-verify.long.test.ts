// The verify command: exit codes, output streams, the reset, and no token in the output.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import type { Command } from '../../src/cli/command.ts';
import { record } from './commands/record.ts';
import { verify } from './commands/verify.ts';
import { runCommand } from '../support/run-command.ts';
import { choose, counted, data, scenarios, secrets } from './engine-data.ts';
import { startTranscriptServer } from './engine-server.ts';

await test('verify without a difference exits with 0', async (t) => {
  await using server = await startTranscriptServer(scenarios);
  const done = await runCommand(verify, [`${server.baseUrl}/`, '--exact']);
  t.equal(done.stdout, `${counted}: no difference\n`);
  t.equal(done.code, 0);
  const [note, ...progress] = done.stderr.trimEnd().split('\n');
  t.match(note, /^note: without --reset .* \d+ of them write$/);
  t.same(
    progress,
    scenarios.map(({ name }) => name),
  );
});

await test('verify prints the differences and exits with 1', async (t) => {
  await using server = await startTranscriptServer(choose('list/own'));
  server.alter = (answer, { step }) =>
    step === 'GET /api/users/alice/notifications/ as alice'
      ? { ...answer, status: 203, body: answer.body.replace('"next":null', '"next":"\\u001b[31m\u009B"') }
      : answer;
  const done = await runCommand(verify, [server.baseUrl, '--only', 'list/own', '--exact']);
  t.equal(
    done.stdout,
    `list/own: GET /api/users/alice/notifications/ as alice
  status
    expected 200
    received 203
  body.next
    expected null
    received "\\u001b[31m\\x9b"

| request                                    | what        | before | now             | steps | first seen                                               |
| ------------------------------------------ | ----------- | ------ | --------------- | ----- | -------------------------------------------------------- |
| \`GET /api/users/{username}/notifications/\` | \`status\`    | \`200\`  | \`203\`           | 1     | \`list/own: GET /api/users/alice/notifications/ as alice\` |
| \`GET /api/users/{username}/notifications/\` | \`body.next\` | \`null\` | \`"\\u001b[31m "\` | 1     | \`list/own: GET /api/users/alice/notifications/ as alice\` |

1 scenario, ${choose('list/own')[0]?.steps.length} steps: 1 differs
`,
  );
  t.equal(done.code, 1);
});

await test('verify: the base URL is left out of the table', async (t) => {
  await using server = await startTranscriptServer(choose('detail/read'));
  server.alter = (answer) => ({ ...answer, body: answer.body.replace('/api/components/', '/api/parts/') });
  const args = [server.baseUrl, '--only', 'detail/read', '--exact', '--summary'];
  const done = await runCommand(verify, args);
  t.match(done.stdout, /\| `.*se_url\}\/api\/components\/.*` \| `.*se_url\}\/api\/parts\/.*` /);
});

await test('verify --summary prints only the table and the last line', async (t) => {
  await using server = await startTranscriptServer(choose('list/own'));
  server.alter = (answer) => ({ ...answer, headers: [['content-type', 'text/plain']], body: 'no' });
  const args = [server.baseUrl, '--only', 'list/own', '--exact', '--summary'];
  const done = await runCommand(verify, args);
  const count = choose('list/own')[0]?.steps.length ?? 0;
  const [heads, , ...rows] = done.stdout.split('\n');
  t.match(heads, /^\| request +\| what +\| before +\| now +\| steps +\| first seen +\|$/);
  t.match(rows.slice(0, -3).join('\n'), /^(?:\| `GET \/api\/users\/.* \| `list\/own: GET .*` \|\n?)+$/);
  t.same(rows.slice(-3), ['', `1 scenario, ${count} steps: ${count} differ`, '']);
  t.equal(done.code, 1);
});

await test('verify: differences.json applies without --exact; scenarios can be left out', async (t) => {
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
  const done = await runCommand(verify, [server.baseUrl, ...which], { isTTY: true });
  t.match(done.stdout, /^2 scenarios, \d+ steps: no difference, 2 not compared\n$/);
  t.equal(done.code, 0);
  t.match(done.stderr, '\r\u001B[2K5/13 root/paths', 'a terminal shows progress on one line');
  t.ok(done.stderr.endsWith('\r\u001B[2K'), 'that line is cleared');
});

await test('verify: no token is ever written', async (t) => {
  await using server = await startTranscriptServer(choose('list/'));
  server.alter = (answer) => {
    const echoed = server.asked.at(-1)?.headers['authorization'] ?? '';
    const body = { echoed, unknown: 'wlu_unknown0000000000000000000000000000' };
    return { ...answer, headers: [['content-type', echoed]], body: JSON.stringify(body) };
  };
  const done = await runCommand(verify, [server.baseUrl, '--only', 'list/']);
  t.equal(done.code, 1);
  t.match(done.stdout, /Bearer \{token:alice\}/);
  for (const secret of [...secrets, 'wlu_unknown']) t.notOk(`${done.stdout}${done.stderr}`.includes(secret));
});

await test('wrong usage exits with 2', async (t) => {
  const wrong: [Command, string[], RegExp][] = [
    [verify, [], /^verify: missing URL\n/],
    [verify, ['http://127.0.0.1', 'http://127.0.0.1'], /unexpected argument/],
    [verify, ['nowhere'], /http:\/\//],
    [verify, ['http://127.0.0.1', '--into', 'x'], /--into/],
    [record, ['http://127.0.0.1'], /missing --into DIR\n/],
  ];
  for (const [command, args, message] of wrong) {
    const done = await runCommand(command, args);
    t.equal(done.code, 2);
    t.match(done.stderr, message);
    t.match(done.stderr, `Usage: npm run ${command.name} --`);
    t.equal(done.stdout, '');
  }
  const none = await runCommand(verify, ['http://127.0.0.1', '--only', 'nothing']);
  t.same([none.code, none.stdout], [2, '']);
  t.match(none.stderr, /leave no scenario/);
  const help = await runCommand(verify, ['--help']);
  t.same([help.code, help.stdout, help.stderr], [0, `${verify.usage}\n`, '']);
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
  t.match(failed.stderr, /the reset command failed before create\/bodies \(exit 3\):\nbroken \{token:admin\}\ntoo\n$/);
});
