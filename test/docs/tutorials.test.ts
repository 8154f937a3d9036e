// The tutorials' programs, put together from their pages as a reader does, against a service.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Test, test } from 'tap';
import { startService } from '../support/service.ts';
import { codeBlocks, pages, root } from './pages.ts';

const blocksOf = (page: string) => codeBlocks(pages.get(`docs/tutorials/${page}`) ?? '', 'ts');

function makeFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-tutorial-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/** Without what tap gives its tests by the environment. */
async function run(cwd: string, url: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], API_URL: url };
  return (await promisify(execFile)(process.execPath, args, { cwd, env })).stdout;
}

await test('the first client', async (t) => {
  const [start = '', readPages = '', write = '', failure = ''] = blocksOf('first-client.md');
  const folder = makeFolder(t);
  const { url } = await startService(t);
  writeFileSync(join(folder, 'client.ts'), start);
  t.match(await run(folder, url, 'client.ts'), /10 subscriptions, the first 4:[^]*next page: http.*page=2&page_size=4/);

  const shortened = start.trimEnd().split('\n').slice(0, -4).join('\n');
  writeFileSync(join(folder, 'client.ts'), [shortened, readPages, write, failure].join('\n'));
  const first = await run(folder, url, 'client.ts');
  t.match(first, '10 subscriptions over several pages');
  t.match(first, /400 .*"notification".*"frequency"/, 'both problems');
  const id = (output: string) => Number(/created (\d+)/.exec(output)?.[1]);
  t.equal(id(await run(folder, url, 'client.ts')), id(first) + 1);
});

await test('the first CI job', async (t) => {
  const folder = makeFolder(t);
  const { url } = await startService(t, { anonymous: 'strict' });
  writeFileSync(join(folder, 'notifications.test.ts'), blocksOf('first-ci-job.md')[0] ?? '');
  copyFileSync(join(root, 'examples/ci/sandbox.ts'), join(folder, 'sandbox.ts'));
  t.match(await run(folder, url, '--test', '--test-reporter=tap'), /^# pass 2$/m);
});
