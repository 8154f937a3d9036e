// The commands that open a database: sql and migrate, and what the others say where there is none.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { startEmbedded } from '../../packaging/start-embedded.ts';
import { command as generate } from '../../src/cli/commands/generate.ts';
import { command as migrate } from '../../src/cli/commands/migrate.ts';
import { command as seed } from '../../src/cli/commands/seed.ts';
import { command as sqlCommand } from '../../src/cli/commands/sql.ts';
import { Interruption } from '../../src/cli/usage.ts';
import { splitStatements } from '../../src/cli/sessions/queries.ts';
import { findSchema } from '../../src/database/migrator.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeScratch, query } from '../support/postgres-folders.ts';
import { startCommand } from '../support/process.ts';
import { runCommand } from '../support/run-command.ts';
import { openMigrated } from '../support/sandbox-database.ts';

await test('SQL is split at the semicolons that end statements', async (t) => {
  const kept = [
    `select ';', "a;b", 'it''s;', e'\\';', E'\\\\'`,
    'select $$;$$, $tag$ $$ ; $tag$, a$b',
    'select 1 -- ; and a "quote\n + 1',
    'select /* ; /* ; */ ; */ 1',
    `select date'2026-01-01', 'a' ';'`,
  ];
  const script = `-- head;\n${kept.join(';\n/* between; */ ')};;\n ; -- end`;
  t.strictSame(
    splitStatements(script).map(({ text }) => text),
    kept,
  );
  for (const { at, text } of splitStatements(script)) t.equal(script.indexOf(text), at);
  const body = 'create function f() returns int begin atomic select 1; select 2; end; select f()';
  t.strictSame(splitStatements(`select 1; ${body}`).length, 2, 'what only the grammar can split stays whole');
});

