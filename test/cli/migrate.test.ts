// Which commands make a database, and what the others say where there is none.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { command as generate } from '../../src/cli/commands/generate.ts';
import { command as migrate } from '../../src/cli/commands/migrate.ts';
import { command as seed } from '../../src/cli/commands/seed.ts';
import { findSchema } from '../../src/database/migrator.ts';
import { makeScratch, query } from '../support/postgres-folders.ts';
import { createTestDatabase } from '../support/database.ts';
import { runCommand } from '../support/run-command.ts';

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
        /holds no data of Understudy\. Make it with `weblate-understudy serve` or `weblate-understudy migrate`\.\n$/,
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
  t.match(refused, { code: 2, stderr: /generate: database ".* does not exist\n$/ });
  t.teardown(() => query(known, `drop database if exists "${name.replaceAll('"', '""')}"`));
  t.match(await run(migrate), { code: 0, stdout: /was migrated: /, stderr: `made the database ${name}\n` });
});

await test('migrate makes a data folder, and other commands don’t', async (t) => {
  const dataDir = join(makeScratch(t), 'data');
  const flags = ['--data-dir', dataDir];
  const missing = new RegExp(`no database found in ${dataDir}\\. Make it with .*--data-dir\\.\n$`);
  t.match(await runCommand(generate, ['--users', '1', ...flags]), { code: 2, stdout: '', stderr: missing });
  const env = { UNDERSTUDY_DATA_DIR: dataDir };
  t.match(await runCommand(generate, ['--users', '1'], { env }), { code: 2, stdout: '', stderr: missing });
  t.notOk(existsSync(dataDir));
  const temporary = { env: { UNDERSTUDY_TEMPORARY: 'true' } };
  for (const [command, args] of [
    [generate, ['--users', '1']],
    [migrate, []],
  ] as const)
    t.match(await runCommand(command, [...args], temporary), {
      code: 2,
      stderr: /only a service can have a temporary/,
    });
});
