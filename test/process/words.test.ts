// What the command line says about itself, and about words that it doesn't know.
import { test } from 'tap';
import { version } from '../../src/version.ts';
import { startCommand } from '../support/process.ts';

await test('help, version and unknown words', async (t) => {
  const run = async (...args: string[]) => {
    const { ended, said } = startCommand(t, args, {});
    return { code: await ended, ...said };
  };
  const overview = { code: 0, stdout: /^Usage: understudy COMMAND[^]*^ {2}migrate {3}\w/m, stderr: '' };
  t.match(await run('help'), overview);
  t.same(await run('version'), { code: 0, stdout: `${version}\n`, stderr: '' });
  t.match(await run('help', 'reset'), { code: 0, stdout: /^Usage: understudy reset /, stderr: '' });
  for (const [args, fault] of [
    [[], 'missing command'],
    [['help', 'sed'], 'unknown command "sed"; did you mean seed?'],
    [['verson'], 'unknown command "verson"; did you mean version?'],
    [['--verson'], 'unknown command "--verson"; did you mean version?'],
    [['--port', '1'], 'unknown command "--port"'],
  ] as const)
    t.match(await run(...args), { code: 2, stdout: '', stderr: `understudy: ${fault}\n\nUsage: ` });
});