await test('sql runs in the database of DATABASE_URL', async (suite) => {
  const { url } = await openMigrated(suite);
  const folder = suite.testdir({});
  const run = async (t: typeof suite, texts: string[], ...args: string[]) => {
    const files = Object.fromEntries(texts.map((text, n) => [`${n}.sql`, text]));
    const paths = Object.keys(files).map((name) => join(t.testdir(files), name));
    const ran = await runCommand(sqlCommand, [...paths, ...args], { env: { DATABASE_URL: url } });
    return { ...ran, stderr: ran.stderr.replaceAll(`${t.testdirName}/`, '') };
  };
  const names = () => query(url, 'select username from understudy.users order by id');

  await suite.test('prints the rows of each statement', async (t) => {
    const ada = `insert into understudy.users (username) values ('ada'), ('bob');
      select from understudy.counters for update;
      update understudy.users set full_name = E'Ada\\nLovelace' where username = 'ada' returning id, full_name;`;
    const list = `select username, is_superuser as "admin?", date '2026-01-02' as day, null as none, 10::bigint as big
      from understudy.users order by id; select 1 as one where false`;
    t.strictSame(await run(t, [ada, list]), {
      code: 0,
      stdout: [
        'id | full_name\n---+-------------\n1  | Ada Lovelace',
        '',
        'username | admin? | day        | none | big',
        '---------+--------+------------+------+----',
        'ada      | false  | 2026-01-02 |      | 10',
        'bob      | false  | 2026-01-02 |      | 10',
        '',
        'one\n---\n',
      ].join('\n'),
      stderr: 'statements: 5, rows written: 3\n',
    });
    const { stdout } = await run(t, [list], '--json');
    t.strictSame(JSON.parse(stdout)[1], { username: 'bob', 'admin?': false, day: '2026-01-02', none: null, big: '10' });
    t.strictSame(JSON.parse((await run(t, ['select from pg_class'], '--json')).stdout), []);
  });

  await suite.test('names file, line and column of an error, and writes nothing', async (t) => {
    const before = await names();
    const good = `insert into understudy.users (username) values ('zoe');`;
    const lost = await run(t, [good, `select 1;\n-- 💡\nselect '💡', usernam\nfrom understudy.users;`]);
    t.match(lost, { code: 1, stdout: '', stderr: /^1\.sql:3:13 column "usernam" does not exist\n/ });
    t.match(lost.stderr, /\n {2}Perhaps .*"users\.username"\.\nNothing was written\.\n$/);
    t.match(await run(t, [`${good}\n  ${good}`]), {
      code: 1,
      stderr: /^0\.sql:2:3 duplicate key value .*\n {2}Key \(.*already exists\.\nNothing was written\.\n$/,
    });
    t.match(await run(t, [good, '\\d users']), { code: 1, stderr: /^1\.sql:1:1 syntax error at or near "\\"\n/ });
    t.match(await run(t, [good, 'copy understudy.users from stdin']), {
      code: 1,
      stderr: /^1\.sql:1:1 COPY from stdin/,
    });
    t.strictSame(await names(), before);
  });

  await suite.test('refuses statements that would end the transaction', async (t) => {
    const before = await names();
    const text = `begin;\ninsert into understudy.users (username) values ('eve');\nsavepoint s; rollback to s;\n /* x */ COMMIT`;
    const advice = 'all SQL runs in one transaction: remove this statement';
    t.strictSame(await run(t, [text]), {
      code: 1,
      stdout: '',
      stderr: `0.sql:1:1 ${advice}\n0.sql:4:10 ${advice}\nNothing was written.\n`,
    });
    t.strictSame(await names(), before);
    t.match(await run(t, ['savepoint s; rollback work to s']), { code: 0, stderr: 'statements: 2, rows written: 0\n' });
  });

  await suite.test('is interrupted', async (t) => {
    const before = await names();
    const controller = new AbortController();
    const file = join(
      t.testdir({ 'slow.sql': `insert into understudy.users (username) values ('eve'); select pg_sleep(600)` }),
      'slow.sql',
    );
    const running = runCommand(sqlCommand, [file], { env: { DATABASE_URL: url }, signal: controller.signal });
    const sleeping = `select count(*)::int from pg_stat_activity where datname = current_database() and query like '%pg_sleep(600)' and state = 'active'`;
    while ((await query(url, `${sleeping} and pid <> pg_backend_pid()`))[0] === 0);
    controller.abort(new Interruption('interrupted'));
    t.strictSame(await running, { code: 130, stdout: '', stderr: 'sql: interrupted; nothing was written\n' });
    t.strictSame(await names(), before);
  });

  await suite.test('reads standard input', async (t) => {
    const { child, said, ended } = startCommand(t, ['sql'], { DATABASE_URL: url }, 'pipe');
    child.stdin?.end('select 1 as one;\nselect two');
    t.equal(await ended, 1);
    t.match(said, { stdout: '', stderr: /^reading standard input\nstdin:2:8 column "two" does not exist\n/ });
    const waiting = startCommand(t, ['sql', '-'], { DATABASE_URL: url }, 'pipe');
    waiting.child.stdin?.write('select 1;');
    while (!waiting.said.stderr.includes('reading')) await once(waiting.child.stderr ?? waiting.child, 'data');
    waiting.child.kill('SIGINT');
    t.equal(await waiting.ended, 130);
    t.equal(waiting.said.stderr, 'reading standard input\nsql: interrupted; nothing was written\n');
  });

  await suite.test('wrong usage, and a database that is missing', async (t) => {
    t.match(await runCommand(sqlCommand, [join(folder, 'none.sql')]), {
      code: 2,
      stderr: /^sql: there is no file .*none\.sql\. To run SQL text, send it to standard input/,
    });
    const dataDir = join(makeScratch(t), 'none');
    const file = join(t.testdir({ 'a.sql': 'select 1' }), 'a.sql');
    t.match(await runCommand(sqlCommand, [file, '--data-dir', dataDir]), { code: 2, stdout: '', stderr: dataDir });
  });
});

await test('sql runs in the embedded database, whether it runs already or not', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  const run = (command: typeof migrate, ...args: string[]) => runCommand(command, [...args, '--data-dir', dataDir]);
  t.match(await run(migrate), { code: 0 });
  const folder = t.testdir({
    'add.sql': `insert into understudy.users (username) values ('ada')`,
    'list.sql': 'select username from understudy.users',
  });
  t.match(await run(sqlCommand, join(folder, 'add.sql')), { code: 0, stderr: /statements: 1, rows written: 1\n$/ });

  const server = await startEmbedded({ dataDir });
  t.teardown(() => server.stop());
  t.match(await run(sqlCommand, join(folder, 'list.sql'), '--json'), {
    code: 0,
    stdout: '[\n  {\n    "username": "ada"\n  }\n]\n',
  });
});

