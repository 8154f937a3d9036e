// docs/reference/cli.md has a section for each command, with the options that its --help names; the page about the real system has
// those of `npm run verify`.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { follow } from '../follow/follow.ts';
import { variables } from '../follow/weblate/machine.ts';
import { verify } from '../transcripts/commands/verify.ts';
import { pages, root } from './pages.ts';

interface Command {
  readonly name: string;
  readonly usage: string;
}

const isCommand = (value: unknown): value is Command =>
  typeof value === 'object' && value !== null && 'usage' in value && 'name' in value;

const folder = join(root, 'src/cli/commands');
const modules: object[] = await Promise.all(
  globSync('*.ts', { cwd: folder }).map((file) => import(join(folder, file)) as Promise<object>),
);
const commands = modules.flatMap((module) => Object.values(module).filter(isCommand));
const sections = new Map(
  (pages.get('docs/reference/cli.md') ?? '')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section]),
);

const optionsIn = (text: string): Set<string> => new Set(text.match(/--[a-z]+(?:-[a-z]+)*/g));
/** First cells that name options. */
const documented = (section: string): string =>
  [...section.matchAll(/^\| (`--.*?`) \| /gm)].map(([, cell]) => cell).join(' ');
// Text in backquotes shows another command.
const described = (usage: string): string => usage.replaceAll(/`[^`]*`/g, '');

await test('commands', async (t) => {
  t.ok(commands.length > 5);
  t.same(new Set(sections.keys()), new Set(commands.map(({ name }) => name)));
});

await test('options', async (t) => {
  for (const { name, usage } of commands)
    t.same(optionsIn(documented(sections.get(name) ?? '')), optionsIn(described(usage)), name);
});

await test('npm run follow: its page names its options and variables', (t) => {
  const page = pages.get('docs/how-to/compare-with-the-real-system.md') ?? '';
  for (const option of optionsIn(described(follow.usage))) t.ok(page.includes(option), option);
  for (const [name, value] of Object.entries(variables)) t.ok(page.includes(`| \`${name}\` | \`${value}\` |`), name);
  t.end();
});

await test('options of npm run verify', async (t) => {
  const page = pages.get('docs/how-to/compare-with-the-real-system.md') ?? '';
  t.same(optionsIn(documented(page)), optionsIn(verify.usage));
});
