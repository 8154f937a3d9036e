// generate next to the bare COPY of the same rows, into tables of the same columns and indexes and nothing else: no checks, no foreign
// keys, no triggers.
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { generate } from '../src/generate/generate-users.ts';
import { type RowTable, rowTables } from '../src/generate/rows.ts';
import type { BenchServer } from './databases.ts';
import type { Options } from './options.ts';
import { print, say, whole } from './report.ts';

const users = 20_000;
const subscriptions = 10;
const { memberships, subscriptions: subscriptionRows, tokens, users: userRows } = rowTables;
const tables: readonly RowTable[] = [userRows, memberships, tokens, subscriptionRows];
const made = 'projects, components, groups, group_projects, users, user_groups, tokens, subscriptions';

export async function benchSeeding(server: BenchServer, { rounds }: Pick<Options, 'rounds'>): Promise<void> {
  const url = await server.createDatabase('seeding');
  await using undo = new AsyncDisposableStack();
  const client = undo.adopt(new Client({ connectionString: url }), (open) => open.end());
  await client.connect();
  await client.query('create schema plain');
  for (const { table } of tables)
    await client.query(
      `create table plain.${table} (like understudy.${table} including generated including defaults including indexes)`,
    );
  const options = { sandboxId: 1, users, subscriptions, seed: 'bench', tokens: true, replace: true };
  // The first time isn't counted, and gives the rows.
  const counts = await generate(url, options);
  const texts = new Map<RowTable, Buffer[]>();
  for (const table of tables) texts.set(table, await copyOut(client, table));
  const rows = counts.users + counts.memberships + counts.tokens + counts.subscriptions;

  const seconds: Record<'bare' | 'ours', number[]> = { bare: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    say(`seeding: round ${round + 1} of ${rounds}`);
    const turns = {
      bare: async () => {
        await client.query('begin');
        for (const [table, text] of texts) await copyIn(client, table, text);
        await client.query('commit');
      },
      ours: async () => void (await generate(url, options)),
    };
    for (const who of round % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const)) {
      await empty(client);
      const start = performance.now();
      await turns[who]();
      seconds[who].push((performance.now() - start) / 1000);
    }
  }
  const bare = rows / median(seconds.bare);
  const ours = rows / median(seconds.ours);
  print(`\n**Generate, ${whole(users)} users, ${whole(rows)} rows**\n`);
  print('| program | rows a second | of bare COPY |\n| --- | ---: | ---: |');
  print(`| bare COPY, same indexes | ${whole(bare)} | |`);
  print(`| generate | ${whole(ours)} | ${(ours / bare).toFixed(2)} |`);
}

async function empty(client: Client): Promise<void> {
  await client.query(`truncate ${tables.map(({ table }) => `plain.${table}`).join(', ')}`);
  await client.query(`truncate ${made.replaceAll(/\w+/g, (table) => `understudy.${table}`)}`);
  await client.query('checkpoint').catch(() => undefined);
}

async function copyOut(client: Client, { table, columns }: RowTable): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pipeline(
    client.query(copyTo(`copy (select ${columns} from understudy.${table} order by ctid) to stdout`)),
    collect,
  );
  // In chunks as large as those of generate.
  const all = Buffer.concat(chunks);
  const size = 64 * 1024;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.subarray(i * size, (i + 1) * size));
}

async function copyIn(client: Client, { table, columns }: RowTable, chunks: readonly Buffer[]): Promise<void> {
  await pipeline(Readable.from(chunks), client.query(copyFrom(`copy plain.${table} (${columns}) from stdin`)));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
