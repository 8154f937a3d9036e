// examples/ci: each helper against a running service, with its own tool; skipped with the reason if the tool isn't installed.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Test, test } from 'tap';
import { startService } from '../support/service.ts';

const root = join(import.meta.dirname, '../..');
const examples = join(root, 'examples/ci');
const run = promisify(execFile);

/** A copy of the examples next to the packages that they use. */
async function copyExamples(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-examples-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await cp(examples, folder, { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

// tap's environment variables are meant for this repository's tests only.
const environment = (more: Record<string, string>) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TAP|NODE_|_TAPJS|UNDERSTUDY_)/.test(name))),
  ...more,
});

await test('examples/ci', async (suite) => {
  const service = await startService(suite);
  const env = environment({ API_URL: service.url });
  const sandboxes = async () =>
    (((await service.request('GET', '/_understudy/sandboxes')).json as { name: string }[]) ?? []).map(
      ({ name }) => name,
    );

  await suite.test('tap', async (t) => {
    const folder = await copyExamples(t);
    const { stdout } = await run(process.execPath, [join(folder, 'tap.test.ts')], { cwd: folder, env });
    t.match(stdout, /^ok 1 - unsubscribes from everything/m);
    t.match(stdout, /^ok 2 - a seed of its own/m);
    t.notMatch(stdout, /^not ok/m);
    t.strictSame(await sandboxes(), ['default'], 'dropped at the end');
  });

  await suite.test('tap keeps what explains a failure', async (t) => {
    const folder = await copyExamples(t);
    const file = join(folder, 'tap.test.ts');
    await writeFile(file, (await readFile(file, 'utf8')).replace('count(sandbox), 10)', 'count(sandbox), 11)'));
    await t.rejects(run(process.execPath, [file], { cwd: folder, env }));
    await checkArtifacts(t, join(folder, 'artifacts'));
  });

  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const noVitest = existsSync(vitest) ? false : 'vitest is not installed';
  await suite.test('vitest', { skip: noVitest }, async (t) => {
    const folder = await copyExamples(t);
    const { stdout } = await run(process.execPath, [vitest, 'run', 'vitest.test.ts'], { cwd: folder, env });
    t.match(stdout, /2 passed/);
  });

  const noPytest = await run('python3', ['-c', 'import pytest, requests']).then(
    () => false as const,
    () => 'pytest and requests are not installed',
  );
  await suite.test('pytest', { skip: noPytest }, async (t) => {
    const folder = join(await copyExamples(t), 'pytest');
    const { stdout } = await run('python3', ['-m', 'pytest', '-p', 'no:cacheprovider', folder], { cwd: folder, env });
    t.match(stdout, /2 passed/);
    t.strictSame(await sandboxes(), ['default'], 'dropped at the end');

    const file = join(folder, 'test_notifications.py');
    await writeFile(file, (await readFile(file, 'utf8')).replace('["count"] == 0', '["count"] == 1'));
    await t.rejects(run('python3', ['-m', 'pytest', '-p', 'no:cacheprovider', folder], { cwd: folder, env }));
    await checkArtifacts(t, join(folder, 'artifacts'));
  });
});

async function checkArtifacts(t: Test, folder: string): Promise<void> {
  const [requests = '', seed = ''] = (await readdir(folder)).toSorted();
  t.match(requests, /\.requests\.json$/);
  t.match(await readFile(join(folder, requests), 'utf8'), '/api/users/alice/notifications/');
  t.match(seed, /\.seed\.yaml$/);
  t.match(await readFile(join(folder, seed), 'utf8'), 'username: alice');
}
