// The README's table of variables is the code's, and its tokens are the sample's. UPDATE_README=1 writes the table.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { variables } from '../src/config.ts';
import { seedFile } from '../src/seeding/default-sandbox.ts';
import { readSeedFile } from '../src/seeding/read.ts';

const file = join(import.meta.dirname, '../README.md');
const marked = /(<!-- configuration: [^>]*-->\n)[^]*?(<!-- \/configuration -->)/;

const table = [
  '| variable | default | meaning |',
  '|---|---|---|',
  ...variables.map(({ name, default: value, description }) => {
    const shown = value === '' ? '' : `\`${value}\``;
    return `| \`${name}\` | ${shown} | ${description} |`;
  }),
].join('\n');

t.test('lists every variable', async (t) => {
  const readme = await readFile(file, 'utf8');
  const right = readme.replace(marked, (_all, start: string, end: string) => `${start}${table}\n${end}`);
  if (process.env['UPDATE_README'] === '1') await writeFile(file, right);
  t.equal(await readFile(file, 'utf8'), right, 'UPDATE_README=1 npx tap test/readme.test.ts writes it');
});

t.test('shows every sample token', async (t) => {
  const readme = await readFile(file, 'utf8');
  const seed = await readSeedFile(seedFile('documented'));
  for (const user of seed.users)
    for (const token of user.tokens) t.match(readme, `| \`${user.username}\` | \`${token.text}\` |`);
});
