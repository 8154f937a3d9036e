// The service behind PgBouncer in transaction mode, which supports prepared statements from version 1.21 on.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { getServerAccount } from '../../src/postgres/account.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeScratch } from '../support/postgres-folders.ts';
import { startCommand, startServing } from '../support/process.ts';
import { throughPort, until, withClient } from '../support/setting.ts';
import { readEntries, startLoad } from './load.ts';
import { findFreePort, findProgram, runServer } from '../support/programs.ts';

const pgbouncer = findProgram('pgbouncer');
const skip = (pgbouncer === undefined || !holdsStatements(pgbouncer)) && 'PgBouncer 1.21 or newer is not installed';
const total = (statuses: Map<number, number>) => [...statuses.values()].reduce((sum, count) => sum + count, 0);

function holdsStatements(program: string): boolean {
  const [, major, minor] =
    /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** Starts PgBouncer, unprivileged, in front of the database at `url`. */
async function startPooler(t: Test, url: string, ...further: string[]): Promise<string> {
  const { hostname, port: serverPort, pathname, username, password, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  const folder = makeScratch(t);
  const port = await findFreePort();
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  const lines = [
    '[databases]',
    `${pathname.slice(1)} = host=${host} port=${serverPort || 5432} user=${username}${secret}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'max_prepared_statements = 200',
    ...further,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'));
  // Only the account of the embedded server may use its socket.
  const account = getServerAccount();
  const unprivileged = process.getuid?.() === 0 ? { uid: account.uid, gid: account.gid } : {};
  runServer(t, pgbouncer as string, [join(folder, 'pgbouncer.ini')], unprivileged);
  const through = throughPort(url, port);
  await until(() =>
    withClient(t, through, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    ),
  );
  return through;
}

/** The messages of a service that exits with 78. */
async function refusedStart(t: Test, databaseUrl: string): Promise<string> {
  const { ended, said } = startCommand(t, ['serve'], { PORT: '0', DATABASE_URL: databaseUrl });
  t.equal(await ended, 78, said.stderr);
  return said.stderr;
}

await test('a start says what to set; then two services migrate, seed and serve at once', { skip }, async (t) => {
  const databaseUrl = await createTestDatabase(t);
  const ignored = 'ignore_startup_parameters = options,extra_float_digits';
  t.match(await refusedStart(t, await startPooler(t, databaseUrl)), `pgbouncer.ini set:\n  ${ignored}\n`);
  const lines = (await refusedStart(t, await startPooler(t, databaseUrl, ignored))).match(/alter role .*;/g) ?? [];
  for (const name of ['plan_cache_mode', 'enable_seqscan', 'statement_timeout', 'lock_timeout'])
    t.match(lines.join('\n'), ` set ${name} = `);
  await withClient(t, databaseUrl, (client) => client.query(lines.join('\n')));

  const env = { DATABASE_URL: await startPooler(t, databaseUrl, ignored) };
  const services = await Promise.all([startServing(t, env), startServing(t, env)]);
  const loads = await Promise.all(services.map((service) => startLoad(t, service.url)));
  t.ok(await until(() => loads.every(({ statuses }) => total(statuses) > 500)), 'requests go on');
  await Promise.all(loads.map((load) => load.stop()));
  for (const { statuses, faults } of loads) t.same(faults, [], JSON.stringify([...statuses]));
  const there = await readEntries(t, databaseUrl);
  for (const { acknowledged } of loads)
    t.ok(
      [...acknowledged.keys()].every((entry) => there.has(entry)),
      'acknowledged writes are there',
    );
  t.same(await Promise.all(services.map((service) => service.end())), [0, 0]);
  const countLocks = async () =>
    withClient(t, databaseUrl, async (client) => {
      const { rowCount } = await client.query(
        `select from pg_locks where locktype = 'advisory'
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rowCount;
    });
  t.ok(await until(async () => (await countLocks()) === 0), 'no lock stays with a pooled connection');
});
