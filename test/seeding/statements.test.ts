// The SQL of a load as PostgreSQL gets it. After a deliberate change: UPDATE_STATEMENTS=1 npx tap test/seeding/statements.test.ts
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { test } from 'tap';
import type { Tables } from '../../src/database/tables.ts';
import { findSandboxId } from '../../src/load/queries.ts';
import { analyzeTables } from '../../src/load/write-queries.ts';
import { load, openMigrated } from './sandbox-database.ts';

const file = join(import.meta.dirname, 'statements.sql');

const seed = `users: [{ username: ada, token: one, groups: [Team] }]
groups: [{ name: Team, projects: [demo] }, { name: Other }]
projects: [{ slug: demo }]
components: [{ project: demo, slug: app }]
subscriptions: [{ user: ada, notification: LockNotification, scope: 0 }]`;

await test('the statements of a load', async (t) => {
  const { url } = await openMigrated(t);
  const sent = new Set<string>();
  const pool = new Pool({ connectionString: url });
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.add(query.sql.replace(/\s+/g, ' ').trim()),
  });
  t.teardown(() => db.destroy());
  const id = (await findSandboxId(db, 'default')) ?? 0;
  await load(db, id, seed, { seedName: 'one' });
  await load(db, id, seed.replace('projects: [demo]', 'projects: []'), { seedName: 'one' });
  await load(db, id, seed, { mode: 'replace' });
  await analyzeTables(db);
  const text = `${[...sent].join('\n\n')}\n`;
  if (process.env['UPDATE_STATEMENTS'] === '1') await writeFile(file, text);
  t.equal(text, await readFile(file, 'utf8'));
});
