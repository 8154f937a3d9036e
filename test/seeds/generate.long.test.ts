// generate: the same rows each time, and none after an interruption.
import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { command as generateCommand } from '../../src/cli/commands/generate.ts';
import { Interruption } from '../../src/cli/usage.ts';
import { generate, type GenerateOptions } from '../../src/cli/commands/generate.ts';
import { componentOf, personOf, projectOf } from '../../src/cli/generate/made-up-names.ts';
import { runCommand } from '../support/run-command.ts';
import {
  addSandbox,
  type Db,
  dump,
  interrupt,
  load,
  openDb,
  openMigrated,
  select,
} from '../support/sandbox-database.ts';

const defaults = { users: 300, subscriptions: 12, seed: 'a', tokens: true, replace: false };

/** Finds violations of what triggers usually enforce in a sandbox's rows. */
const faultsIn = (db: Db, id: number) =>
  select(
    db,
    `select 'wrong target ' || s.id as fault from understudy.subscriptions s
       left join understudy.components c on c.sandbox_id = s.sandbox_id and c.id = s.component_id
       left join understudy.projects p on p.sandbox_id = s.sandbox_id and p.id = coalesce(s.project_id, c.project_id)
       where s.sandbox_id = ${id} and (s.project, s.component, s.private_project_id) is distinct from
         (case when c.id is null then p.slug end, p.slug || '/' || c.slug, case when p.private then p.id end)
     union all select 'hidden target ' || s.id from understudy.subscriptions s
       where s.sandbox_id = ${id} and s.private_project_id is not null and not exists (
         select from understudy.user_groups m join understudy.group_projects o
           on o.sandbox_id = m.sandbox_id and o.group_id = m.group_id
         where m.sandbox_id = ${id} and m.user_id = s.user_id and o.project_id = s.private_project_id)
     union all select 'counter below an id' from understudy.counters c where c.sandbox_id = ${id} and not (
       next_user_id > (select max(u.id) from understudy.users u where u.sandbox_id = ${id})
       and next_group_id > (select max(g.id) from understudy.groups g where g.sandbox_id = ${id})
       and next_project_id > (select max(p.id) from understudy.projects p where p.sandbox_id = ${id})
       and next_component_id > (select max(c.id) from understudy.components c where c.sandbox_id = ${id})
       and next_subscription_id > (select max(s.id) from understudy.subscriptions s where s.sandbox_id = ${id}))`,
  );

await test('names are unique', async (t) => {
  const people = Array.from({ length: 100_000 }, (_, i) => personOf(i + 1));
  t.equal(new Set(people.map(({ username }) => username)).size, people.length);
  t.strictSame(
    people.filter(({ username }) => !/^[a-z]+\.[a-z]+\d*$/.test(username)),
    [],
  );
  const targets = Array.from({ length: 10_000 }, (_, i) => [
    projectOf(i + 1).slug,
    `in ${componentOf(i + 1).slug}`,
  ]).flat();
  t.equal(new Set(targets).size, targets.length);
});

