// A sandbox whose export is larger than what sockets hold, and the database's view of those who export it.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import { generate } from '../../src/cli/commands/generate.ts';
import { analyzeTables } from '../../src/seeds/load/write-queries.ts';

/** The export of these users has 26 MB of text. */
export const manyUsers = 20_000;

export async function fillDefault(database: Database): Promise<void> {
  const wanted = { users: manyUsers, subscriptions: 10, seed: '1', tokens: false, replace: true };
  await generate(database.load, { sandboxId: 1, ...wanted });
  await analyzeTables(database.load);
}

interface Session {
  readonly pid: number;
  readonly state: string;
  readonly query_start: Date;
}

async function listExports({ load }: Database): Promise<Session[]> {
  const query = sql<Session>`select pid, state, query_start from pg_stat_activity
    where datname = current_database() and query ~ '^(begin isolation|declare|fetch)' order by pid`;
  return (await query.execute(load)).rows;
}

/** Resolves when that many exports are connected. */
export async function untilExports(database: Database, count: number): Promise<Session[]> {
  for (;;) {
    const sessions = await listExports(database);
    if (sessions.length === count) return sessions;
    await sleep(20);
  }
}

export async function endSession({ load }: Database, pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid})`.execute(load);
}
