// The service as a process: what it prints when it starts, and when it refuses to start.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { t as file, test } from 'tap';
import { databaseOf } from '../../src/service/process/service-file.ts';
import { openForCommand } from '../../src/cli/sessions/open-database.ts';
import { startEmbedded } from '../../packaging/start-embedded.ts';
import { makeScratch, query } from '../support/postgres-folders.ts';
import { migrateToLatest } from '../../src/database/migrator.ts';
import { createTestDatabase } from '../support/database.ts';
import { startCommand, startServing } from '../support/process.ts';
import { createSeededDatabase } from '../support/service.ts';

// Processes take their time to start where many do.
file.setTimeout(180_000);

const list = '/api/users/alice/notifications/';
const authorization = 'Token wlu_alice_public_sample_token_0000000000';

async function countOf(url: string): Promise<number> {
  const answer = await fetch(`${url}${list}`);
  const { count } = (await answer.json()) as { count: number };
  return count;
}

await test('two services start at once on one fresh database', async (t) => {
  const env = { DATABASE_URL: await createTestDatabase(t) };
  const services = await Promise.all([startServing(t, env), startServing(t, env)]);
  for (const { url, said } of services) {
    t.equal(await countOf(url), 10);
    t.equal((await fetch(`${url}/_understudy/health/ready`)).status, 200);
    t.notMatch(said.stderr, /was not loaded/);
  }
});

await test('a start with another seed than the database was filled with says what it did not do', async (t) => {
  const { url, said } = await startServing(t, {
    DATABASE_URL: await createSeededDatabase(t, 'documented'),
    UNDERSTUDY_SEED: 'empty',
  });
  t.match(said.stderr, /^the seed empty was not loaded: .* to replace it: weblate-understudy seed --replace empty$/m);
  t.equal(await countOf(url), 10);
});

await test('a second service waits for the first, which fills the database', async (t) => {
  const env = { DATABASE_URL: await createTestDatabase(t), UNDERSTUDY_POOL_SIZE: '2' };
  const ask = (text: string) => query(env.DATABASE_URL, text);
  await migrateToLatest(env.DATABASE_URL);
  await ask('create table public.opened ()');
  await ask(`create function pause() returns trigger language plpgsql as
    $$ begin while not exists (select from public.opened) loop perform pg_sleep(0.01); end loop; return null; end $$`);
  await ask('create trigger pause after insert on understudy.users execute function pause()');
  const ofService = `from pg_stat_activity where datname = current_database() and application_name = 'understudy'`;

  const stopped = startCommand(t, ['serve'], { ...env, PORT: '0' });
  while ((await ask(`select pid ${ofService} and wait_event = 'PgSleep'`)).length === 0);
  t.equal(await stopped.end(), 0);
  // An unfinished statement would keep its locks.
  while ((await ask(`select pid ${ofService}`)).length > 0);

  const open = (said: string) => void (said.includes('waiting: another') && ask('insert into opened default values'));
  const services = await Promise.all([startServing(t, env, open), startServing(t, env, open)]);
  for (const { url } of services) t.equal(await countOf(url), 10);
  const said = services.map((service) => service.said.stderr).join('');
  t.equal(said.match(/^waiting: another service is filling this database$/gm)?.length, 1);
  t.notMatch(said, 'waiting for PostgreSQL');
});

