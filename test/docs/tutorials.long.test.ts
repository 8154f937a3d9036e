// The tutorials' programs, put together from their pages as a reader does, against a service.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Test, test } from 'tap';
import { startService } from '../support/service.ts';
import { codeBlocks, pages, root } from '../support/pages.ts';

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

await test('the tutorial’s first client works', async (t) => {
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

await test('the tutorial’s first CI job works', async (t) => {
  const folder = makeFolder(t);
  // As an installed package, but with the sources.
  const modules = join(folder, 'node_modules/weblate-understudy');
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(
    join(modules, 'index.js'),
    `export * from ${JSON.stringify(join(root, 'src/package/library/index.ts'))};`,
  );
  const [code = ''] = codeBlocks(pages.get('docs/tutorials/first-ci-job.md') ?? '', 'js');
  writeFileSync(join(folder, 'notifications.test.mjs'), code);
  t.match(await run(folder, '', '--test', '--test-reporter=tap'), /^# pass 2$/m);

  writeFileSync(join(folder, 'notifications.test.mjs'), code.replace('count(), 9)', 'count(), 8)'));
  const output = await run(folder, '', '--test').catch((error: unknown) => (error as { stdout: string }).stdout);
  t.match(
    output,
    /Requests to Understudy(?: of the test "[^"]+")?, sandbox [^]*DELETE \/api\/users\/alice\/notifications\/1\/ +204 +alice[^]*\n *9 !== 8\n/,
  );
});
