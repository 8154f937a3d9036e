// The SQL of the journal.
import { sql } from 'kysely';
import { prepare } from '../database/prepare.ts';

/** The users of tokens, by the tokens' SHA-256 in hex. */
export const listOwners = prepare<
  { sandbox_id: number; hashes: readonly string[] },
  { hash: string; username: string }
>(
  (_db, slot) => sql`
    select encode(t.hash, 'hex') as hash, u.username from understudy.tokens t
    join understudy.users u on u.sandbox_id = t.sandbox_id and u.id = t.user_id
    where t.sandbox_id = ${slot('sandbox_id', 'int4')}
      and t.hash = any(array(select decode(hex, 'hex') from unnest(${slot('hashes', 'text[]')}) hex))
    order by hash`,
);
