// The SQL of the home pages.
import { sql } from 'kysely';
import { prepare } from '../../database/prepare.ts';

// More aren't counted: the page is shown often, and needn't know.
export const mostCounted = 100;

export interface HomeState {
  /** What the sandbox was made from. */
  readonly seed: string | null;
  readonly expires: Date | null;
  /** Without the internal one; at most one more than are counted. */
  readonly users: number;
}

/** No row if there is no such sandbox. */
export const findHomeState = prepare<{ sandbox: string }, HomeState>(
  (_db, slot) => sql`select s.seed_name as seed, s.expires_at as expires, n.users
    from understudy.sandboxes s
    cross join lateral (select count(*)::int as users
      from (select from understudy.users u
        where u.sandbox_id = s.id and u.id >= 1 and not u.is_internal
        order by u.id limit ${sql.lit(mostCounted + 1)}) f) n
    where s.name = ${slot('sandbox', 'text')}`,
);
