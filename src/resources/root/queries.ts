// The SQL of the home pages.
import { sql } from 'kysely';
import { prepare } from '../../database/prepare.ts';

// More aren't counted: the page is shown often, and needn't know.
export const mostCounted = 100;

export interface HomeState {
  /** What the sandbox was made from. */
  readonly seed: string | null;
  readonly expires: Date | null;
  /** Whether it can be reset. */
  readonly has_baseline: boolean;
  /** Without the internal one; at most one more than are counted. */
  readonly users: number;
  /** The first active one among them. */
  readonly first_user: string | null;
  /** How many sandboxes there are. */
  readonly sandboxes: number;
}

/** No row if there is no such sandbox. Of names that a URL can hold as they are, for others are hard to copy. */
export const findHomeState = prepare<{ sandbox: string }, HomeState>(
  (_db, slot) => sql`select s.seed_name as seed, s.expires_at as expires, s.baseline_id is not null as has_baseline,
      n.users, n.first_user, (select count(*)::int from understudy.sandboxes x where x.name is not null) as sandboxes
    from understudy.sandboxes s
    cross join lateral (select count(*)::int as users,
        (array_agg(f.username order by f.id) filter (where f.is_active and f.username ~ '^[A-Za-z0-9_-]+$'))[1] as first_user
      from (select u.id, u.username, u.is_active from understudy.users u
        where u.sandbox_id = s.id and u.id >= 1 and not u.is_internal
        order by u.id limit ${sql.lit(mostCounted + 1)}) f) n
    where s.name = ${slot('sandbox', 'text')}`,
);

/** An entry of a user that the user can change: the first one that isn't limited to a project or component. */
export const findFirstEntry = prepare<{ sandbox: string; username: string }, { id: number; frequency: number }>(
  (_db, slot) => sql`select e.id, e.frequency
    from (select x.id from understudy.sandboxes x where x.name = ${slot('sandbox', 'text')}) s
    cross join lateral (select x.id from understudy.users x where x.sandbox_id = s.id
      and x.username_key = understudy.username_key(${slot('username', 'text')}) offset 0) u
    cross join lateral (select x.id, x.frequency from understudy.subscriptions x
      where x.sandbox_id = s.id and x.user_id = u.id and x.scope < 30 order by x.id limit 1) e`,
);
