// docs/reference/cli.md has a section for each command, with the options that its --help names.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'tap';
import { pages, root } from './pages.ts';

const help = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [join(root, 'src/cli/main.ts'), ...args, '--help'])).stdout;

const optionsIn = (text: string): Set<string> => new Set(text.match(/--[a-z]+(?:-[a-z]+)*/g));

await test('commands and their options', async (t) => {
  const sections = (pages.get('docs/reference/cli.md') ?? '').split(/^## /m).slice(1);
  const documented = new Map(sections.map((section) => [section.split('\n', 1)[0] ?? '', section]));
  const commands = [...(await help()).matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name ?? '');
  t.ok(commands.length > 5);
  t.same(new Set(documented.keys()), new Set(commands));
  for (const name of commands) {
    const described = [...(await help(name)).matchAll(/^ {2}(--.*?)(?: {2,}|$)/gm)].map(([, option]) => option);
    const rows = [...(documented.get(name) ?? '').matchAll(/^\| (`--[^|]*(?:\\\|[^|]*)*) \|/gm)].map(
      ([, cell]) => cell,
    );
    t.same(optionsIn(rows.join(' ')), optionsIn(described.join(' ')), name);
  }
});
