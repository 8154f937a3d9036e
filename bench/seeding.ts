// generate next to a bare INSERT of the same rows, which the database holds already, into tables of the same columns and indexes and
// nothing else: no checks, no foreign keys, no triggers.
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import type { Tables } from '../src/database/tables.ts';
import { generate } from '../src/cli/generate/generate-users.ts';
import type { BenchServer } from './databases.ts';
import type { Options } from './options.ts';
import { printRows, say, whole } from './report.ts';
import { median } from './rounds.ts';

const users = 20_000;
const subscriptions = 10;
const tables = ['users', 'user_groups', 'tokens', 'subscriptions'];
const made = ['projects', 'components', 'groups', 'group_projects', ...tables];

export async function benchSeeding(server: BenchServer, { rounds }: Pick<Options, 'rounds'>): Promise<void> {
  const url = await server.createDatabase('seeding');
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 2 }) }),
  });
  await using undo = new AsyncDisposableStack();
  undo.defer(() => db.destroy());
  const run = (text: string) => sql.raw(text).execute(db);
  const options = { sandboxId: 1, users, subscriptions, seed: 'bench', tokens: true, replace: true };
  // The first time isn't counted, and gives the rows.
  const counts = await generate(db, options);
  const rows = counts.users + counts.memberships + counts.tokens + counts.subscriptions;
  await run('create schema plain; create schema kept');
  for (const table of tables) {
    await run(`create table plain.${table} (like understudy.${table} including defaults including indexes)`);
    await run(`create table kept.${table} as table understudy.${table}`);
  }

  const seconds: Record<'bare' | 'ours', number[]> = { bare: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    say(`seeding: round ${round + 1} of ${rounds}`);
    const turns = {
      bare: async () => {
        const copies = tables.map((table) => `insert into plain.${table} table kept.${table};`);
        await run(`begin; ${copies.join(' ')} commit`);
      },
      ours: async () => void (await generate(db, options)),
    };
    for (const who of round % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const)) {
      await empty(run);
      const start = performance.now();
      await turns[who]();
      seconds[who].push((performance.now() - start) / 1000);
    }
  }
  const bare = rows / median(seconds.bare);
  const ours = rows / median(seconds.ours);
  printRows(
    `Generate, ${whole(users)} users, ${whole(rows)} rows`,
    ['program', 'rows a second', 'of bare INSERT'],
    [
      ['bare INSERT, same indexes', whole(bare), ''],
      ['generate', whole(ours), (ours / bare).toFixed(2)],
    ],
  );
}

async function empty(run: (text: string) => Promise<unknown>): Promise<void> {
  await run(`truncate ${tables.map((table) => `plain.${table}`).join(', ')}`);
  await run(`truncate ${made.map((table) => `understudy.${table}`).join(', ')}`);
  await run('checkpoint').catch(() => undefined);
}