// Which commands make a database, and what the others say where there is none.

await test('only migrate and serve bring a database to the newest schema', async (t) => {
  const url = await createTestDatabase(t);
  const folder = t.testdir({ 'team.yaml': 'users: [{ username: zoe }]' });
  const users = [
    [seed, [join(folder, 'team.yaml')]],
    [generate, ['--users', '1']],
  ] as const;
  const run = (command: typeof seed, ...args: string[]) => runCommand(command, [...args, '--database-url', url]);

  for (const [command, args] of users)
    t.match(await run(command, ...args), {
      code: 2,
      stdout: '',
      stderr:
        /holds no data of Understudy\. Make the database with `weblate-understudy serve` or `weblate-understudy migrate`\.\n$/,
    });
  t.equal(await findSchema(url), 'missing', 'they made nothing');

  t.match(await run(migrate), { code: 0, stdout: /^PostgreSQL at \S+ was migrated: 0001-tables, /, stderr: '' });
  t.match(await run(migrate), { code: 0, stdout: /has the newest schema already\n$/ });
  for (const [command, args] of users) t.match(await run(command, ...args), { code: 0, stdout: /^users: 1 created$/m });

  await query(url, 'delete from understudy.applied_migrations where name > $$0002$$');
  for (const [command, args] of users)
    t.match(await run(command, ...args), {
      code: 2,
      stderr: /is older than this program\. .*`weblate-understudy migrate`\.\n$/,
    });
});

await test('migrate creates a database that its server doesn’t have', async (t) => {
  const known = await createTestDatabase(t);
  const url = new URL(known);
  const name = `${url.pathname.slice(1)} "new"`;
  url.pathname = `/${encodeURIComponent(name)}`;
  const run = (command: typeof seed, ...args: string[]) =>
    runCommand(command, args, { env: { DATABASE_URL: url.href } });
  const refused = await run(generate, '--users', '1');
  t.match(refused, {
    code: 2,
    stderr: /generate: database ".* does not exist\. Make it with `weblate-understudy migrate`\.\n$/,
  });
  t.teardown(() => query(known, `drop database if exists "${name.replaceAll('"', '""')}"`));
  t.match(await run(migrate), { code: 0, stdout: /was migrated: /, stderr: `made the database ${name}\n` });
});

await test('migrate makes a data folder, and other commands don’t', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  const flags = ['--data-dir', dataDir];
  const missing = new RegExp(`no database found in ${dataDir}\\. Make the database with .*--data-dir\\.\n$`);
  t.match(await runCommand(generate, ['--users', '1', ...flags]), { code: 2, stdout: '', stderr: missing });
  const env = { UNDERSTUDY_DATA_DIR: dataDir };
  t.match(await runCommand(generate, ['--users', '1'], { env }), { code: 2, stdout: '', stderr: missing });
  t.notOk(existsSync(dataDir));
  const temporary = { env: { UNDERSTUDY_TEMPORARY: 'true' } };
  for (const [command, args, code] of [
    [generate, ['--users', '1'], 2],
    [migrate, [], 78],
  ] as const)
    t.match(await runCommand(command, [...args], temporary), {
      code,
      stderr: /only a service can have a temporary/,
    });
});
