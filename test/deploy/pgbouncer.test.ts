// The service behind PgBouncer in transaction mode: with named statements from version 1.21 on, without them before.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { createTestDatabase } from '../support/database.ts';
import { startCommand, startServing } from '../support/process.ts';
import { portOf, throughPort, until, withClient } from '../outages/setting.ts';
import { readEntries, startLoad } from './load.ts';
import { findFreePort, findProgram, runServer } from './programs.ts';

const pgbouncer = findProgram('pgbouncer');
const skip = pgbouncer === undefined && 'pgbouncer is not installed';
const total = (statuses: Map<number, number>) => [...statuses.values()].reduce((sum, count) => sum + count, 0);

/** Whether this version of PgBouncer supports prepared statements. */
function holdsStatements(): boolean {
  const [, major = '0', minor = '0'] =
    /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(pgbouncer as string, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** Starts PgBouncer, unprivileged, in front of the database at `url`. `change` edits its configuration. */
async function startPooler(t: Test, url: string, change = (ini: string) => ini): Promise<string> {
  const { hostname, pathname, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'understudy-pgbouncer-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const database = pathname.slice(1);
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  // The shipped file with our addresses.
  const shipped = readFileSync(join(import.meta.dirname, '../../deploy/pgbouncer/pgbouncer.ini'), 'utf8');
  const ours = shipped
    .replace(/^understudy = .*$/m, `${database} = host=${hostname} port=${portOf(url)} user=${username}${secret}`)
    .replace('listen_addr = 0.0.0.0', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('max_prepared_statements = 200', holdsStatements() ? 'max_prepared_statements = 200' : '');
  writeFileSync(join(folder, 'pgbouncer.ini'), change(ours));
  const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
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

/** The exit code and messages of a service that refuses to start. */
async function refusedStart(t: Test, databaseUrl: string): Promise<{ code: number | string; said: string }> {
  const env = { PORT: '0', DATABASE_URL: databaseUrl, UNDERSTUDY_PREPARED_STATEMENTS: 'false' };
  const { ended, said } = startCommand(t, ['serve'], env);
  return { code: await ended, said: said.stderr };
}

/** Sets what the role's sessions in this database need behind PgBouncer. */
async function setForRole(t: Test, databaseUrl: string, lines: string): Promise<void> {
  await withClient(t, databaseUrl, (client) => client.query(lines));
}

await test('settings that a pooler drops: the start fails with instructions', { skip }, async (t) => {
  const databaseUrl = await createTestDatabase(t);
  const strict = (ini: string) => ini.replace(/^ignore_startup_parameters.*$/m, '');
  const refused = await refusedStart(t, await startPooler(t, databaseUrl, strict));
  t.match(refused, { code: 2, said: /pgbouncer\.ini[^]*ignore_startup_parameters = options/ });

  const dropped = await refusedStart(t, await startPooler(t, databaseUrl));
  t.equal(dropped.code, 2, dropped.said);
  const lines = dropped.said.match(/alter role .*;/g) ?? [];
  for (const name of ['plan_cache_mode', 'enable_seqscan', 'statement_timeout', 'lock_timeout'])
    t.ok(
      lines.some((line) => line.includes(` set ${name} = `)),
      `a line for ${name}`,
    );
  await setForRole(t, databaseUrl, lines.join('\n'));
  const service = await startServing(t, {
    DATABASE_URL: await startPooler(t, databaseUrl),
    UNDERSTUDY_PREPARED_STATEMENTS: String(holdsStatements()),
  });
  t.equal(await service.end(), 0, 'with the lines as printed it starts');
});

await test('two services that start at once, migrate, seed and serve', { skip }, async (t) => {
  const databaseUrl = await createTestDatabase(t);
  const shipped = readFileSync(join(import.meta.dirname, '../../deploy/pgbouncer/role.sql'), 'utf8');
  const { username, pathname } = new URL(databaseUrl);
  const owner = `role "${username}" in database "${pathname.slice(1)}"`;
  await setForRole(t, databaseUrl, shipped.replaceAll('role understudy', owner));
  const url = await startPooler(t, databaseUrl);
  const env = { DATABASE_URL: url, UNDERSTUDY_PREPARED_STATEMENTS: String(holdsStatements()) };
  const services = await Promise.all([startServing(t, env), startServing(t, env)]);
  const loads = await Promise.all(services.map((service) => startLoad(service.url)));
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
