// The examples for JavaScript's test runners, with the real runners, from the tarball: each passes in four files at a
// time, and the report of a failing one shows its requests.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import tap, { test } from 'tap';
import { type Example, makeExample, runExample } from './example.ts';
import { managers } from './managers.ts';
import { makeProject } from './project.ts';
import { pack, root } from './tarball.ts';

tap.setTimeout(900_000);

// A busy machine is no fault of the runner's.
const patience = '--testTimeout=60000';
const vitest = { name: 'vitest', file: 'notifications.test.js' };

/** With the edit that gives the set-up options in the runner's own way. */
const examples: Readonly<
  Record<string, Example & { readonly options?: readonly [file: string, from: string, to: string] }>
> = {
  vitest: {
    ...vitest,
    others: ['vitest.config.mjs', 'options.test.js'],
    options: ['vitest.config.mjs', "setup'", "setup', provide: { understudy: zoe }"],
    command: ['vitest', 'run', '--maxWorkers=4', patience],
    limit: ["'alice subscribes', ", "'alice subscribes', { timeout: 4000 }, "],
  },
  Jest: {
    name: 'jest',
    file: 'notifications.test.js',
    others: ['jest.config.js'],
    options: ['jest.config.js', "setup'", "setup', globals: { understudy: zoe }"],
    type: 'commonjs',
    command: ['jest', '--maxWorkers=4', patience],
    limit: ['  }));', '  }, { signal: AbortSignal.timeout(4000) }));'],
  },
  'Playwright test': {
    name: 'playwright',
    file: 'notifications.spec.js',
    others: ['playwright.config.js'],
    options: ['playwright.config.js', "setup'", "setup', metadata: { understudy: zoe }"],
    command: ['playwright', 'test', '--workers=4'],
    limit: ["test('alice subscribes'", "test.describe.configure({ timeout: 4000 });\ntest('alice subscribes'"],
  },
  'node:test': {
    name: 'node-test',
    file: 'notifications.test.js',
    others: ['understudy.mjs'],
    command: ['node', '--test', '--test-concurrency=4', '--test-global-setup=understudy.mjs'],
    limit: ["'alice subscribes', ", "'alice subscribes', { timeout: 4000 }, "],
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
    t.equal(passing.services.length, 1, 'all files share one service');

    const variants = ['refused', 'unserved', 'forgetful', 'hanging'] as const;
    const failed = runExample(makeExample(project.folder, example, [...variants]), example);
    t.not(failed.status, 0);
    const named = title === 'Jest' || title === 'node:test' ? ' of the test "alice subscribes"' : '';
    for (const [variant, report] of Object.entries({
      refused: 'POST +/api/users/alice/notifications/ +400 +alice\\s+sent {"notification":"NoNotification"',
      unserved: 'unless it sets allowUnmatched\\.[^]* 1\\. POST +/api/changes/ +404 +alice +no such path is served',
      forgetful: 'GET +/api/users/alice/ +404 +anonymous',
      hanging: `Requests to Understudy${named}, sandbox .*:\\s+GET +/api/users/bob/ +404 +anonymous`,
    }))
      t.match(failed.output, new RegExp(report), variant);
    if (example.options === undefined) return;

    const [config, from, to] = example.options;
    const folder = makeExample(project.folder, example, ['one']);
    const text = readFileSync(join(folder, config), 'utf8');
    const zoe = "{ seed: { users: [{ username: 'zoe' }] } }";
    writeFileSync(join(folder, config), text.replace(from, to.replace('zoe', zoe)));
    t.match(runExample(folder, example).output, /no token of "alice" is known in sandbox .*; those known are of zoe/);
  });

await test('vitest without the set-up says what is missing', async (t) => {
  const example = { ...vitest, command: ['vitest', 'run'] } as const;
  const { status, output } = runExample(makeExample(project.folder, example, ['one']), example);
  t.not(status, 0);
  t.match(output, /Error: no service is known: make weblate-understudy\/setup the global set-up of the tests/);
});

await test('vitest with a set-up of its own', async (t) => {
  const example = { ...vitest, others: ['own-setup.js'], command: ['vitest', 'run', patience] } as const;
  const folder = makeExample(project.folder, example, ['one']);
  writeFileSync(join(folder, 'vitest.config.mjs'), "export default { test: { globalSetup: './own-setup.js' } };");
  const { status, output } = runExample(folder, example);
  t.equal(status, 0, output);
  t.match(output, /^Understudy .* on http/m, 'its option is a function');
});
