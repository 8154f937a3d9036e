// What a user of the checkout keeps in it, such as tokens, gets into no commit and no image. test/package/tarball.test.ts looks at the
// package.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';

const root = join(import.meta.dirname, '../..');
const own = ['.env', 'seeds.local/team.yaml', '.understudy/cluster/PG_VERSION'];

await test('Git ignores the files of a user', (t) => {
  const isIgnored = (file: string) =>
    spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: root }).status === 0;
  for (const file of own) t.ok(isIgnored(file), file);
  t.notOk(isIgnored('seeds/empty.yaml'));
  t.end();
});

await test('no image is built from them: it gets the files that .dockerignore names, and no other', (t) => {
  const [first, ...named] = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  t.equal(first, '*');
  // Plain names alone, so that none admits more than it says.
  for (const line of named) t.match(line, /^![\w.-]+$/);
  const admits = (file: string) => named.includes(`!${file.split('/')[0]}`);
  for (const file of own) t.notOk(admits(file), file);
  t.ok(admits('seeds/empty.yaml'));
  t.end();
});