await test('generate', async (suite) => {
  const { db, url } = await openMigrated(suite);
  const fill = (sandboxId: number, options: Partial<GenerateOptions> = {}) =>
    generate(db, { ...defaults, sandboxId, ...options });

  await suite.test('creates the requested users and subscriptions, without dangling rows', async (t) => {
    const id = await addSandbox(db);
    const counts = await fill(id);
    t.match(counts, { users: 300, subscriptions: 3600, tokens: 300 });
    t.strictSame(await faultsIn(db, id), []);
    const rows = await dump(db, id);
    for (const table of ['users', 'subscriptions', 'tokens', 'projects', 'components'] as const)
      t.equal(rows[table]?.length, counts[table], table);
    t.equal(rows['user_groups']?.length, counts.memberships);
    const each = await select(
      db,
      `select count(*) as n from understudy.subscriptions where sandbox_id = ${id} group by user_id`,
    );
    t.strictSame([...new Set(each.map(({ n }) => Number(n)))], [12]);
    const [seen] = await select(
      db,
      `select count(distinct scope) as scopes, count(distinct notification) as names, count(distinct frequency) as frequencies,
         count(private_project_id) as private from understudy.subscriptions where sandbox_id = ${id}`,
    );
    t.match(seen, { scopes: '5', names: '23', frequencies: '5' });
    t.not(seen?.['private'], '0');
  });

  await suite.test('equal seeds give equal rows, another seed gives others', async (t) => {
    const [first, second, third] = [await addSandbox(db), await addSandbox(db), await addSandbox(db)];
    await fill(first);
    await fill(second, { users: 7 });
    await fill(second, { replace: true });
    await fill(third, { seed: 'b' });
    t.strictSame(await dump(db, second), await dump(db, first));
    t.notSame((await dump(db, third))['subscriptions'], (await dump(db, first))['subscriptions']);
  });

  await suite.test('the rows are the same on every PostgreSQL', async (t) => {
    const id = await addSandbox(db);
    await fill(id, { seed: 'pinned' });
    const user = await select(
      db,
      `select username, full_name, email, is_active, date_joined, last_login from understudy.users
       where sandbox_id = ${id} and id = 2`,
    );
    t.strictSame(user, [
      {
        username: 'mei.haugen',
        full_name: 'Mei Haugen',
        email: 'mei.haugen@example.com',
        is_active: true,
        date_joined: new Date('2025-09-08T23:15:00Z'),
        last_login: new Date('2026-05-07T01:55:00Z'),
      },
    ]);
    const subscriptions = await select(
      db,
      `select id, notification, scope, frequency, coalesce(project, component) from understudy.subscriptions
       where sandbox_id = ${id} and user_id = 1 order by id limit 4`,
    );
    t.strictSame(
      subscriptions.map((one) => Object.values(one)),
      [
        [1, 'MergeFailureNotification', 20, 1, null],
        [2, 'TranslatedStringNotificaton', 30, 2, 'quiet-fjord'],
        [3, 'LicenseNotification', 10, 3, null],
        [4, 'NewTranslationNotificaton', 0, 0, null],
      ],
    );
  });

  await suite.test('existing rows stay, and new rows are added', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, 'users: [{ username: ada, token: t, subscriptions: [{ notifications: all, scope: all }] }]');
    const before = await dump(db, id);
    await fill(id, { users: 20 });
    await fill(id, { users: 30, seed: 'b' });
    t.strictSame(await faultsIn(db, id), []);
    const after = await dump(db, id);
    t.equal(after['users']?.length, 51);
    for (const [table, rows] of Object.entries(before))
      if (table !== 'counters')
        t.strictSame(
          rows.filter((row) => !after[table]?.includes(row)),
          [],
          table,
        );
    await load(db, id, 'users: [{ username: grace }]');
    t.match(await select(db, `select id from understudy.users where sandbox_id = ${id} and username = 'grace'`), [
      { id: 52 },
    ]);
  });

  await suite.test('writes nothing if a name is taken', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, `users: [{ username: ${personOf(5).username} }]`);
    const before = await dump(db, id, { versions: true });
    await t.rejects(fill(id), { message: /^generate: the sandbox has a made-up name already: / });
    t.strictSame(await dump(db, id, { versions: true }), before);
    await fill(id, { replace: true });
    t.equal((await dump(db, id))['users']?.length, 300);
  });

  await suite.test('too few remaining ids are an error', async (t) => {
    const id = await addSandbox(db);
    await t.rejects(fill(id, { users: 2_000_000, subscriptions: 5000 }), {
      message: /^generate: not enough ids: there are/,
    });
  });

  await suite.test('users may have no subscription or 5,000', async (t) => {
    const id = await addSandbox(db);
    t.match(await fill(id, { users: 3, subscriptions: 0 }), { subscriptions: 0 });
    t.match(await fill(id, { users: 3, subscriptions: 5000 }), { subscriptions: 15_000 });
    t.strictSame(await faultsIn(db, id), []);
  });

  await suite.test('tokens work as they are documented', async (t) => {
    const id = await addSandbox(db);
    await fill(id, { users: 3 });
    t.match(
      await select(
        db,
        `select user_id from understudy.tokens
         where sandbox_id = ${id} and hash = sha256('wlu_generated_public_sample_000000000002'::bytea)`,
      ),
      [{ user_id: 2 }],
    );
  });

  await suite.test('a role that may not skip triggers and foreign keys generates the same rows', async (t) => {
    const role = `understudy_test_${randomBytes(6).toString('hex')}`;
    try {
      await select(db, `create role ${role}`);
    } catch {
      t.comment('skipped: the role of the tests may not create roles');
      return;
    }
    t.teardown(() => select(db, `drop owned by ${role}`).then(() => select(db, `drop role ${role}`)));
    await select(db, `grant usage on schema understudy to ${role}`);
    await select(db, `grant all on all tables in schema understudy to ${role}`);
    const [first, second] = [await addSandbox(db), await addSandbox(db)];
    const limited = new URL(url);
    limited.searchParams.set('options', `-c role=${role}`);
    await generate(openDb(t, limited.href), { ...defaults, sandboxId: first });
    await fill(second);
    t.strictSame(await dump(db, first), await dump(db, second));
  });

  await suite.test('the command prints what it made', async (t) => {
    const env = { DATABASE_URL: url };
    const run = (args: string[], options = {}) => runCommand(generateCommand, args, { env, ...options });
    t.match(await run(['--users', '50', '--subscriptions', '4']), {
      code: 0,
      stdout: /\nusers: 50 created\nmemberships: \d+ created\nsubscriptions: 200 created\n$/,
      stderr: /^opening the database\npreparing\nloading rows\ngathering statistics\n/,
    });
    const wrong: [args: string[], fault: string][] = [
      [[], '--users is missing: pass a number, such as --users 1000'],
      [['--users', '0'], '--users must be a whole number from 1 to 100000000, not "0"'],
      [['--users', 'many'], '--users must be a whole number from 1 to 100000000, not "many"'],
      [
        ['--users', '5', '--subscriptions', '5001'],
        '--subscriptions must be a whole number from 0 to 5000, not "5001"',
      ],
    ];
    for (const [args, fault] of wrong)
      t.match(await run(args), { code: 2, stdout: '', stderr: `generate: ${fault}\n\nUsage: ` }, args.join(' '));
    t.match(await run(['--users', '5', '--sandbox', 'nope']), { code: 1, stderr: /\nNo sandbox is named "nope"\.\n$/ });
    await load(db, 1, `users: [{ username: ${personOf(60).username} }]`);
    t.match(await run(['--users', '50']), { code: 1, stdout: '', stderr: /made-up name already.*--replace/s });
  });

  await suite.test('an abort during the wait for another writer writes nothing', async (t) => {
    const id = await addSandbox(db);
    const controller = new AbortController();
    let ended: Promise<unknown> | undefined;
    const begin = () => (ended = fill(id, { signal: controller.signal }).catch((error: Error) => error.message));
    await interrupt(db, `select from understudy.counters where sandbox_id = ${id}`, begin, async () => {
      controller.abort(new Error('enough'));
      t.equal(await ended, 'enough', 'ends while the other writer holds the lock');
    });
  });

  await suite.test('Ctrl-C: exit 130, and nothing is written', async (t) => {
    const before = await dump(db, 1, { versions: true });
    for (const [moment, doing] of [
      ['emptying the sandbox', 'xact_start is not null'],
      ['loading rows, 0 %', `state = 'active' and query like '%insert into%'`],
      ['loading rows, 50 %', `state = 'active' and query like '%insert into%'`],
    ] as const) {
      const controller = new AbortController();
      const isDoing = `select from pg_stat_activity where datname = current_database() and application_name = 'understudy' and ${doing}`;
      const abort = async () => {
        while (!controller.signal.aborted && (await select(db, isDoing)).length === 0);
        controller.abort(new Interruption('interrupted'));
      };
      const ran = await runCommand(generateCommand, ['--users', '10000', '--replace'], {
        env: { DATABASE_URL: url },
        signal: controller.signal,
        onStderr: (text) => void (text.includes(moment) && abort()),
      });
      t.match(ran, { code: 130, stdout: '', stderr: /\ngenerate: interrupted; nothing was written\n$/ }, moment);
    }
    t.strictSame(await dump(db, 1, { versions: true }), before);
  });
});