await test('prints its URL, its database and two lines to copy, but no password', async (t) => {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const given = new URL(databaseUrl);
  // The embedded server asks for none.
  given.password ||= 'unasked-hunter2';
  const { password } = given;
  const { url, said, child, ended } = await startServing(t, { DATABASE_URL: given.href });
  t.match(said.stderr, ` on ${url}, data in PostgreSQL at ${databaseOf({ DATABASE_URL: databaseUrl })}\n`);
  t.match(said.stderr, '\nThe console and the control API are open on this machine, and closed behind a proxy.\n');
  t.match(said.stderr, `\n  curl ${url}${list}\n  curl -H 'Authorization: ${authorization}' ${url}${list}\n`);
  const lines = [...said.stderr.matchAll(/^ {2}curl (?:-H '([^:]+): ([^']+)' )?(\S+)$/gm)];
  t.equal(lines.length, 2);
  for (const [, name, value, address = ''] of lines) {
    const answer = await fetch(address, name === undefined ? {} : { headers: { [name]: value ?? '' } });
    t.equal(answer.status, 200, address);
  }
  child.kill('SIGTERM');
  t.equal(await ended, 0);
  // The password alone may be a word of other names, such as Testcontainers' `test`.
  t.notMatch(said.stdout + said.stderr, new RegExp(`[:=]${RegExp.escape(password)}(?!\\w)`));
});

await test('one warning of public tokens that other machines may use, and one of a short admin token', async (t) => {
  const env = { DATABASE_URL: await createSeededDatabase(t, 'documented') };
  const warningsOf = async (more: Record<string, string>) =>
    (await startServing(t, { ...env, ...more })).said.stderr.split('\n').filter((line) => line.startsWith('warning: '));
  const away = { UNDERSTUDY_HOST: '0.0.0.0' };
  t.match(await warningsOf({ UNDERSTUDY_ADMIN_TOKEN: 'hunter22' }), [
    /^warning: UNDERSTUDY_ADMIN_TOKEN has 8 characters/,
  ]);
  t.same(await warningsOf({ UNDERSTUDY_ADMIN_TOKEN: 'a-token-of-16-ch' }), []);
  t.match(await warningsOf(away), [/tokens of the sample users are public.* 0\.0\.0\.0 .*UNDERSTUDY_SEED/]);
  t.same(await warningsOf({}), []);
  const own = join(t.testdir({ 'own.yaml': 'users: [{ username: alice }]' }), 'own.yaml');
  t.same(await warningsOf({ ...away, UNDERSTUDY_SEED: own }), []);
});

await test('a missing seed is refused before anything is started', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  const advice: [string, string][] = [
    ['documentd', 'no seed "documentd"; did you mean "documented"?'],
    ['team', 'no seed "team"; shipped seeds: documented, empty; name a file by its path, such as ./team.yaml'],
    ['/nowhere/team.yaml', 'there is no file /nowhere/team.yaml'],
    [tmpdir(), `${tmpdir()} is a folder; name a file in it`],
  ];
  for (const [name, why] of advice) {
    const { ended, said } = startCommand(t, ['serve'], {
      PORT: '0',
      UNDERSTUDY_SEED: name,
      UNDERSTUDY_DATA_DIR: dataDir,
    });
    t.equal(await ended, 78, name);
    t.equal(said.stderr, `serve: UNDERSTUDY_SEED: ${why}\n`);
  }
  t.notOk(existsSync(dataDir));
});

await test('data of another PostgreSQL is refused, with the commands that move them', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  mkdirSync(join(dataDir, 'cluster'), { recursive: true });
  writeFileSync(join(dataDir, 'cluster', 'PG_VERSION'), '17\n');
  writeFileSync(join(dataDir, 'cluster.whole'), '');
  writeFileSync(join(dataDir, 'understudy.lock'), '');
  for (const [args, code] of [
    [['serve'], 78],
    [['migrate'], 78],
    [['generate', '--users', '1'], 2],
  ] as const) {
    const { ended, said } = startCommand(t, args, { PORT: '0', UNDERSTUDY_DATA_DIR: dataDir });
    t.equal(await ended, code);
    for (const line of [
      `${dataDir} holds data of PostgreSQL 17, and this version of Understudy brings PostgreSQL 18.`,
      `  UNDERSTUDY_DATA_DIR=${dataDir} weblate-understudy export > seed.yaml`,
      `  mv ${dataDir} ${dataDir}.postgresql-17`,
      `  UNDERSTUDY_DATA_DIR=${dataDir} weblate-understudy migrate`,
      `  UNDERSTUDY_DATA_DIR=${dataDir} weblate-understudy seed --replace seed.yaml`,
    ])
      t.match(said.stderr, `${line}\n`);
    t.notMatch(said.stderr, /^ +at /m, 'no stack trace');
  }
});

await test('a command whose migration fails ends the server that it has started', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  const first = await startEmbedded({ dataDir });
  await query(first.url, 'create schema understudy');
  await query(first.url, 'create table understudy.foreign_table ()');
  await first.stop();
  const io = { env: {}, signal: new AbortController().signal, note: () => undefined };
  await t.rejects(openForCommand({ 'data-dir': dataDir }, io), {
    message: /schema named "understudy"/,
  });
  t.notOk(existsSync(join(dataDir, 'cluster', 'postmaster.pid')), 'PostgreSQL has ended');
});

await test('V8 gets its flag, the same here and in the package', async (t) => {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const { child } = await startServing(t, { DATABASE_URL: databaseUrl });
  const flag = '--heap-growing-percent=30';
  const root = join(import.meta.dirname, '../..');
  t.match(readFileSync(join(root, 'src/cli/understudy.ts'), 'utf8'), `setFlagsFromString('${flag}');`);
  if (process.platform === 'linux')
    t.strictSame(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0').slice(1, 2), [flag]);
});
