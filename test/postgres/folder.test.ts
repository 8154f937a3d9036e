// Folders that can't be used: the error says what is wrong and what to do, and nothing in them is touched.
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tap from 'tap';
import { findDefaultFolder, getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { startEmbedded } from '../../packaging/start-embedded.ts';
import { packedCluster } from '../../src/base/files.ts';
import { describeContents } from '../../src/service/process/provide-database.ts';
import { makeScratch } from '../support/postgres-folders.ts';

const refused = (message: RegExp) => ({ message });

await tap.test('a folder with other files is refused', async (t) => {
  const dataDir = makeScratch(t);
  writeFileSync(join(dataDir, 'letter.txt'), 'Dear …');
  await t.rejects(
    startEmbedded({ dataDir }),
    refused(/isn't Understudy's: it holds letter\.txt\.[^]*UNDERSTUDY_DATA_DIR/),
  );
  t.same(readdirSync(dataDir), ['letter.txt']);
});

await tap.test('the data directory of another PostgreSQL is refused', async (t) => {
  const dataDir = makeScratch(t);
  writeFileSync(join(dataDir, 'PG_VERSION'), '17\n');
  await t.rejects(startEmbedded({ dataDir }), refused(/is the data directory of another PostgreSQL/));
});

await tap.test('a file in place of the folder is refused', async (t) => {
  const file = join(makeScratch(t), 'file');
  writeFileSync(file, '');
  await t.rejects(startEmbedded({ dataDir: file }), refused(/can't be written: a part of the path is a file/));
  await t.rejects(startEmbedded({ dataDir: join(file, 'deeper') }), refused(/a part of the path is a file/));
});

await tap.test('a cluster of another major version is refused', async (t) => {
  const dataDir = makeScratch(t);
  mkdirSync(join(dataDir, 'cluster'));
  writeFileSync(join(dataDir, 'cluster', 'PG_VERSION'), '17\n');
  writeFileSync(join(dataDir, 'cluster.whole'), '');
  writeFileSync(join(dataDir, 'understudy.lock'), '');
  await t.rejects(
    startEmbedded({ dataDir }),
    refused(
      /holds data of PostgreSQL 17, and this .* brings PostgreSQL 18[^]*understudy export > [^]*understudy seed --replace /,
    ),
  );
});

await tap.test('a cluster of another version of Understudy is refused', async (t) => {
  const dataDir = makeScratch(t);
  const cluster = join(dataDir, 'cluster');
  mkdirSync(cluster);
  writeFileSync(join(cluster, 'PG_VERSION'), '18\n');
  for (const name of ['understudy.lock', 'server.password']) writeFileSync(join(dataDir, name), '');
  const told = refused(/holds data of another version of Understudy, [^]*understudy export > [^]*remove the folder/);
  for (const packed of [undefined, { file: packedCluster, key: describeContents() }])
    await t.rejects(startEmbedded({ dataDir, ...(packed && { packed }) }), told);
  t.equal(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), '18\n', 'it is still there');
});

await tap.test(
  'a folder that the server’s account cannot reach is refused',
  { skip: !isRoot && 'only as root' },
  async (t) => {
    const closed = join(makeScratch(t), 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const dataDir = join(closed, 'deep', 'postgres');
    await t.rejects(startEmbedded({ dataDir }), refused(new RegExp(`can't enter ${closed}\\.[^]*UNDERSTUDY_DATA_DIR`)));
    t.equal(statSync(closed).mode & 0o777, 0o700, "the parent's mode is its owner's business");
  },
);

await tap.test('a read-only folder is refused', { skip: isRoot && 'root may write anywhere' }, async (t) => {
  const closed = makeScratch(t);
  chmodSync(closed, 0o500);
  await t.rejects(startEmbedded({ dataDir: join(closed, 'postgres') }), refused(/this user has no right to/));
});

await tap.test('root starts the server as the folder’s owner, or as an account of its own', async (t) => {
  const { uid } = getServerAccount();
  t.equal(getServerAccount(0).uid, uid);
  t.notMatch(readFileSync('/etc/passwd', 'utf8'), new RegExp(`^[^:]*:[^:]*:${uid}:`, 'm'), 'no other program has it');
  t.match(getServerAccount(65_534), { uid: 65_534 }, 'data keep their owner');
  t.match(getServerAccount(4_000_123), { uid: 4_000_123, gid: 4_000_123 }, 'listed or not');
});

await tap.test("another account's folder is refused", { skip: isRoot && 'root may use any' }, async (t) => {
  const outcome = startEmbedded({ dataDir: '/etc' });
  await t.rejects(
    outcome,
    refused(/^The folder \/etc belongs to root.*\nStart as its owner\. Or: Set UNDERSTUDY_DATA/),
  );
});

await tap.test(
  'the default folder lies elsewhere where the server could not make it',
  { skip: !isRoot && 'only as root' },
  async (t) => {
    const before = process.cwd();
    t.teardown(() => process.chdir(before));
    const { uid, gid } = getServerAccount();
    const folders = { open: [0, 0o755], closed: [0, 0o700], owned: [uid, 0o700] } as const;
    const found = Object.entries(folders).map(([name, [owner, mode]]) => {
      const folder = join(makeScratch(t), name);
      mkdirSync(folder);
      chownSync(folder, owner, owner === 0 ? 0 : gid);
      chmodSync(folder, mode);
      process.chdir(folder);
      return findDefaultFolder();
    });
    t.match(found, ['.understudy', /^\/var\/lib\/understudy\/closed-[0-9a-f]{8}$/, '.understudy']);
  },
);
