// Options and the environment: which one wins, and which one errors name; unknown options, and missing values.
import { test } from 'tap';
import { UserError } from '../../src/base/failure.ts';
import { parseArguments } from '../../src/cli/usage.ts';
import { readSettings } from '../../src/cli/setting-flags.ts';

await test('options win over the environment, where an empty variable is unset', async (t) => {
  const env = { PORT: '2', LOG_LEVEL: 'error', UNDERSTUDY_MAX_SANDBOXES: '' };
  t.match(readSettings({ port: '3' }, env).configuration, {
    PORT: 3,
    LOG_LEVEL: 'error',
    UNDERSTUDY_MAX_SANDBOXES: 2000,
  });
  t.match(readSettings({ host: '::1', seed: './x.yaml', temporary: true }, {}).configuration, {
    UNDERSTUDY_HOST: '::1',
    UNDERSTUDY_SEED: './x.yaml',
    UNDERSTUDY_TEMPORARY: true,
  });
  t.match(readSettings({ temporary: false }, {}).configuration, { PORT: 8000, UNDERSTUDY_TEMPORARY: false });
});

await test('an option that says where the data is replaces every such variable', async (t) => {
  const DATABASE_URL = 'postgres://127.0.0.1/one';
  const placeOf = (flags: Parameters<typeof readSettings>[0], given: Record<string, string>) => {
    const { configuration } = readSettings(flags, given);
    return [configuration.DATABASE_URL, configuration.UNDERSTUDY_DATA_DIR, configuration.UNDERSTUDY_TEMPORARY];
  };
  t.same(placeOf({ 'data-dir': 'x' }, { DATABASE_URL }), [undefined, 'x', false]);
  t.same(placeOf({ temporary: true }, { DATABASE_URL }), [undefined, undefined, true]);
  t.same(placeOf({ 'data-dir': 'x' }, { UNDERSTUDY_TEMPORARY: 'true' }), [undefined, 'x', false]);
  t.same(placeOf({ 'database-url': DATABASE_URL }, { UNDERSTUDY_TEMPORARY: 'true' }), [DATABASE_URL, undefined, false]);
  t.throws(() => readSettings({ 'data-dir': 'x', temporary: true }, {}), {
    message: '--data-dir and --temporary exclude each other',
  });
  t.throws(() => readSettings({ 'data-dir': 'x', 'database-url': DATABASE_URL }, {}), {
    message: '--database-url and --data-dir exclude each other',
  });
});

await test('an error names the option or the variable that gave the value', async (t) => {
  const faultsOf = (...given: Parameters<typeof readSettings>): string[] => {
    try {
      readSettings(...given);
      return [];
    } catch (error) {
      if (error instanceof UserError) return error.message.split('\n');
      throw error;
    }
  };
  t.same(faultsOf({ port: 'x' }, { UNDERSTUDY_MAX_SANDBOXES: 'y', LOG_LEVEL: 'loud' }), [
    '--port must be a port from 0 to 65535, not "x"',
    'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent, not "loud"',
    'UNDERSTUDY_MAX_SANDBOXES must be a number from 1 to 1000000, not "y"',
  ]);
  t.same(faultsOf({ port: '1' }, { PORT: 'x' }), [], 'what an option replaces is not read');
  t.match(faultsOf({ 'database-url': 'mysql://me:hunter2@x/y' }, {}), [/^--database-url must be a URL that .*\/\/$/]);
  t.match(faultsOf({ host: '0.0.0.0' }, { UNDERSTUDY_ANONYMOUS: 'write' }), [/needs a loopback --host, not "0.0.0.0"/]);
  t.match(faultsOf({}, { UNDERSTUDY_SEDE: 'x' }), [/did you mean UNDERSTUDY_SEED\?/]);
});

// How options are read: unknown ones, and missing values.

await test('an unknown option is refused with the nearest name, and a missing value by its option', async (t) => {
  const options = { port: { type: 'string' }, temporary: { type: 'boolean' } } as const;
  const parse = (...args: string[]) => parseArguments(args, options, ['[FILE...]']);
  t.match(parse('--port', '1', 'a', '--', '--prot'), { values: { port: '1' }, operands: ['a', '--prot'] });
  for (const [args, message] of [
    [['--prot', '1'], 'unknown option --prot; did you mean --port?'],
    [['--temporay'], 'unknown option --temporay; did you mean --temporary?'],
    [['--nothing-like-it=1'], 'unknown option --nothing-like-it'],
    [['-p', '1'], 'unknown option -p'],
    [['--port', ''], '--port is empty'],
  ] as const)
    t.throws(() => parse(...args), { name: 'Error', message });
  t.throws(() => parse('--port'), { message: /'--port <value>' argument missing/ });
  t.throws(() => parse('--temporary=1'), { message: /does not take an argument/ });
});
