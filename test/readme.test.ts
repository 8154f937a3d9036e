// The README, the pages that the configuration writes, and the configuration's faults.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'tap';
import { UserError } from '../src/base/failure.ts';
import { findNearest } from '../src/base/nearest.ts';
import { seedFile } from '../src/seeds/load/seed-name.ts';
import { readConfiguration } from '../src/service/config/config.ts';
import { variables } from '../src/service/config/variables.ts';
import { codeBlocks } from './support/pages.ts';
import { readSeedFile } from './support/read-seed-file.ts';
import { startService } from './support/service.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

await test('the table of variables is generated from the configuration', async (t) => {
  const file = join(root, 'docs/reference/configuration.md');
  const rows = variables.map(
    ({ name, default: value, description }) =>
      `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${description} |`,
  );
  const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
  const whole = /(?<=<!-- configuration:[^\n]*-->\n).*?(?=\n<!-- \/configuration -->)/s;
  const page = readFileSync(file, 'utf8');
  if (process.env['UPDATE_README'] === '1')
    writeFileSync(
      file,
      page.replace(whole, () => table),
    );
  t.equal(
    whole.exec(readFileSync(file, 'utf8'))?.[0],
    table,
    'UPDATE_README=1 npx tap test/readme.test.ts writes docs/reference/configuration.md',
  );
});

await test('the sample users have the tokens that their page prints', async (t) => {
  const page = readFileSync(join(root, 'docs/reference/sample-users.md'), 'utf8');
  const seed = await readSeedFile(seedFile('documented'));
  const inSeed = seed.users.flatMap(({ username, tokens }) => tokens.map(({ text }) => `${username} ${text}`));
  const inPage = [...page.matchAll(/^\| `([^`]+)` \| `(wlu_[^`]+)` \|/gm)].map(([, user, token]) => `${user} ${token}`);
  t.ok(inPage.length > 5);
  t.same(new Set(inPage), new Set(inSeed));
});

await test('the README’s lines for a terminal work in its order, and the first prints what the README shows', async (t) => {
  const [, read = '', write = ''] = codeBlocks(readme, 'sh');
  const [shown = ''] = codeBlocks(readme, 'json');
  const service = await startService(t);
  const here = (text: string) => text.replaceAll('http://127.0.0.1:8000', service.url);
  const run = async (lines: string) => (await promisify(execFile)('sh', ['-ec', here(lines)])).stdout;
  t.same(JSON.parse(await run(read)), JSON.parse(here(shown)));
  t.match(await run(write), /^\{"notification":"RepositoryNotification","id":\d+,/);
  const { json } = await service.request('GET', '/api/users/alice/notifications/', { as: 'alice' });
  t.match(json, { count: 10 }, 'the last line put everything back');
});

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfiguration(env);
    return [];
  } catch (error) {
    if (error instanceof UserError) return error.message.split('\n');
    throw error;
  }
};

await test('defaults; empty counts as left out; values are read by their type', async (t) => {
  t.match(readConfiguration({}), { PORT: 8000, UNDERSTUDY_HOST: '127.0.0.1', UNDERSTUDY_ANONYMOUS: 'read' });
  t.match(readConfiguration({ PORT: '', DATABASE_URL: '' }), { PORT: 8000 });
  t.match(readConfiguration({ PORT: '0', UNDERSTUDY_TEMPORARY: 'true' }), { PORT: 0, UNDERSTUDY_TEMPORARY: true });
  t.ok(Object.isFrozen(readConfiguration({})));
  t.same(
    faultsOf({ HOME: '/root', PATH: '/bin', PORTS: '1', UNDERSTUDY_URL: 'x' }),
    [],
    'other variables are left alone',
  );
});

await test('all faults of a configuration are reported at once', async (t) => {
  t.same(
    faultsOf({
      PORT: '80000',
      LOG_LEVEL: 'loud',
      UNDERSTUDY_ANONYMUS: 'read',
      UNDERSTUDY_JOURNAL_BITES: '200',
      UNDERSTUDY_WORKERS: '3',
      UNDERSTUDY_MAX_SANDBOXES: '0',
      UNDERSTUDY_TRUST_PROXY: 'maybe',
      UNDERSTUDY_PUBLIC_URL: 'example.org',
    }),
    [
      'UNDERSTUDY_ANONYMUS is not a variable of this version; did you mean UNDERSTUDY_ANONYMOUS?',
      'UNDERSTUDY_JOURNAL_BITES is not a variable of this version; did you mean UNDERSTUDY_JOURNAL_BYTES?',
      'UNDERSTUDY_WORKERS is not a variable of this version (`weblate-understudy serve --help` lists them all): remove it',
      'PORT must be a port from 0 to 65535, not "80000"',
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent, not "loud"',
      'UNDERSTUDY_PUBLIC_URL must be a URL that begins with http:// or https://, not "example.org"',
      'UNDERSTUDY_TRUST_PROXY must be a number from 0 to 10, not "maybe"',
      'UNDERSTUDY_MAX_SANDBOXES must be a number from 1 to 1000000, not "0"',
    ],
  );
});

