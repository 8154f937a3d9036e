// seed --watch: again at each change; faults leave what was loaded.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { seed } from '../../src/cli/commands/seed.ts';
import { whileWatching } from '../../src/cli/watch.ts';
import { runCommand } from '../support/run-command.ts';
import { openMigrated, select } from './sandbox-database.ts';

async function makeFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-watch-'));
  t.teardown(() => rm(folder, { recursive: true }));
  return folder;
}

/** Resolves each time that `happened` was called once more. */
function counter() {
  let count = 0;
  let waiting: { least: number; resolve: () => void }[] = [];
  return {
    happened: () => {
      count++;
      for (const { least, resolve } of waiting) if (count >= least) resolve();
      waiting = waiting.filter(({ least }) => least > count);
    },
    reaches: (least: number) =>
      new Promise<void>((resolve) => (count >= least ? resolve() : waiting.push({ least, resolve }))),
    count: () => count,
  };
}

await test('seed --watch', async (t) => {
  const { db, url } = await openMigrated(t);
  const file = join(await makeFolder(t), 'team.yaml');
  await writeFile(file, 'users: [{ username: ada }]');
  const controller = new AbortController();
  const rounds = counter();
  let told = 0;
  const running = runCommand(seed, ['--watch', '--replace', file], {
    env: { DATABASE_URL: url },
    signal: controller.signal,
    onStderr: (text) => {
      const now = text.split('watching ').length - 1;
      if (now > told) rounds.happened();
      told = now;
    },
  });
  const users = async () =>
    (await select(db, 'select username from understudy.users where sandbox_id = 1 order by id')).map(
      (row) => row['username'],
    );
  await rounds.reaches(1);
  t.strictSame(await users(), ['ada']);
  await writeFile(file, 'users: [{ usernam: x }]');
  await rounds.reaches(2);
  t.strictSame(await users(), ['ada'], 'faults leave what was loaded');
  // As many editors do.
  await writeFile(`${file}~`, 'users: [{ username: grace }, { username: ada }]');
  await rename(`${file}~`, file);
  await rounds.reaches(3);
  t.strictSame(await users(), ['grace', 'ada']);
  await rm(file);
  await rounds.reaches(4);
  await writeFile(file, 'users: [{ username: back }]');
  await rounds.reaches(5);
  t.strictSame(await users(), ['back']);
  controller.abort();
  const { code, stderr } = await running;
  t.equal(code, 130);
  t.match(stderr, /team\.yaml:1:11 users\[0\]\.usernam is not a known key/);
  t.match(stderr, /no such file or directory, open/);
});

await test('changes while it works lead to one more round; other files to none', async (t) => {
  const folder = await makeFolder(t);
  const file = join(folder, 'a.yaml');
  await writeFile(file, '0');
  const controller = new AbortController();
  const rounds = counter();
  const watching = whileWatching({ files: [file], signal: controller.signal, settleMs: 20 }, async () => {
    if (rounds.count() === 0) for (let i = 1; i <= 5; i++) await writeFile(file, String(i));
    rounds.happened();
  });
  await rounds.reaches(2);
  await writeFile(join(folder, 'b.yaml'), 'other');
  await writeFile(file, 'last');
  await rounds.reaches(3);
  controller.abort();
  await watching;
  t.equal(rounds.count(), 3);
});

await test('what the work throws ends it', async (t) => {
  const file = join(await makeFolder(t), 'a.yaml');
  const fault = new Error('broken');
  await t.rejects(
    whileWatching({ files: [file], signal: new AbortController().signal }, () => Promise.reject(fault)),
    fault,
  );
});
