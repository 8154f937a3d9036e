// docs/how-to/load-seeds.md, and the ids that rows get from SQL alone.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { test } from 'tap';
import { command as sqlCommand } from '../../src/cli/commands/sql.ts';
import { runCommand } from '../support/run-command.ts';
import { openMigrated, select } from '../support/sandbox-database.ts';

const document = join(import.meta.dirname, '../../docs/how-to/load-seeds.md');

await test('the statements of docs/how-to/load-seeds.md work in their order', async (t) => {
  const { db, url } = await openMigrated(t);
  const text = await readFile(document, 'utf8');
  const blocks = [...text.matchAll(/```sql\n(.*?)```/gs)].map((match) => match[1] ?? '');
  t.ok(blocks.length >= 7);
  for (const block of blocks) {
    const file = join(t.testdir({ 'block.sql': block }), 'block.sql');
    t.match(await runCommand(sqlCommand, [file, '--database-url', url]), { code: 0 }, block);
  }

  t.strictSame(await select(db, 'select id, username from understudy.users where sandbox_id = 1 order by id'), [
    { id: 1, username: 'ada' },
    { id: 2, username: 'grace' },
    { id: 3, username: 'root' },
    { id: 4, username: 'punctual' },
    { id: 1000, username: 'thousand' },
    { id: 1001, username: 'next' },
  ]);
  const joined = `select username from understudy.users where date_joined = '2026-01-02T03:04:05Z'`;
  t.same(await select(db, joined), [{ username: 'punctual' }]);
  t.strictSame(
    await select(
      db,
      `select s.id, u.username, s.notification, s.scope, s.project, s.component from understudy.subscriptions s
       join understudy.users u using (sandbox_id) where u.id = s.user_id and sandbox_id = 1 and s.scope >= 30 order by s.id`,
    ),
    [
      { id: 6, username: 'ada', notification: 'NewComponentNotificaton', scope: 30, project: 'demo', component: null },
      { id: 7, username: 'ada', notification: 'NewStringNotificaton', scope: 40, project: null, component: 'demo/app' },
    ],
  );
  t.strictSame(
    await select(
      db,
      `select s.name, count(*)::int as tokens from understudy.tokens t join understudy.sandboxes s on s.id = t.sandbox_id
       where t.hash = sha256('wlu_ada_public_sample_token_000000000000') group by s.name order by s.name`,
    ),
    [
      { name: 'default', tokens: 1 },
      { name: 'job-17', tokens: 1 },
    ],
    'each sandbox has the token of the user',
  );

  // Like the service: the id comes from the counters, and the trigger that raises them is off.
  const created = await db.transaction().execute(async (transaction) => {
    await sql`select set_config('understudy.counts_ids', 'on', true)`.execute(transaction);
    const { rows } = await sql<{ id: number }>`
      with next as (
        update understudy.counters set next_subscription_id = next_subscription_id + 1
        where sandbox_id = 1 returning next_subscription_id - 1 as id)
      insert into understudy.subscriptions (sandbox_id, id, user_id, notification, scope, frequency)
      select 1, id, 1001, 'LockNotification', 0, 1 from next returning id`.execute(transaction);
    return rows;
  });
  t.strictSame(created, [{ id: 501 }], 'above the highest id that the SQL set');
  t.strictSame(
    await select(
      db,
      `select next_user_id, next_subscription_id, next_project_id from understudy.counters where sandbox_id = 1`,
    ),
    [{ next_user_id: 1002, next_subscription_id: 502, next_project_id: 3 }],
  );
  const unknown = sql`select understudy.add_token('nobody', 'x')`.execute(db);
  await t.rejects(unknown, { message: /no user nobody in sandbox 1/ });
});

await test('rows without ids are counted in each sandbox by itself, beside rows with ids', async (t) => {
  const { db } = await openMigrated(t);
  await sql`insert into understudy.sandboxes (id, name) values (7, 'other')`.execute(db);
  await sql`insert into understudy.counters (sandbox_id) values (7)`.execute(db);
  const insert = (rows: string) => select(db, `insert into understudy.users (sandbox_id, id, username) ${rows}`);
  await insert(`select 1, null, 'a' || n from generate_series(1, 1000) n`);
  await insert(`values (1, 5000, 'own'), (1, null, 'b'), (7, null, 'b'), (1, null, 'c'), (7, null, 'c')`);
  await insert(`values (1, null, 'last')`);
  const ids = `select sandbox_id, array_agg(id order by id) as ids from understudy.users where id > 1000 or sandbox_id = 7
    group by sandbox_id order by sandbox_id`;
  t.strictSame(await select(db, ids), [
    { sandbox_id: 1, ids: [1001, 1002, 5000, 5001] },
    { sandbox_id: 7, ids: [1, 2] },
  ]);
});
