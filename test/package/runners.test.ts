// The examples for JavaScript's test runners, with the real runners, from the tarball: each passes in four files at a time, and
// the report of one that fails has what it requested.
import { cpSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import tap, { test } from 'tap';
import { type Example, makeExample, runExample } from './example.ts';
import { managers } from './managers.ts';
import manifest from '../../package.json' with { type: 'json' };
import { makeProject } from './project.ts';
import { pack, root } from './tarball.ts';

tap.setTimeout(900_000);

// A busy machine is no fault of the runner's.
const patience = '--testTimeout=60000';
const vitest = { name: 'vitest', file: 'notifications.test.js' };

/** With the number of services that four files start. */
const examples: Readonly<Record<string, Example & { readonly services: number }>> = {
  vitest: {
    ...vitest,
    others: ['vitest.config.js', 'options.test.js'],
    command: ['vitest', 'run', '--maxWorkers=4', patience],
    services: 1,
  },
  Jest: {
    name: 'jest',
    file: 'notifications.test.js',
    others: ['jest.config.js'],
    type: 'commonjs',
    command: ['jest', '--maxWorkers=4', patience],
    services: 1,
  },
  'Playwright test': {
    name: 'playwright',
    file: 'notifications.spec.js',
    others: ['fixtures.js', 'playwright.config.js'],
    command: ['playwright', 'test', '--workers=4'],
    services: 1,
  },
  'node:test': {
    name: 'node-test',
    file: 'notifications.test.js',
    command: ['node', '--test', '--test-concurrency=4'],
    services: 4,
  },
};

// vitest is this checkout's, in the version of its lockfile; nothing else of it needs the other two.
const runners = ['jest@30.5.2', '@playwright/test@1.65.1'];
const { path: tarball } = pack(tap);
const project = makeProject(tap, { node: dirname(process.execPath) });
managers.npm(project, tarball, ['--ignore-scripts', ...runners]);
symlinkSync(join(root, 'node_modules/vitest'), join(project.folder, 'node_modules/vitest'));

for (const [title, example] of Object.entries(examples))
  await test(title, async (t) => {
    const passing = runExample(makeExample(project.folder, example, ['one', 'two', 'three', 'four']), example);
    t.equal(passing.status, 0, passing.output);
    t.equal(passing.services.length, example.services);

    const failed = runExample(makeExample(project.folder, example, ['refused']), example);
    t.not(failed.status, 0);
    t.match(
      failed.output,
      /POST +\/api\/users\/alice\/notifications\/ +400 +alice\s+sent \{"notification":"NoNotification"/,
    );

    const unserved = runExample(makeExample(project.folder, example, ['unserved']), example);
    t.not(unserved.status, 0);
    t.match(unserved.output, /doesn't serve:\s+POST +\/api\/languages\/ +404 +alice +no such path is served/);
  });

await test('vitest without the setup', async (t) => {
  const example = { ...vitest, command: ['vitest', 'run'] } as const;
  const { status, output } = runExample(makeExample(project.folder, example, ['one']), example);
  t.not(status, 0);
  t.match(output, /Error: no service is known: add `globalSetup: 'weblate-understudy\/setup'` to/);
});

await test('an empty project with vitest', async (t) => {
  const empty = makeProject(t, { node: dirname(process.execPath), env: { NO_COLOR: '1' } });
  managers.npm(empty, tarball, ['--ignore-scripts', `vitest@${manifest.devDependencies.vitest}`]);
  const source = join(root, 'examples/vitest');
  cpSync(join(source, 'vitest.config.js'), join(empty.folder, 'vitest.config.mjs'));
  for (const copy of ['one', 'two', 'three', 'four'])
    cpSync(join(source, 'notifications.test.js'), join(empty.folder, `${copy}.test.js`));
  t.match(empty.run('npx', ['vitest', 'run']), /Tests +4 passed/);
});
