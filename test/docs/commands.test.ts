// docs/reference/cli.md has a section for each command, with the options that its --help names; the page about the real system has
// those of `npm run verify`.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { verify } from '../transcripts/commands/verify.ts';
import { pages, root } from './pages.ts';

interface Command {
  readonly name: string;
  readonly usage: string;
}

const isCommand = (value: unknown): value is Command =>
  typeof value === 'object' && value !== null && 'usage' in value && 'name' in value;

const folder = join(root, 'src/cli/commands');
const files = globSync('*.ts', { cwd: folder });
const modules: object[] = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<object>));
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

await test('each command can be run by its name', (t) => {
  const main = readFileSync(join(root, 'src/cli/main.ts'), 'utf8');
  const listed = [...main.matchAll(/^ {2}(\w+): async \(\) => \(await import\('\.\/commands\/([\w-]+\.ts)'\)/gm)];
  t.same(new Set(listed.map(([, , file]) => file)), new Set(files), 'add it to src/cli/main.ts');
  t.same(new Set(listed.map(([, name]) => name)), new Set(commands.map(({ name }) => name)));
  t.end();
});

await test('options', async (t) => {
  for (const { name, usage } of commands)
    t.same(optionsIn(documented(sections.get(name) ?? '')), optionsIn(described(usage)), name);
});

await test('options of npm run verify', async (t) => {
  const page = pages.get('docs/how-to/compare-with-the-real-system.md') ?? '';
  t.same(optionsIn(documented(page)), optionsIn(verify.usage));
});
