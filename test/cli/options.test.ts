// How options are read: unknown ones, and missing values.
import { test } from 'tap';
import { command as serve } from '../../src/cli/commands/serve.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { runCommand } from '../support/run-command.ts';

await test('serve names the --env-file that is missing', async (t) => {
  // In a process Node would fail first: it reads this option even after the script's name.
  const ran = await runCommand(serve, ['--env-file', '/nowhere/.env']);
  t.match(ran, { code: 2, stdout: '', stderr: "serve: ENOENT: no such file or directory, open '/nowhere/.env'\n" });
});

await test('an unknown option is refused with the nearest name, and a missing value by its option', (t) => {
  const options = { port: { type: 'string' }, temporary: { type: 'boolean' } } as const;
  const parse = (...args: string[]) => parseArguments(args, options);
  t.match(parse('--port', '1', 'a', '--', '--prot'), { values: { port: '1' }, operands: ['a', '--prot'] });
  for (const [args, message] of [
    [['--prot', '1'], 'unknown option --prot; did you mean --port?'],
    [['--temporay'], 'unknown option --temporay; did you mean --temporary?'],
    [['--hepl'], 'unknown option --hepl; did you mean --help?'],
    [['--nothing-like-it=1'], 'unknown option --nothing-like-it'],
    [['-p', '1'], 'unknown option -p'],
    [['--port', ''], '--port is empty'],
  ] as const)
    t.throws(() => parse(...args), { name: 'Error', message });
  t.throws(() => parse('--port'), { message: /'--port <value>' argument missing/ });
  t.throws(() => parse('--temporary=1'), { message: /does not take an argument/ });
  t.end();
});
