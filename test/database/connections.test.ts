// The service's connections when they are lost or slow, and requests that share a statement.
import { setImmediate as turn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { Client } from 'pg';
import { test, type Test } from 'tap';
import { type BatchOptions, shareStatements } from '../../src/database/batch.ts';
import { transact } from '../../src/seeds/load/queries.ts';
import { type Service, startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const entry = { notification: 'LockNotification', scope: 0, frequency: 1 };
const unavailable = {
  type: 'server_error',
  errors: [
    {
      code: 'service_unavailable',
      detail: 'Service temporarily unavailable: the database did not answer.',
      attr: null,
    },
  ],
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

await test('new sandboxes are copied without triggers where the role may, and nothing else is', async (t) => {
  const first = await startService(t);
  const { databaseUrl } = first;
  await first.request('PUT', '/_understudy/sandboxes/source');
  const client = await connectTo(t, databaseUrl);
  const role = `plain_${process.pid}`;
  await client.query(`create role ${role} login password 'secret'`);
  t.teardown(async () => {
    const last = await connectTo(t, databaseUrl);
    await last.query(`drop owned by ${role}; drop role ${role}`);
  });
  await client.query(`grant usage on schema understudy to ${role};
    grant all on all tables in schema understudy to ${role}; grant all on all sequences in schema understudy to ${role};
    create table public.runs (of text); grant all on public.runs to ${role};
    create function public.note() returns trigger language plpgsql as
      $$ begin insert into public.runs values (tg_op); return null; end $$;
    create trigger probe after insert or delete on understudy.users for each statement execute function public.note()`);
  const plain = new URL(databaseUrl);
  Object.assign(plain, { username: role, password: 'secret' });
  for (const [url, whenMade, grant] of [
    [databaseUrl, [], undefined],
    [plain.href, ['INSERT'], `grant set on parameter session_replication_role to ${role};`],
  ] as const) {
    const service = await startService(t, { databaseUrl: url });
    t.equal(await service.database.findGrant(), grant);
    const runs = async () =>
      (
        await client.query<{ of: string }>('with gone as (delete from public.runs returning of) select of from gone')
      ).rows.map((row) => row.of);
    // No copy waits of what isn't a template.
    const send = async (method: string, below = '', json = { from: 'source' }) =>
      (await service.request(method, `/_understudy/sandboxes/job${below}`, method === 'PUT' ? { json } : {})).status;
    t.equal(await send('PUT'), 201);
    t.same(new Set(await runs()), new Set(whenMade), 'made');
    const others = `select u.* from understudy.users u join understudy.sandboxes s on s.id = u.sandbox_id where s.name = `;
    for (const way of ['PUT', 'POST'] as const) {
      await client.query(`delete from understudy.users u using understudy.sandboxes s
        where s.id = u.sandbox_id and s.name = 'job' and u.username = 'alice'`);
      await runs();
      t.ok((await send(way, way === 'PUT' ? '' : '/reset')) < 300, 'replaced or reset');
      t.same(new Set(await runs()), new Set(['DELETE', 'INSERT']), 'with triggers');
      t.equal((await client.query(`${others}'job'`)).rowCount, (await client.query(`${others}'default'`)).rowCount);
    }
    t.equal(await send('DELETE'), 204);
    t.same(new Set(await runs()), new Set(['DELETE']), 'deleted with triggers');
    const orphans = await client.query(`select from understudy.subscriptions x
      where not exists (select from understudy.users u where u.sandbox_id = x.sandbox_id and u.id = x.user_id)`);
    t.equal(orphans.rowCount, 0);
  }
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
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
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
  const holder = await connectTo(t, service.databaseUrl);
  await holder.query('select pg_advisory_lock(1)');
  const slow = read(service.database, sql`select pg_advisory_xact_lock_shared(1)`);
  const others = [list, '/_understudy/health/ready', '/healthz/'].map((path) => service.request('GET', path));
  t.same(
    (await Promise.all(others)).map(({ status }) => status),
    [200, 200, 200],
    'they are answered first',
  );
  await holder.query('select pg_advisory_unlock(1)');
  await slow;
});

/** A sender whose batches wait for the test; the result of a request is the request. */
function heldSender() {
  const sent: { requests: number[]; answer: () => void; fail: (error: unknown) => void }[] = [];
  const send = (requests: number[]) =>
    new Promise<number[]>((resolve, reject) => sent.push({ requests, answer: () => resolve(requests), fail: reject }));
  return { sent, send };
}

/** Answers each batch in a turn of its own, until this many requests were sent. */
async function answerAll(sent: ReturnType<typeof heldSender>['sent'], requests: number): Promise<number[][]> {
  const batches: number[][] = [];
  while (batches.flat().length < requests) {
    await turn();
    const batch = sent.shift();
    if (batch === undefined) continue;
    batches.push(batch.requests);
    batch.answer();
  }
  return batches;
}

const plain: Omit<BatchOptions<number, number>, 'send'> = { weigh: () => 1 };

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

await test('two batches are in flight, and requests that arrive meanwhile form the next, in order', async (t) => {
  const { sent, send } = heldSender();
  const ask = shareStatements({ ...plain, send });
  const answers = range(1, 20).map((n) => ask(n));
  await turn();
  t.same(
    sent.map(({ requests }) => requests),
    [[1], range(2, 13)],
  );
  answers.push(ask(21));
  await turn();
  t.equal(sent.length, 2, 'not more than two');
  sent[1]?.answer();
  t.same(await Promise.all(answers.slice(1, 13)), range(2, 13), 'the second needn’t wait for the first');
  t.same(sent[2]?.requests, range(14, 21));
  sent[0]?.answer();
  sent[2]?.answer();
  t.same(await Promise.all(answers), range(1, 21), 'each gets its own answer');
});

await test('the first request is always admitted, the others while their weights fit', async (t) => {
  const { sent, send } = heldSender();
  const ask = shareStatements({ ...plain, send, weigh: (n) => n, maxWeight: 10, maxInFlight: 1 });
  const answers = [50, 3, 3, 3, 3, 10, 1].map((n) => ask(n));
  t.same(await answerAll(sent, answers.length), [[50], [3, 3, 3], [3], [10], [1]]);
  t.same(await Promise.all(answers), [50, 3, 3, 3, 3, 10, 1]);
});

await test('a long queue makes batches twice as large', async (t) => {
  const { sent, send } = heldSender();
  const ask = shareStatements({ ...plain, send, maxRequests: 2, maxInFlight: 1 });
  const answers = range(1, 9).map((n) => ask(n));
  t.same(await answerAll(sent, answers.length), [[1], [2, 3, 4, 5], [6, 7], [8, 9]]);
  t.same(await Promise.all(answers), range(1, 9));
});

async function settle(t: Test, code: string): Promise<{ results: string[]; batches: number[][] }> {
  const batches: number[][] = [];
  const ask = shareStatements<number, number>({
    weigh: () => 1,
    send: async (requests) => {
      batches.push(requests);
      if (requests.includes(13)) throw Object.assign(new Error('unlucky'), { code });
      return requests;
    },
  });
  const settled = await Promise.allSettled([10, 11, 12, 13, 14].map((n) => ask(n)));
  t.equal(await ask(15), 15, 'the next one goes on');
  return {
    results: settled.map((one) => (one.status === 'fulfilled' ? `${one.value}` : `${one.reason.message}`)),
    batches,
  };
}

await test('one bad request fails alone', async (t) => {
  t.same(await settle(t, '22003'), {
    results: ['10', '11', '12', 'unlucky', '14'],
    batches: [[10], [11, 12, 13, 14], [11], [12], [13], [14], [15]],
  });
});

await test('an error that no request caused fails them all, and nothing is sent again', async (t) => {
  t.same(await settle(t, '57014'), {
    results: ['10', 'unlucky', 'unlucky', 'unlucky', 'unlucky'],
    batches: [[10], [11, 12, 13, 14], [15]],
  });
});

await test('what a database sets for its sessions does not change the isolation', async (t) => {
  const first = await startService(t);
  const client = await connectTo(t, first.databaseUrl);
  const name = client.escapeIdentifier(new URL(first.databaseUrl).pathname.slice(1));
  await client.query(`alter database ${name} set default_transaction_isolation = 'repeatable read'`);
  const { database } = await startService(t, { databaseUrl: first.databaseUrl });
  const isolation = sql<{ level: string }>`select current_setting('transaction_isolation') as level`;
  const levels = await Promise.all([
    read(database, isolation),
    write(database, isolation),
    isolation.execute(database.load),
  ]);
  t.same(
    levels.map(({ rows }) => rows[0]?.level),
    Array.from(levels, () => 'read committed'),
  );
});
