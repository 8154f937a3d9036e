// The owner of a data folder can't abuse a service that root starts: root follows no link in it and ends no foreign process.
import { spawn } from 'node:child_process';
import {
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import tap from 'tap';
import type { Test } from 'tap';
import { type Account, getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { startEmbedded } from '../../packaging/start-embedded.ts';
import { findRunning } from '../../src/postgres/embedded.ts';
import { isGone, makeScratch, readPids } from '../support/postgres-folders.ts';

if (!isRoot) {
  tap.plan(0, 'only a service of root can be abused by the folder’s owner');
  process.exit();
}

const account: Account = getServerAccount();
const secret = 'what only root may read\nand write\n';

/** A data folder of the account whose cluster has run, and beside it a file of root. */
async function makePlace(t: Test): Promise<{ dataDir: string; file: string; plant: (name: string) => void }> {
  const scratch = makeScratch(t);
  const owned = join(scratch, 'owned');
  mkdirSync(owned);
  chownSync(owned, account.uid, account.gid);
  const dataDir = join(owned, 'data');
  const server = await startEmbedded({ dataDir });
  await server.stop();
  const file = join(scratch, 'secret');
  writeFileSync(file, secret, { mode: 0o600 });
  return {
    dataDir,
    file,
    plant(name) {
      const link = join(dataDir, name);
      rmSync(link, { recursive: true, force: true });
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(file, link);
      lchownSync(link, account.uid, account.gid);
    },
  };
}

await tap.test('root follows no link that replaces a file of the folder', async (t) => {
  const { dataDir, file, plant } = await makePlace(t);
  t.equal(statSync(dataDir).uid, account.uid, 'everything below an account’s folder belongs to that account');
  for (const name of ['server.log', 'understudy.lock', 'service.json', 'cluster/postmaster.pid', 'cluster.whole']) {
    plant(name);
    const outcome = await startEmbedded({ dataDir }).then(
      async (server) => {
        await server.stop();
        return 'UserError: not at all';
      },
      (error: Error) => `${error.constructor.name}: ${error.message}`,
    );
    t.match(outcome, /^(User|Passing)Error: /, 'it starts, or the error says why not');
    t.notMatch(outcome, 'only root', name);
    t.equal(readFileSync(file, 'utf8'), secret, name);
    const { mode, uid } = statSync(file);
    t.strictSame([mode & 0o777, uid], [0o600, 0], name);
    rmSync(join(dataDir, name), { force: true });
    if (name === 'understudy.lock') writeFileSync(join(dataDir, name), '', { mode: 0o666 });
    if (name === 'understudy.lock') chownSync(join(dataDir, name), account.uid, account.gid);
  }
});

await tap.test('a link that replaces the folder is refused', async (t) => {
  const scratch = makeScratch(t);
  const [owned, empty] = [join(scratch, 'owned'), join(scratch, 'empty')];
  for (const folder of [owned, empty]) mkdirSync(folder, { mode: 0o755 });
  chownSync(owned, account.uid, account.gid);
  symlinkSync(empty, join(owned, 'data'));
  lchownSync(join(owned, 'data'), account.uid, account.gid);
  for (const dataDir of [join(owned, 'data'), join(owned, 'data', 'deeper')])
    await t.rejects(startEmbedded({ dataDir }), /could not be started on|can't be written/);
  t.strictSame(readdirSync(empty), []);
  t.equal(statSync(empty).uid, 0);
});

await tap.test('a process of root that postmaster.pid names is not ended', async (t) => {
  const { dataDir } = await makePlace(t);
  const other = spawn('sleep', ['60'], { cwd: join(dataDir, 'cluster') });
  t.teardown(() => other.kill());
  const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
  writeFileSync(pidFile, `${other.pid}\n${dataDir}\n0\n5432\n${dataDir}\n\n\nready\n`);
  chownSync(pidFile, account.uid, account.gid);
  t.equal(findRunning(dataDir), undefined, 'the process is not the folder’s server');
  const server = await startEmbedded({ dataDir });
  t.notOk(isGone(other.pid ?? 0));
  t.equal(findRunning(dataDir), server.url);
  await server.stop();
});

await tap.test('a folder that root makes belongs to the account, which runs all processes of the server', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  const server = await startEmbedded({ dataDir });
  t.strictSame(
    ['.', ...readdirSync(dataDir)].filter((name) => statSync(join(dataDir, name)).uid !== account.uid),
    [],
  );
  if (process.platform === 'linux')
    for (const [name, pid] of Object.entries(readPids(dataDir)))
      t.match(readFileSync(`/proc/${pid}/status`, 'utf8'), new RegExp(`^Uid:(\\s+${account.uid}){4}$`, 'm'), name);
  await server.stop();
});
