// The SQL of the home pages.
import { sql } from 'kysely';
import { prepare } from '../../database/prepare.ts';

// More aren't counted: a page needn't know.
export const mostCounted = 10_000;

export interface HomeState {
  /** What the sandbox was made from. */
  readonly seed: string | null;
  readonly expires: Date | null;
  /** Whether it can be reset. */
  readonly has_baseline: boolean;
  /** Without the internal one; at most one more than are counted. */
  readonly users: number;
  /** The first active user. */
  readonly first_user: string | null;
  /** How many sandboxes there are. */
  readonly sandboxes: number;
}

/** No row if there is no such sandbox. Of names that a URL can hold as they are, for others are hard to copy. */
export const findHomeState = prepare<{ sandbox: string }, HomeState>(
  (_db, slot) => sql`select s.seed_name as seed, s.expires_at as expires, s.baseline_id is not null as has_baseline,
      (select count(*)::int from (select from understudy.users u
        where u.sandbox_id = s.id and not u.is_internal limit ${sql.lit(mostCounted + 1)}) counted) as users,
      (select u.username from understudy.users u where u.sandbox_id = s.id and u.is_active and not u.is_internal
        and u.username ~ '^[A-Za-z0-9_-]+$' order by u.id limit 1) as first_user,
      (select count(*)::int from understudy.sandboxes x where x.name is not null) as sandboxes
    from understudy.sandboxes s where s.name = ${slot('sandbox', 'text')}`,
);

/** An entry of a user that the user can change: the first one that isn't limited to a project or component. */
export const findFirstEntry = prepare<{ sandbox: string; username: string }, { id: number; frequency: number }>(
  (_db, slot) => sql`select x.id, x.frequency from understudy.sandboxes s
    join understudy.users u on u.sandbox_id = s.id
      and u.username_key = understudy.username_key(${slot('username', 'text')})
    join understudy.subscriptions x on x.sandbox_id = s.id and x.user_id = u.id and x.scope < 30
    where s.name = ${slot('sandbox', 'text')} order by x.id limit 1`,
);
