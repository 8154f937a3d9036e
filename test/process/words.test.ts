// What the command line says about itself, and about words that it doesn't know.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { version } from '../../src/version.ts';
import { startCommand } from '../support/process.ts';

await test('help, version and unknown words', async (t) => {
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
await test('messages name the command of the package, and no file that only a checkout has', (t) => {
  const source = join(import.meta.dirname, '../../src');
  const files = ['cli', 'process', 'embedded-postgres'].flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const commands = 'serve|migrate|seed|export|reset|sandbox|token|requests|generate|import|COMMAND|help|version';
  const wrong = new RegExp(`(?<!weblate-)understudy (?:${commands})\\b|bin/understudy|\\bdocs/`);
  const found = files.flatMap((file) =>
    readFileSync(join(source, file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\/?\*|\/\/)|\(docs\/decisions/.test(line) && wrong.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  t.not(files.length, 0);
  t.strictSame(found, []);
  t.end();
});
