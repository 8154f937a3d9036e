// Playwright's fixtures, with Playwright itself: options of nested suites.
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
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
const library = join(root, 'src/package/library');

await test('the closest suite says what a sandbox is made from, whatever suites around it and the configuration say', async (t) => {
  const folder = makeScratch(t);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const options = { globalSetup: join(library, 'setup.ts'), use: { from: 'empty' } };
  writeFileSync(join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(options)};`);
  writeFileSync(
    join(folder, 'one.spec.mjs'),
    `import { mergeTests, test as base } from '@playwright/test';
    import { expect, test } from ${JSON.stringify(join(library, 'playwright.ts'))};
    const zoe = { users: [{ username: 'zoe' }] };
    const expectFirst = (box, username) => expect(box.users[0]?.username).toBe(username);
    test('configured', ({ box }) => expectFirst(box, undefined));
    test.describe('a seed', () => {
      test.use({ seed: zoe });
      test('a seed', ({ box }) => expectFirst(box, 'zoe'));
      test.describe('from', () => {
        test.use({ from: 'documented' });
        test('from', ({ box }) => expectFirst(box, 'admin'));
        test.describe('a seed again', () => {
          test.use({ seed: zoe, allowUnmatched: true });
          test('a seed again', ({ box }) => expectFirst(box, 'zoe'));
        });
      });
    });
    const merged = mergeTests(test, base.extend({ name: 'zoe' }));
    merged.describe('merged', () => {
      test.use({ seed: zoe });
      merged('merged', ({ box, name }) => expectFirst(box, name));
    });`,
  );
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const ran = await promisify(execFile)(join(root, 'node_modules/.bin/playwright'), ['test'], {
    cwd: folder,
    env: { ...environment, ...place.env, NO_COLOR: '1' },
  }).catch((error: unknown) => error as { stdout: string });
  t.match(ran.stdout, /5 passed/);
});
