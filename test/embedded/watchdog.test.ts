// The watchdog by itself: what it forgets, which folders it takes for its own, and where its log goes.
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type Test } from 'tap';
import { asAccount, getServerAccount, isRoot } from '../../src/embedded-postgres/account.ts';
import { layOut } from '../../src/embedded-postgres/folder.ts';
import { Watchdog } from '../../src/embedded-postgres/watchdog.ts';
import { isGone, makeScratch } from './helpers.ts';

const account = isRoot ? getServerAccount(undefined) : undefined;

/** A watchdog, and a folder in which its account may make files. */
function makeWatchdog(t: Test): { watchdog: Watchdog; path: string } {
  const path = makeScratch(t);
  chmodSync(path, 0o777);
  const watchdog = new Watchdog({ path, account });
  t.teardown(() => watchdog.end());
  return { watchdog, path };
}

await test('a task that fails does not make it forget the server', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const { pid } = await watchdog.serve({ file: '/bin/sleep', args: ['600'], cwd: '/', log: join(path, 'log') });
  await t.rejects(watchdog.ask('takeShared', { file: join(path, 'missing/lock'), waitMs: 0 }));
  t.notOk(isGone(pid));
  await watchdog.end();
  t.ok(isGone(pid), 'it ends with the watchdog');
});

await test('a program that cannot be started is an error, and there is nothing to wait for', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const missing = { file: join(path, 'missing'), args: [], cwd: '/', log: join(path, 'log') };
  await t.rejects(watchdog.serve(missing), { name: 'EmbeddedError' });
  await t.rejects(watchdog.ask('run', missing), { name: 'EmbeddedError' });
  await watchdog.end();
});

await test('the log replaces a link, and does not follow it', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const [log, file] = [join(path, 'log'), join(path, 'file')];
  writeFileSync(file, 'of somebody');
  chmodSync(file, 0o666);
  asAccount(account, () => symlinkSync(file, log));
  await watchdog.serve({ file: '/bin/echo', args: ['hello'], cwd: '/', log });
  await watchdog.end();
  t.equal(readFileSync(file, 'utf8'), 'of somebody');
  t.ok(lstatSync(log).isFile());
});

await test('a temporary folder is made in the first place that takes one', async (t) => {
  const { watchdog, path: place } = makeWatchdog(t);
  const { path } = await watchdog.ask('makeFolder', { places: [join(place, 'missing'), place, '/'] });
  t.match(path, new RegExp(`^${place}/understudy-\\w{6}$`));
  const { mode, uid } = lstatSync(path);
  t.strictSame([mode & 0o777, uid], [0o700, account?.uid ?? process.getuid?.()]);
  await watchdog.end();
  t.notOk(existsSync(path), 'and removed at the end');
});

await test('a temporary folder that others can enter, or a link, is taken over by no watchdog', async (t) => {
  const { watchdog, path } = makeWatchdog(t);
  const [open, link] = [join(path, 'open'), join(path, 'link')];
  asAccount(account, () => {
    mkdirSync(open);
    chmodSync(open, 0o755);
    symlinkSync(open, link);
  });
  for (const folder of [open, link])
    await t.rejects(
      watchdog.lock({ ...layOut(folder, true), account }, () => undefined),
      { message: /isn't this account's any more/ },
    );
  await watchdog.end();
  t.ok(existsSync(open), 'nor removed');
});
