// The server is reachable, but fails statements: it kills them, is read-only, or has no space left.
import { type Test, test } from 'tap';
import { isUnavailable } from '../../src/database/sqlstates.ts';
import { createSeededDatabase, startService } from '../support/service.ts';
import { asAlice } from './as-alice.ts';
import { askUntil, assertUnavailable, until, withClient } from '../support/setting.ts';

const waitingStatements = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'understudy' and wait_event_type = 'Lock'`;

/** Blocks all statements on subscriptions, kills the waiting ones, and releases the lock. */
async function kill(t: Test, url: string, how: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
  await withClient(t, url, async (client) => {
    await client.query('begin');
    await client.query('lock table understudy.subscriptions in access exclusive mode');
    held.resolve();
    // A transaction keeps its first snapshot of pg_stat_activity.
    const count = async () => {
      await client.query('select pg_stat_clear_snapshot()');
      return (await client.query(waitingStatements)).rowCount;
    };
    t.ok(await until(async () => (await count()) === 2), 'a read and a write wait in the database');
    await client.query(`select ${how}(pid) from (${waitingStatements}) w`);
    if (how === 'pg_terminate_backend') t.ok(await until(async () => (await count()) === 1), 'the read was sent again');
    await client.query('rollback');
  });
}
let held = Promise.withResolvers<void>();

for (const how of ['pg_cancel_backend', 'pg_terminate_backend'] as const)
  await test(how, async (t) => {
    const databaseUrl = await createSeededDatabase(t, 'documented');
    const service = await startService(t, { databaseUrl });
    const { read, write } = asAlice(service);
    t.equal((await read()).status, 200);
    held = Promise.withResolvers<void>();
    const killed = kill(t, databaseUrl, how);
    await held.promise;
    const [reading, writing] = [read(), write()];
    await killed;
    if (how === 'pg_cancel_backend') assertUnavailable(t, await reading, 'the read');
    else t.equal((await reading).status, 200, 'the read');
    assertUnavailable(t, await writing, 'the write, in both cases');
    t.equal((await read()).status, 200, 'reads go on');
    t.equal((await write()).status, 201, 'the failed write was not committed');
  });

await test('on a read-only server reads succeed and writes are 503', async (t) => {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const service = await startService(t, { databaseUrl });
  const { read, write, ready } = asAlice(service);
  t.equal((await ready()).status, 200);
  const name = new URL(databaseUrl).pathname.slice(1);
  const set = (change: string) =>
    withClient(t, databaseUrl, async (client) => {
      await client.query('set default_transaction_read_only = off');
      await client.query(
        `alter database ${name} ${change} default_transaction_read_only ${change === 'set' ? '= on' : ''}`,
      );
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
    });
  await set('set');
  t.equal((await read()).status, 200, 'reads are served');
  assertUnavailable(t, await write(), 'a write');
  t.equal((await ready()).status, 503, 'not ready');
  await withClient(t, databaseUrl, async (client) => {
    await client.query('set default_transaction_read_only = off');
    await client.query(`alter database ${name} reset default_transaction_read_only`);
  });
  t.equal((await askUntil(201, write)).status, 201, 'writes resume, though the connection was never lost');
  t.equal((await ready()).status, 200, 'ready again');
});

await test('without disk space reads succeed', async (t) => {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const service = await startService(t, { databaseUrl });
  const { read, write } = asAlice(service);
  await withClient(t, databaseUrl, async (client) => {
    await client.query(`create function public.no_space() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger no_space before insert on understudy.subscriptions execute function public.no_space()`);
  });
  assertUnavailable(t, await write(), 'a write');
  t.equal((await read()).status, 200, 'reads go on');
  await withClient(t, databaseUrl, (client) => client.query('drop trigger no_space on understudy.subscriptions'));
  t.equal((await write()).status, 201, 'writes resume');
});

const withCode = (code: string) => Object.assign(new Error(code), { code });

await test('errors that count as unavailable', async (t) => {
  // PostgreSQL's appendix A and errno(3) list their names.
  for (const code of [
    '53100',
    '53200',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    '57014',
    '25006',
    '08006',
    '08P01',
    '58030',
    '40001',
    '40P01',
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'EPIPE',
    'ENOTFOUND',
    'EMFILE',
  ])
    t.equal(isUnavailable(withCode(code)), true, code);
  for (const code of ['23505', '23503', '22003', '42P01', '42501', 'ERR_INVALID_ARG_TYPE'])
    t.equal(isUnavailable(withCode(code)), false, code);
  t.equal(isUnavailable(new AggregateError([withCode('ECONNREFUSED')])), true, 'all addresses failed');
  t.equal(isUnavailable(new Error('Connection terminated unexpectedly')), true);
  t.equal(isUnavailable(new Error('anything')), false);
});
