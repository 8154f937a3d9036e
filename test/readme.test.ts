// What the README says that a program can check: the table of variables, the sample users with their tokens, the commands. After a
// change of the configuration: UPDATE_README=1 npx tap test/readme.test.ts
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { variables } from '../src/process/variables.ts';
import { seedFile } from '../src/load/default-sandbox.ts';
import { readSeedFile } from '../src/seed/read-files.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'README.md');
const read = () => readFileSync(file, 'utf8');

await test('the table of variables is made from the configuration', async (t) => {
  const rows = variables.map(
    ({ name, default: value, description }) =>
      `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${description} |`,
  );
  const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
  const whole = /(?<=<!-- configuration:[^\n]*-->\n).*?(?=\n<!-- \/configuration -->)/s;
  if (process.env['UPDATE_README'] === '1')
    writeFileSync(
      file,
      read().replace(whole, () => table),
    );
  t.equal(whole.exec(read())?.[0], table);
});

await test('the sample users have the tokens that the README prints', async (t) => {
  const seed = await readSeedFile(seedFile('documented'));
  const inSeed = seed.users.flatMap(({ username, tokens }) => tokens.map(({ text }) => `${username} ${text}`));
  const inReadme = [...read().matchAll(/^\| `([^`]+)` \| `(wlu_[^`]+)` \|/gm)].map(
    ([, user, token]) => `${user} ${token}`,
  );
  t.ok(inReadme.length > 5);
  t.same(new Set(inReadme), new Set(inSeed));
});

await test('what the README links to exists', async (t) => {
  const links = [...read().matchAll(/\]\(((?!https?:|#)[^)#]+)/g)].map((match) => match[1] ?? '');
  t.ok(links.length > 3);
  t.same(
    links.filter((link) => !existsSync(join(root, link))),
    [],
  );
});
