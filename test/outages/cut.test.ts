// A connection is lost: reads are sent once more, writes never.
import { sql } from 'kysely';
import { test } from 'tap';
import { aNotification, assertUnavailable, list, startBehindProxy, withClient } from '../support/setting.ts';

const entry = { as: 'alice', json: aNotification };

await test('a connection that is lost between two requests is replaced', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200);
  t.equal((await service.request('POST', list, entry)).status, 201);
  proxy.cut();
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200);
  t.equal((await service.request('POST', list, { ...entry, json: { ...aNotification, scope: 20 } })).status, 201);
});

await test('a read whose answer is lost is sent once more', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  t.equal((await service.request('GET', list, { as: 'alice' })).status, 200);
  proxy.answersToLose = 1;
  const answers = await Promise.all(Array.from({ length: 40 }, () => service.request('GET', list, { as: 'alice' })));
  t.ok(answers.every(({ status }) => status === 200));
  t.equal(proxy.answersToLose, 0, 'an answer was lost');
});

await test('a write whose answer is lost is done once and reported as failed', async (t) => {
  const { proxy, service, directUrl } = await startBehindProxy(t);
  // Sequences count what is rolled back as well.
  await withClient(t, directUrl, async (client) => {
    await client.query(`create sequence public.attempts;
      create function public.count_attempt() returns trigger language plpgsql as $$
        begin perform nextval('public.attempts'); return null; end $$;
      create trigger attempts before insert or update on understudy.subscriptions
        for each statement execute function public.count_attempt()`);
  });
  t.equal((await service.request('POST', list, { ...entry, json: { ...aNotification, scope: 20 } })).status, 201);
  proxy.answersToLose = 1;
  assertUnavailable(t, await service.request('POST', list, entry), 'a lost answer');
  const { attempts, rows } = await withClient(t, directUrl, async (client) => {
    const { rows: counted } = await client.query(`select last_value::int as attempts from public.attempts`);
    const { rows: found } = await client.query(
      `select from understudy.subscriptions x join understudy.users u on u.sandbox_id = x.sandbox_id and u.id = x.user_id
       where u.username = 'alice' and x.notification = $1 and x.scope = 10`,
      [aNotification.notification],
    );
    return { attempts: counted[0].attempts, rows: found.length };
  });
  t.equal(attempts, 2, 'sent once each');
  t.equal(rows, 1, 'and it was done');
  t.match(await service.request('POST', list, entry), { status: 400 }, 'the retry shows it');
});

await test('many clients lose no acknowledged write while connections are cut all the time', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  const cutter = setInterval(() => proxy.cut(), 15);
  t.teardown(() => clearInterval(cutter));
  const acknowledged = new Set<number>();
  const statuses = new Set<number>();
  const notifications = ['MentionCommentNotificaton', 'NewStringNotificaton', 'RepositoryNotification'];
  await Promise.all(
    ['bob', 'carol', 'dave', 'erin'].map(async (as) => {
      const own = `/api/users/${as}/notifications/`;
      for (const notification of notifications)
        for (const scope of [0, 10, 20]) {
          const { status, json } = await service.request('POST', own, {
            as,
            json: { notification, scope, frequency: 1 },
          });
          statuses.add(status);
          if (status === 201) acknowledged.add((json as { id: number }).id);
          statuses.add((await service.request('GET', own, { as })).status);
        }
    }),
  );
  clearInterval(cutter);
  t.ok(
    [...statuses].every((status) => [200, 201, 400, 503].includes(status)),
    [...statuses].join(' '),
  );
  const { rows } = await withClient(t, service.databaseUrl, (client) =>
    client.query<{ id: number }>('select id from understudy.subscriptions'),
  );
  const there = new Set(rows.map(({ id }) => id));
  t.ok(
    [...acknowledged].every((id) => there.has(id)),
    'every acknowledged write is there',
  );
});

await test('a transaction whose connection is cut fails, and the next one succeeds', async (t) => {
  const { proxy, service } = await startBehindProxy(t);
  const { load: pool } = service.database;
  await t.rejects(
    pool.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      const slow = sql`select pg_sleep(30)`.execute(transaction);
      setTimeout(() => proxy.cut(), 50);
      await slow;
    }),
    'it fails',
  );
  t.equal((await sql`select 1`.execute(pool)).rows.length, 1, 'and the process serves the next one');
});
