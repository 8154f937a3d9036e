// The watchdogs by themselves: what they end, which folders they make and remove, and where the log goes.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type Test } from 'tap';
import { asAccount, getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { folderAt } from '../../src/postgres/folder.ts';
import { assertOwn } from '../../src/postgres/temporary-folder.ts';
import { type ServerContext, startServer } from '../../src/postgres/server/start-server.ts';
import { holdFolder, serve } from '../../src/postgres/server/watchdog.ts';
import { isGone, makeScratch } from '../support/postgres-folders.ts';

const account = isRoot ? getServerAccount() : undefined;

/** A folder in which the server's account may make files. */
function makeFolder(t: Test): { path: string; log: string } {
  const path = makeScratch(t);
  chmodSync(path, 0o777);
  return { path, log: join(path, 'log') };
}

/** A server that is no PostgreSQL. */
function serveFor(t: Test, command: readonly string[], log: string) {
  const { watchdog, ended } = serve(account, command, log, true);
  t.teardown(() => watchdog.end());
  return { watchdog, ended, pid: watchdog.child.pid ?? 0 };
}

async function untilChild(pid: number): Promise<number> {
  for (;;) {
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    if (stdout !== '') return Number(stdout);
    await sleep(10);
  }
}

await test('the server ends with the watchdog, even if it ignores signals', async (t) => {
  const { watchdog, ended, pid } = serveFor(t, ['/bin/sleep', '600'], makeFolder(t).log);
  const server = await untilChild(pid);
  t.notOk(isGone(server));
  await watchdog.end();
  await ended;
  t.ok(isGone(server));
  t.equal(watchdog.failure, undefined);
});

await test('arguments arrive as they are', async (t) => {
  const { log } = makeFolder(t);
  const args = ['%s|', "it's", '$(id)', 'a  b', '', '\\n', '*', '-n', 'a\nserve b'];
  await serveFor(t, ['/usr/bin/printf', ...args], log).ended;
  t.equal(readFileSync(log, 'utf8'), "it's|$(id)|a  b||\\n|*|-n|a\nserve b|");
});

await test('a program that cannot be started ends at once, and its log says why', async (t) => {
  const { path, log } = makeFolder(t);
  const { ended, watchdog } = serveFor(t, [join(path, 'missing')], log);
  await ended;
  t.match(readFileSync(log, 'utf8'), /not found|No such file/);
  await watchdog.end();
});

await test('a start fails if the watchdog is killed before the server takes connections', async (t) => {
  const { path } = makeFolder(t);
  const postgres = join(path, 'postgres');
  writeFileSync(postgres, '#!/bin/sh\nwhile [ -e "$0" ]; do sleep 0.1; done\n', { mode: 0o755 });
  const folder = { ...folderAt(path), account };
  const context = { folder, binaries: { postgres }, sockets: path, settings: {}, note: () => undefined };
  const { watchdog, ready } = startServer(context as unknown as ServerContext);
  process.kill(watchdog.child.pid ?? 0, 'SIGKILL');
  await t.rejects(ready, {
    message: 'The watchdog of the embedded PostgreSQL was ended from outside.',
  });
});

await test('the log replaces a link, and does not follow it', async (t) => {
  const { path, log } = makeFolder(t);
  const file = join(path, 'file');
  writeFileSync(file, 'of somebody');
  chmodSync(file, 0o666);
  asAccount(account, () => symlinkSync(file, log));
  await serveFor(t, ['/bin/echo', 'hello'], log).ended;
  t.equal(readFileSync(file, 'utf8'), 'of somebody');
  t.ok(lstatSync(log).isFile());
});

await test('a temporary folder is made in the first place that takes one, and removed at the end', async (t) => {
  const { path: place } = makeFolder(t);
  const { path, ...held } = await holdFolder(account, ['/missing', place, '/']);
  t.match(path, new RegExp(`^${place}/understudy-\\w{6}$`));
  const { mode, uid } = lstatSync(path);
  t.strictSame([mode & 0o777, uid], [0o700, account?.uid ?? process.getuid?.()]);
  await held[Symbol.asyncDispose]();
  t.notOk(existsSync(path));
  await t.rejects(holdFolder(account, ['/missing']), /set TMPDIR to a folder/);
  const killed = await holdFolder(account, [place]);
  process.kill(killed.watchdog.child.pid ?? 0, 'SIGKILL');
  await killed.watchdog.exited;
  t.match(killed.watchdog.failure, { message: /was ended from outside/ });
  t.ok(existsSync(killed.path));
  await killed[Symbol.asyncDispose]();
  t.notOk(existsSync(killed.path));
});

await test('a temporary folder that others can enter, or a link, is not taken over', async (t) => {
  const path = makeScratch(t);
  chmodSync(path, 0o777);
  const [open, link, own] = [join(path, 'open'), join(path, 'link'), join(path, 'own')];
  asAccount(account, () => {
    mkdirSync(open);
    chmodSync(open, 0o755);
    mkdirSync(own, { mode: 0o700 });
    symlinkSync(own, link);
  });
  for (const folder of [open, link]) t.throws(() => assertOwn(folder, account), /isn't this account's any more/);
  t.doesNotThrow(() => assertOwn(own, account));
});
