// The statements of README.md and of two pages of docs/reference/ that a program can check. After a change of the configuration:
// UPDATE_README=1 npx tap test/readme.test.ts
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'tap';
import { variables } from '../src/service/config/variables.ts';
import { seedFile } from '../src/seeds/load/seed-name.ts';
import { codeBlocks } from './support/pages.ts';
import { readSeedFile } from './support/read-seed-file.ts';
import { startService } from './support/service.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

await test('the table of variables is generated from the configuration', async (t) => {
  const file = join(root, 'docs/reference/configuration.md');
  const rows = variables.map(
    ({ name, default: value, description }) =>
      `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${description} |`,
  );
  const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
  const whole = /(?<=<!-- configuration:[^\n]*-->\n).*?(?=\n<!-- \/configuration -->)/s;
  const page = readFileSync(file, 'utf8');
  if (process.env['UPDATE_README'] === '1')
    writeFileSync(
      file,
      page.replace(whole, () => table),
    );
  t.equal(
    whole.exec(readFileSync(file, 'utf8'))?.[0],
    table,
    'UPDATE_README=1 npx tap test/readme.test.ts writes docs/reference/configuration.md',
  );
});

await test('the sample users have the tokens that their page prints', async (t) => {
  const page = readFileSync(join(root, 'docs/reference/sample-users.md'), 'utf8');
  const seed = await readSeedFile(seedFile('documented'));
  const inSeed = seed.users.flatMap(({ username, tokens }) => tokens.map(({ text }) => `${username} ${text}`));
  const inPage = [...page.matchAll(/^\| `([^`]+)` \| `(wlu_[^`]+)` \|/gm)].map(([, user, token]) => `${user} ${token}`);
  t.ok(inPage.length > 5);
  t.same(new Set(inPage), new Set(inSeed));
});

await test('the README’s lines for a terminal work in its order, and the first prints what the README shows', async (t) => {
  const [, read = '', write = ''] = codeBlocks(readme, 'sh');
  const [shown = ''] = codeBlocks(readme, 'json');
  const service = await startService(t);
  const here = (text: string) => text.replaceAll('http://127.0.0.1:8000', service.url);
  const run = async (lines: string) => (await promisify(execFile)('sh', ['-ec', here(lines)])).stdout;
  t.same(JSON.parse(await run(read)), JSON.parse(here(shown)));
  t.match(await run(write), /^\{"notification":"RepositoryNotification","id":\d+,/);
  const { json } = await service.request('GET', '/api/users/alice/notifications/', { as: 'alice' });
  t.match(json, { count: 10 }, 'the last line put everything back');
});

await test('the README is short', async (t) => {
  t.ok(readme.trimEnd().split('\n').length < 120);
});
