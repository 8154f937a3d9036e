// Help, version, and unknown words on the command line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { version } from '../../src/base/version.ts';
import { startCommand } from '../support/process.ts';

await test('help, version and unknown words have their texts', async (t) => {
  const run = async (...args: string[]) => {
    const { ended, said } = startCommand(t, args, {});
    return { code: await ended, ...said };
  };
  const overview = { code: 0, stdout: /^Usage: weblate-understudy COMMAND[^]*^ {2}migrate {3}\w/m, stderr: '' };
  t.match(await run('help'), overview);
  t.same(await run('version'), { code: 0, stdout: `${version}\n`, stderr: '' });
  t.match(await run('help', 'reset'), { code: 0, stdout: /^Usage: weblate-understudy reset /, stderr: '' });
  for (const [args, fault] of [
    [[], 'missing command'],
    [['help', 'sed'], 'unknown command "sed"; did you mean seed?'],
    [['verson'], 'unknown command "verson"; did you mean version?'],
    [['--verson'], 'unknown command "--verson"; did you mean version?'],
    [['--port', '1'], 'unknown command "--port"'],
  ] as const)
    t.match(await run(...args), { code: 2, stdout: '', stderr: `understudy: ${fault}\n\nUsage: ` });
});

// npx takes a word that it doesn't find for a package's name: `npx understudy` would run a stranger's.
await test('texts name the command of the package, and no file that only a checkout has', (t) => {
  const source = join(import.meta.dirname, '../../src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:ts|m?js)$/.test(name),
  );
  const commands = [...readFileSync(join(source, 'cli/main.ts'), 'utf8').matchAll(/^ {2}(\w+): \(\) =>/gm)];
  t.ok(commands.length > 9);
  const wrong = [
    `(?<!weblate-)\\bunderstudy (?:${commands.map(([, name]) => name).join('|')}|COMMAND|help|version)\\b`,
    'npx (?!weblate-understudy)\\w',
    'npm (?:start|run|test)\\b',
    'bin/weblate-understudy',
    // A file, and not a route such as /api/docs/.
    '\\bdocs/[\\w-]',
    '(?<!weblate-understudy/seeds)/seed\\.schema\\.json(?! of the package)',
    '\\b(?:README|CHANGELOG|CONTRIBUTING)\\b',
    '\\b(?:examples|deploy|packaging|migrations)/\\w[\\w./-]*\\.\\w',
  ].join('|');
  // A text may be broken where a line ends. The comments of what is published stay: editors show them.
  const textsOf = (file: string) => {
    const text = readFileSync(join(source, file), 'utf8')
      .replaceAll(/^import [^;]*;/gm, '')
      .replaceAll(/^\s*\/\/.*/gm, '');
    return (/^package\/(?:client|library)\//.test(file) ? text : text.replaceAll(/\/\*\*?[^]*?\*\//g, '')).replaceAll(
      /\s+/g,
      ' ',
    );
  };
  const find = (text: string) => text.match(new RegExp(`.{0,40}(?:${wrong}).{0,40}`, 'g')) ?? [];
  const found = files.flatMap((file) => find(textsOf(file)).map((text) => `${file}: ${text}`));
  t.not(files.length, 0);
  t.strictSame(found, []);
  t.end();
});