await test('a number must be written in digits', async (t) => {
  for (const text of ['1e2', '1.5', '0x10', '10abc', 'ten', '-1', ' ', '٣'])
    t.match(
      faultsOf({ UNDERSTUDY_MAX_SANDBOXES: text }),
      [/^UNDERSTUDY_MAX_SANDBOXES must be a number/],
      JSON.stringify(text),
    );
});

await test('UNDERSTUDY_TEMPORARY excludes DATABASE_URL', async (t) => {
  const faults = faultsOf({ UNDERSTUDY_TEMPORARY: 'true', DATABASE_URL: 'postgres://x/y' });
  t.match(faults, [/^UNDERSTUDY_TEMPORARY .* needs DATABASE_URL to be unset$/]);
});

await test('an error does not show a password', async (t) => {
  const faults = faultsOf({ DATABASE_URL: 'mysql://someone:hunter2@host/db' });
  t.same(faults, ['DATABASE_URL must be a URL that begins with postgres://']);
});

await test('anonymous writes need a loopback address', async (t) => {
  const faults = (host: string) => faultsOf({ UNDERSTUDY_ANONYMOUS: 'write', UNDERSTUDY_HOST: host });
  for (const host of ['127.0.0.1', '127.8.9.10', '::1', 'localhost']) t.same(faults(host), [], host);
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'localhost.example.org', '127.0.0.1.example.org', '1127.0.0.1'])
    t.match(faults(host), [/^UNDERSTUDY_ANONYMOUS=write lets anonymous clients change everything/], host);
  t.same(faultsOf({ UNDERSTUDY_ANONYMOUS: 'read', UNDERSTUDY_HOST: '0.0.0.0' }), []);
  const container = { UNDERSTUDY_ANONYMOUS: 'write', UNDERSTUDY_HOST: '0.0.0.0' };
  t.same(faultsOf({ ...container, UNDERSTUDY_BIND: '127.0.0.1' }), [], 'the port is published on loopback alone');
  t.match(faultsOf({ ...container, UNDERSTUDY_BIND: '192.0.2.1' }), [
    /a loopback UNDERSTUDY_BIND, not "192\.0\.2\.1"$/,
  ]);
});

await test('UNDERSTUDY_CORS_ORIGINS takes origins or *, and nothing else', async (t) => {
  const faults = (origins: string) => faultsOf({ UNDERSTUDY_CORS_ORIGINS: origins });
  for (const origins of ['*', 'http://localhost:5173', 'https://a.example, app://desktop'])
    t.same(faults(origins), [], origins);
  for (const origins of [
    'localhost:5173',
    'http://localhost:5173/',
    'https://a.example/app',
    '*, https://a.example',
    'https://*.example',
    'https://a.example;https://b.example',
    'null',
  ])
    t.match(faults(origins), [/^UNDERSTUDY_CORS_ORIGINS must be \* or origins such as http:/], origins);
  const writing = { UNDERSTUDY_ANONYMOUS: 'write' };
  t.match(faultsOf({ ...writing, UNDERSTUDY_CORS_ORIGINS: '*' }), [
    /^UNDERSTUDY_CORS_ORIGINS=\* lets every web page change everything/,
  ]);
  t.same(faultsOf({ ...writing, UNDERSTUDY_CORS_ORIGINS: 'http://localhost:5173' }), []);
});

await test('a misspelt name gets the nearest one as a suggestion', (t) => {
  const known = ['UNDERSTUDY_HOST', 'UNDERSTUDY_SEED', 'UNDERSTUDY_RATE_LIMIT_USER', 'documented', 'export'];
  const cases = {
    UNDERSTUDY_SEDE: 'UNDERSTUDY_SEED',
    UNDERSTUDY_RATE_LIMIT_USR: 'UNDERSTUDY_RATE_LIMIT_USER',
    UNDERSTUDY_RATELIMIT_USER: 'UNDERSTUDY_RATE_LIMIT_USER',
    UNDERSTDY_HOST: 'UNDERSTUDY_HOST',
    documnetde: 'documented',
    // Only the part after the common prefix can be a typing error.
    UNDERSTUDY_FOO: undefined,
    UNDERSTUDY_RATE_LIMIT_ALL: undefined,
    port: undefined,
  };
  for (const [word, name] of Object.entries(cases)) t.equal(findNearest(word, known), name, word);
  t.end();
});
