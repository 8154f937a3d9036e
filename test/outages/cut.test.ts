// A connection is lost: reads are sent once more, writes never.
import { sql } from 'kysely';
import { test } from 'tap';
import { asAlice } from './as-alice.ts';
import { aNotification, assertUnavailable, startBehindProxy, withClient } from '../support/setting.ts';

await test('a connection that is lost between two requests is replaced', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  const { read, write } = asAlice(service);
  t.equal((await read()).status, 200);
  t.equal((await write()).status, 201);
  proxy.cut();
  t.equal((await read()).status, 200);
  t.equal((await write({ scope: 20 })).status, 201);
});

await test('a read whose answer is lost is sent once more', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  const { read } = asAlice(service);
  t.equal((await read()).status, 200);
  proxy.answersToLose = 1;
  const answers = await Promise.all(Array.from({ length: 40 }, read));
  t.ok(answers.every(({ status }) => status === 200));
  t.equal(proxy.answersToLose, 0, 'an answer was lost');
});

await test('a write whose answer is lost is done once and reported as failed', async (t) => {
  const { proxy, service, directUrl } = await startBehindProxy(t);
  const { write } = asAlice(service);
  // A sequence also counts statements that are rolled back.
  await withClient(t, directUrl, async (client) => {
    await client.query(`create sequence public.attempts;
      create function public.count_attempt() returns trigger language plpgsql as $$
        begin perform nextval('public.attempts'); return null; end $$;
      create trigger attempts before insert or update on understudy.subscriptions
        for each statement execute function public.count_attempt()`);
  });
  t.equal((await write({ scope: 20 })).status, 201);
  proxy.answersToLose = 1;
  assertUnavailable(t, await write(), 'a lost answer');
  const { attempts, rows } = await withClient(t, directUrl, async (client) => {
    const { rows: counted } = await client.query(`select last_value::int as attempts from public.attempts`);
    const { rows: found } = await client.query(
      `select from understudy.subscriptions x join understudy.users u on u.sandbox_id = x.sandbox_id and u.id = x.user_id
       where u.username = 'alice' and x.notification = $1 and x.scope = 10`,
      [aNotification.notification],
    );
    return { attempts: counted[0].attempts, rows: found.length };
  });
  t.equal(attempts, 2, 'each write was sent once');
  t.equal(rows, 1, 'the write was done');
  t.match(await write(), { status: 400 }, 'a retry shows that the write was done');
});

await test('a transaction whose connection is cut fails, and the next one succeeds', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  const { load: pool } = service.database;
  await t.rejects(
    pool.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      proxy.answersToLose = 1;
      await sql`select 1`.execute(transaction);
    }),
    'it fails',
  );
  t.equal((await sql`select 1`.execute(pool)).rows.length, 1, 'the next statement succeeds');
});
