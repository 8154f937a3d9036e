// The options of `serve`, as a process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { t as file, test } from 'tap';
import { attempt } from '../../src/base/failure.ts';
import { makeScratch } from '../support/postgres-folders.ts';
import { databaseOf } from '../../src/service/process/service-file.ts';
import { startCommand, type Started } from '../support/process.ts';
import { createSeededDatabase } from '../support/service.ts';

file.setTimeout(180_000);

async function firstLineOf({ child, said, ended }: Started): Promise<Record<string, unknown>> {
  while (!said.stdout.includes('\n')) {
    const more = once(child.stdout as NonNullable<typeof child.stdout>, 'data').then(() => undefined);
    const code = await Promise.race([ended, more]);
    if (code !== undefined) throw new Error(`the service ended with ${code}: ${said.stderr}`);
  }
  return JSON.parse(said.stdout.split('\n')[0] ?? '') as Record<string, unknown>;
}

await test('--json and --exit-on-stdin-close; a command finds the service by its files', async (t) => {
  const DATABASE_URL = await createSeededDatabase(t, 'documented');
  const folder = makeScratch(t);
  const dataDir = join(folder, 'data');
  const args = ['serve', '--json', '--port', '0', '--exit-on-stdin-close'];
  const env = { DATABASE_URL, XDG_CACHE_HOME: folder, UNDERSTUDY_DATA_DIR: dataDir, LOG_LEVEL: 'debug', PORT: '1' };
  const service = startCommand(t, args, env, 'pipe');
  const ready = await firstLineOf(service);
  t.match(ready, { url: /^http:\/\/127\.0\.0\.1:\d+$/, database: /^PostgreSQL at /, version: /^\d/ });
  t.match(ready, { pid: service.child.pid, samples: ['admin', 'alice'] });
  t.strictSame(JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8')), {
    url: ready['url'],
    pid: ready['pid'],
    database: databaseOf({ DATABASE_URL }),
  });

  for (const [name, ofCommand] of [
    ['by-folder', { DATABASE_URL, UNDERSTUDY_DATA_DIR: dataDir }],
    ['by-database', { DATABASE_URL, XDG_CACHE_HOME: folder }],
  ] as const) {
    const made = startCommand(t, ['sandbox', 'create', name], ofCommand);
    t.equal(await made.ended, 0);
    t.equal(made.said.stderr, '');
    t.match(JSON.parse(made.said.stdout), { base_url: `${String(ready['url'])}/sandboxes/${name}` });
  }

  service.child.stdin?.end();
  t.equal(await service.ended, 0);
  const log = service.said.stdout.trimEnd().split('\n').slice(1);
  t.match(JSON.parse(log[0] ?? ''), { level: 'info', msg: /^Server listening/ }, 'the log follows');
  t.ok(
    log.some((line) => (JSON.parse(line) as { level: string }).level === 'debug'),
    'LOG_LEVEL sets its level',
  );
  t.notMatch(service.said.stderr, 'curl ', 'no greeting');
  t.same(readdirSync(dataDir), []);
  t.same(readdirSync(join(folder, 'understudy', 'services')), []);
});

await test('with DATABASE_URL no data folder is made unless it is named; SIGTERM ends it while standard input is open', async (t) => {
  const before = process.cwd();
  t.teardown(() => process.chdir(before));
  const folder = makeScratch(t);
  process.chdir(folder);
  const DATABASE_URL = await createSeededDatabase(t, 'documented');
  const args = ['serve', '--json', '--port', '0', '--exit-on-stdin-close'];
  const service = startCommand(t, args, { DATABASE_URL }, 'pipe');
  await firstLineOf(service);
  t.same(readdirSync(folder), []);
  t.equal(await service.end(), 0);
});

await test('--exit-on-stdin-close during the start ends it like a signal', async (t) => {
  for (const moment of ['.', 'data/understudy.lock', 'data/cluster/postmaster.pid']) {
    const folder = makeScratch(t);
    const args = ['serve', '--port', '0', '--exit-on-stdin-close'];
    const env = { UNDERSTUDY_DATA_DIR: join(folder, 'data') };
    const { child, said, ended } = startCommand(t, args, env, 'pipe');
    while (!existsSync(join(folder, moment))) await sleep(1);
    child.stdin?.end();
    t.equal(await ended, 0, moment);
    t.match(said.stderr, /^serve: standard input was closed\n$/);
    t.notMatch(said.stderr, /^ +at /m, 'no stack trace');
  }
});

await test('an error names the option that gave the value, and ends the service while standard input is open', async (t) => {
  for (const [args, fault, code = 78] of [
    [['--seed', 'documentd'], '--seed: no seed "documentd"; did you mean "documented"?'],
    // An interface may get it later.
    [['--host', '203.0.113.7'], '--host: this machine has no address 203.0.113.7.', 1],
    [['--port', 'x'], '--port must be a port from 0 to 65535, not "x"'],
  ] as const) {
    const env = { UNDERSTUDY_DATA_DIR: join(makeScratch(t), 'data') };
    const { ended, said } = startCommand(t, ['serve', ...args, '--exit-on-stdin-close'], env, 'pipe');
    t.equal(await ended, code);
    t.equal(said.stderr, `serve: ${fault}\n`);
  }
});

await test('the advice for a taken port works', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  const env = { UNDERSTUDY_DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  // Below the ports that the system gives to clients: the next one has to be free too.
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const first = startCommand(t, ['serve', '--json', '--port', String(port)], env);
  const { url } = (await firstLineOf(first)) as { url: string };
  const refused = async (args: readonly string[], own: Readonly<Record<string, string>>) => {
    const { ended, said } = startCommand(t, ['serve', '--port', String(port), ...args], own);
    t.equal(await ended, 1);
    const advice = ['serve', '--port', String(port + 1), ...args];
    t.equal(said.stderr, `serve: Port ${port} is taken. Try another one: weblate-understudy ${advice.join(' ')}\n`);
    return advice;
  };
  await refused([], env);
  const advised = await refused(['--temporary'], {});
  const next = startCommand(t, [...advised, '--json'], env);
  t.equal((await firstLineOf(next))['url'], `http://127.0.0.1:${port + 1}`);
  t.match(JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8')), { url }, 'the first keeps its file');
  for (const service of [next, first]) t.equal(await service.end(), 0);

  const holder = createServer().listen(port, '127.0.0.1');
  t.teardown(() => holder.close());
  await once(holder, 'listening');
  // No database is needed to find that out.
  await refused([], { DATABASE_URL: 'postgres://127.0.0.1:1/x' });
});

// With --exit-on-ipc-close it ends: so test/library/kills.test.ts.
await test('a channel that closes ends no service', async (t) => {
  const DATABASE_URL = await createSeededDatabase(t, 'documented');
  const program = join(import.meta.dirname, '../../src/cli/main.ts');
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const;
  const args = ['serve', '--json', '--port', '0'];
  const child = fork(program, args, { env: { DATABASE_URL }, execArgv: [], stdio: [...stdio] });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout as Readable), 'line')) as [string];
  const channel = () => attempt(() => readlinkSync(`/proc/${child.pid}/fd/3`));
  const before = channel();
  child.disconnect();
  // The service sees it when it closes its own end.
  if (before !== undefined) while (channel() === before) await sleep(1);
  const { url } = JSON.parse(line) as { url: string };
  t.equal((await fetch(`${url}/_understudy/health/live`)).status, 200);
  child.kill('SIGTERM');
  t.same(await ended, [0, null]);
});
