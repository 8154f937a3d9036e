// The watchdog by itself: what it ends, which folders it makes and removes, and where its log goes.
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type Test } from 'tap';
import { asAccount, getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { folderAt } from '../../src/postgres/folder.ts';
import { assertOwn } from '../../src/postgres/temporary-folder.ts';
import { type ServerContext, startServer } from '../../src/postgres/server/start-server.ts';
import { Watchdog } from '../../src/postgres/server/watchdog.ts';
import { findParent, isGone, makeScratch } from '../support/postgres-folders.ts';

const account = isRoot ? getServerAccount() : undefined;

/** A watchdog, and a folder in which its account may make files. */
function makeWatchdog(t: Test, places: readonly string[] = []): { watchdog: Watchdog; path: string } {
  const path = makeScratch(t);
  chmodSync(path, 0o777);
  const watchdog = new Watchdog({ path, account, places: places.map((place) => place || path) });
  t.teardown(() => watchdog.end());
  return { watchdog, path };
}

await test('the server ends with the watchdog, even if it ignores signals', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const { pid, ended } = await watchdog.serve(['/bin/sleep', '600'], join(path, 'log'), true);
  t.notOk(isGone(pid));
  await watchdog.end();
  await ended;
  t.ok(isGone(pid));
});

await test('arguments arrive as they are', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const args = ['%s|', "it's", '$(id)', 'a  b', '', '\\n', '*', '-n'];
  const log = join(path, 'log');
  await t.rejects(watchdog.serve(['/bin/echo', 'a\nserve b'], log, true), /line break/);
  await (
    await watchdog.serve(['/usr/bin/printf', ...args], log, true)
  ).ended;
  t.equal(readFileSync(join(path, 'log'), 'utf8'), "it's|$(id)|a  b||\\n|*|-n|");
});

await test('a program that cannot be started ends at once, and its log says why', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const log = join(path, 'log');
  await (
    await watchdog.serve([join(path, 'missing')], log, false)
  ).ended;
  t.match(readFileSync(log, 'utf8'), /not found|No such file/);
  await watchdog.end();
});

await test('a killed watchdog leaves its server running, and takes no further commands', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const { pid, ended } = await watchdog.serve(['/bin/sleep', '600'], join(path, 'log'), true);
  process.kill(findParent(pid), 'SIGKILL');
  await ended;
  t.match(watchdog.failure, { message: /was ended from outside/ });
  t.notOk(isGone(pid));
  process.kill(pid, 'SIGKILL');
  await t.rejects(watchdog.serve(['/bin/true'], join(path, 'log'), true), /ended from outside/);
});

await test('a start fails if the watchdog is killed before the server takes connections', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const postgres = join(path, 'postgres');
  writeFileSync(postgres, '#!/bin/sh\nkill -KILL $PPID\nexec sleep 5\n', { mode: 0o755 });
  const folder = { ...folderAt(path), account };
  const context = { folder, binaries: { postgres }, sockets: path, settings: {}, note: () => undefined };
  const { ready } = await startServer(context as unknown as ServerContext, watchdog);
  await t.rejects(ready, {
    message: 'The watchdog of the embedded PostgreSQL was ended from outside.',
  });
});

await test('the log replaces a link, and does not follow it', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const [log, file] = [join(path, 'log'), join(path, 'file')];
  writeFileSync(file, 'of somebody');
  chmodSync(file, 0o666);
  asAccount(account, () => symlinkSync(file, log));
  await (
    await watchdog.serve(['/bin/echo', 'hello'], log, true)
  ).ended;
  t.equal(readFileSync(file, 'utf8'), 'of somebody');
  t.ok(lstatSync(log).isFile());
});

await test('a temporary folder is made in the first place that takes one', async (t) => {
  const { watchdog, path: place } = makeWatchdog(t, ['/missing', '', '/']);
  const path = await watchdog.makeFolder();
  t.match(path, new RegExp(`^${place}/understudy-\\w{6}$`));
  const { mode, uid } = lstatSync(path);
  t.strictSame([mode & 0o777, uid], [0o700, account?.uid ?? process.getuid?.()]);
  const next = new Watchdog({ path, account, adopt: path });
  await watchdog.end(true);
  t.ok(existsSync(path), 'left to another watchdog');
  await next.end();
  t.notOk(existsSync(path), 'and removed at the end');
});

await test('a temporary folder that others can enter, or a link, is not taken over', (t) => {
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
  t.end();
});
