// Through PgBouncer in transaction mode: with named statements from 1.21 on, without them before.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { createTestDatabase } from '../support/database.ts';
import { portOf, throughPort, until, withClient } from '../outages/setting.ts';
import { startLoad } from './load.ts';
import { findFreePort, findProgram, runServer, startProcess } from './processes.ts';

const pgbouncer = findProgram('pgbouncer');
const skip = pgbouncer === undefined && 'pgbouncer is not installed';
const total = (statuses: Map<number, number>) => [...statuses.values()].reduce((sum, count) => sum + count, 0);

/** Whether this PgBouncer can hold prepared statements. */
function holdsStatements(): boolean {
  const [, major = '0', minor = '0'] =
    /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(pgbouncer as string, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** A PgBouncer that doesn't run as root, before the database at `url`. */
async function startPooler(t: Test, url: string): Promise<string> {
  const { hostname, pathname, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'understudy-pgbouncer-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const database = pathname.slice(1);
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  // The file that ships, with our addresses.
  const shipped = readFileSync(join(import.meta.dirname, '../../deploy/pgbouncer/pgbouncer.ini'), 'utf8');
  const ours = shipped
    .replace(/^understudy = .*$/m, `${database} = host=${hostname} port=${portOf(url)} user=${username}${secret}`)
    .replace('listen_addr = 0.0.0.0', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('max_prepared_statements = 200', holdsStatements() ? 'max_prepared_statements = 200' : '');
  writeFileSync(join(folder, 'pgbouncer.ini'), ours);
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

await test('two services that start at once, migrate, seed and serve', { skip }, async (t) => {
  const databaseUrl = await createTestDatabase(t);
  const url = await startPooler(t, databaseUrl);
  const env = { PORT: '0', DATABASE_URL: url, UNDERSTUDY_PREPARED_STATEMENTS: String(holdsStatements()) };
  const services = await Promise.all([startProcess(t, env), startProcess(t, env)]);
  const loads = await Promise.all(services.map((service) => startLoad(service.url)));
  t.ok(await until(() => loads.every(({ statuses }) => total(statuses) > 500)), 'requests go on');
  await Promise.all(loads.map((load) => load.stop()));
  for (const { statuses, faults } of loads) t.same(faults, [], JSON.stringify([...statuses]));
  const { rows } = await withClient(t, databaseUrl, (client) =>
    client.query<{ id: number }>('select id from understudy.subscriptions'),
  );
  const there = new Set(rows.map(({ id }) => id));
  for (const { acknowledged } of loads)
    t.ok(
      [...acknowledged.keys()].every((id) => there.has(id)),
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
