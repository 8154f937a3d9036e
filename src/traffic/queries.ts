// The SQL of the journal.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** The users of tokens, by the tokens' SHA-256 in hex. */
export async function listOwners(
  db: Kysely<Tables>,
  sandboxId: number,
  hashes: readonly string[],
): Promise<{ hash: string; username: string }[]> {
  const { rows } = await sql<{ hash: string; username: string }>`
    select encode(t.hash, 'hex') as hash, u.username from understudy.tokens t
    join understudy.users u on u.sandbox_id = t.sandbox_id and u.id = t.user_id
    where t.sandbox_id = ${sandboxId} and t.hash = any(array(select decode(hex, 'hex') from unnest(${hashes}::text[]) hex))
    order by hash`.execute(db);
  return rows;
}
