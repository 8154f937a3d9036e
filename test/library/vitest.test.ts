// vitest's fixtures and its global set-up, with vitest itself: options of nested suites, paths of the configuration,
// and what a failed test shows.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { t as file, test } from 'tap';
import { providePackedCluster } from '../support/packed-cluster.ts';
import { makePlace } from '../support/place.ts';
import { makeScratch } from '../support/postgres-folders.ts';

file.setTimeout(240_000);

await providePackedCluster();
const place = makePlace(file);
const root = join(import.meta.dirname, '../..');
const folder = makeScratch(file);
const library = join(root, 'src/package/library');
const { NODE_OPTIONS: _, ...environment } = process.env;

symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
mkdirSync(join(folder, 'config'));
const configure = (understudy: object) => {
  const options = { globalSetup: join(library, 'setup.ts'), provide: { understudy }, testTimeout: 60_000 };
  writeFileSync(join(folder, 'config/vitest.config.mjs'), `export default { test: ${JSON.stringify(options)} };`);
};

async function run(text: string): Promise<{ failed: boolean; output: string }> {
  const head = `
    import { describe, expect } from 'vitest';
    import { test } from ${JSON.stringify(join(library, 'vitest.ts'))};
    const zoe = { users: [{ username: 'zoe' }] };
    const expectFirst = (box, username) => expect(box.users[0]?.username).toBe(username);`;
  writeFileSync(join(folder, 'one.test.js'), head + text);
  const args = ['run', '--root', '.', '--config', 'config/vitest.config.mjs'];
  const env = { ...environment, ...place.env, NO_COLOR: '1' };
  const program = join(root, 'node_modules/.bin/vitest');
  return promisify(execFile)(program, args, { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ failed: false, output: stdout + stderr }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ failed: true, output: stdout + stderr }),
  );
}

await test('a path is relative to the configuration; the closest suite says what a sandbox is made from', async (t) => {
  writeFileSync(join(folder, 'config/team.yaml'), 'users: [{ username: yan }]\n');
  configure({ seed: './team.yaml' });
  const { failed, output } = await run(`
    test('the path', ({ box }) => expectFirst(box, 'yan'));
    describe('from', () => {
      test.override({ from: 'documented' });
      test('from', ({ box }) => expectFirst(box, 'admin'));
      describe('a seed', () => {
        test.override({ seed: zoe });
        test('a seed', ({ box }) => expectFirst(box, 'zoe'));
        describe('from again', () => {
          test.override('from', 'empty');
          test('from again', ({ box }) => expectFirst(box, undefined));
        });
      });
    });
    const team = test.extend({ seed: zoe });
    describe('extended', () => {
      team.override({ from: 'documented' });
      team('extended', ({ box }) => expectFirst(box, 'admin'));
    });`);
  t.notOk(failed, output);
  t.match(output, /Tests +5 passed/);
});

await test('a file that is missing is named as it was sought', async (t) => {
  configure({ seed: './tema.yaml' });
  const { failed, output } = await run(`test('none', () => {});`);
  t.ok(failed);
  t.match(output, `Error: seed: there is no file ${join(folder, 'config/tema.yaml')}`);
});
