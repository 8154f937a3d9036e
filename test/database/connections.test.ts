// The service's connections when they are lost, and when a statement takes too long.
import { type RawBuilder, sql } from 'kysely';
import { Client } from 'pg';
import { type Test, test } from 'tap';
import { transact } from '../../src/seeds/load/queries.ts';
import { type Service, startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const entry = { notification: 'LockNotification', scope: 0, frequency: 1 };
const unavailable = {
  type: 'server_error',
  errors: [{ code: 'service_unavailable', detail: 'Service temporarily unavailable.', attr: null }],
};

async function connectTo(t: Test, url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

const read = <R>(database: Service['database'], statement: RawBuilder<R>) =>
  database.read.executeQuery<R>(statement.compile(database.load));
/** Into the default sandbox. */
const write = <R>(database: Service['database'], statement: RawBuilder<R>) =>
  database.act('default').executeQuery<R>(statement.compile(database.load));

const findWriter = async (database: Service['database']): Promise<number> =>
  (await write(database, sql<{ pid: number }>`select pg_backend_pid() as pid`)).rows[0]?.pid ?? 0;

/** Waits until a server process sleeps, which shows that the statement has started, and ends it. */
async function endSleeping(client: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event = 'PgSleep'`,
    );
    if ((rowCount ?? 0) > 0) return;
  }
}

await test('a read whose connection is lost is sent once more, a write is not', async (t) => {
  const { database, databaseUrl } = await startService(t);
  const client = await connectTo(t, databaseUrl);
  await sql`create sequence runs`.execute(database.load);
  // Its first run is long enough to be ended; the second finds the sequence moved on.
  const statement = sql<{
    n: number;
  }>`select nextval('runs')::int as n, case when currval('runs') = 1 then pg_sleep(60) end`;
  const [{ rows }] = await Promise.all([read(database, statement), endSleeping(client)]);
  t.match(rows, [{ n: 2 }], 'the second run answered');

  await sql`alter sequence runs restart`.execute(database.load);
  await Promise.all([t.rejects(write(database, statement), { name: 'DatabaseUnavailable' }), endSleeping(client)]);
  const last = await sql<{ last_value: string }>`select last_value from runs`.execute(database.load);
  t.equal(Number(last.rows[0]?.last_value), 1, 'a write ran once');
  t.match((await write(database, sql`select 7 as n`)).rows, [{ n: 7 }], 'the next one works');
});

await test('a load has no time limit, and ends with the service', async (t) => {
  const { database, app } = await startService(t, { statementTimeoutMs: 100 });
  const load = (seconds: number) =>
    transact(database.load, undefined, (db) => sql`select pg_sleep(${seconds})`.execute(db));
  await load(2.5);
  const endless = t.rejects(load(600));
  await app.close();
  await database.close();
  await endless;
});

await test('a lost connection rejects every statement in flight once', async (t) => {
  const { database, databaseUrl } = await startService(t);
  const client = await connectTo(t, databaseUrl);
  const before = await findWriter(database);
  const lost = [1, 2, 3].map((n) => write(database, sql`select ${n}::int, pg_sleep(60)`));
  const results = Promise.allSettled(lost);
  await endSleeping(client);
  t.same(
    (await results).map((one) => (one.status === 'rejected' ? (one.reason as Error).name : one.status)),
    ['DatabaseUnavailable', 'DatabaseUnavailable', 'DatabaseUnavailable'],
  );
  t.not(await findWriter(database), before);
});

await test('clients don’t notice idle connections that are lost', async (t) => {
  const service = await startService(t);
  const client = await connectTo(t, service.databaseUrl);
  t.equal((await service.request('POST', list, { as: 'alice', json: entry })).status, 201);
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  t.equal((await service.request('GET', list)).status, 200);
  t.equal((await service.request('PATCH', `${list}1/`, { as: 'alice', json: { frequency: 3 } })).status, 200);
});

await test('a statement that takes too long is answered 503, and others go on', async (t) => {
  const service = await startService(t, { statementTimeoutMs: 200 });
  const client = await connectTo(t, service.databaseUrl);
  await client.query('begin');
  await client.query('lock table understudy.subscriptions in access exclusive mode');
  for (const [method, path, ask] of [
    ['GET', list, {}],
    ['POST', list, { as: 'alice', json: entry }],
    ['DELETE', `${list}1/`, { as: 'alice' }],
  ] as const) {
    const { status, headers, json } = await service.request(method, path, ask);
    t.same([status, json], [503, unavailable], method);
    t.match(headers['retry-after'], /^\d+$/);
  }
  t.equal((await service.request('GET', '/_understudy/health/ready')).status, 200, 'statements on other tables go on');
  await client.query('rollback');
  t.equal((await service.request('GET', list)).status, 200);
  t.match((await service.request('GET', list)).json, { count: 10 }, 'nothing was written or deleted');
});

await test('a slow read delays no list and no health', async (t) => {
  const service = await startService(t);
  let isOver = false;
  const slow = read(service.database, sql`select pg_sleep(1.5)`).then(() => (isOver = true));
  const others = [list, '/_understudy/health/ready', '/healthz/'].map((path) => service.request('GET', path));
  t.same(
    (await Promise.all(others)).map(({ status }) => status),
    [200, 200, 200],
  );
  t.equal(isOver, false, 'they were answered first');
  await slow;
});
