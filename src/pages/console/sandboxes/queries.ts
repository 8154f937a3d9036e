// What the console shows of sandboxes.
import { sql } from 'kysely';
import { apiError } from '../../../base/errors.ts';
import { type Handle, prepare, wireMoment } from '../../../database/prepare.ts';
import { sandboxColumns, type SandboxRow, undoLifetime } from '../../../sandboxes/queries.ts';

export interface SandboxState extends SandboxRow {
  /** By the expiry that a use postpones, up to a minute late; null if it wasn't used, or doesn't expire. */
  readonly renewed: Date | null;
  /** At most one more than pages say. */
  readonly users: number;
  readonly subscriptions: number;
  /** Where the clock is stopped. */
  readonly now: string | null;
  /** When what Undo returns to was kept; null without an undo. */
  readonly kept: Date | null;
}

/** Beyond so many users or subscriptions, no more are counted: the statement shares its connection with all reads. */
export const mostListed = 1000;
export const mostOfOne = 100_000;

const stateOf = (most: number) => sql`
  ${sandboxColumns},
  nullif(s.expires_at - make_interval(secs => s.lifetime_seconds), s.created_at) as renewed,
  (select count(*)::int from (
    select from understudy.users u where u.sandbox_id = s.id limit ${sql.lit(most + 1)}
  ) counted) as users,
  (select count(*)::int from (
    select from understudy.subscriptions n where n.sandbox_id = s.id limit ${sql.lit(most + 1)}
  ) counted) as subscriptions,
  (
    select ${sql.raw(wireMoment('c.clock'))}
    from understudy.counters c
    where c.sandbox_id = s.id
  ) as now,
  (
    select x.created_at
    from understudy.sandboxes x
    where x.snapshot_of = s.id
      and x.snapshot_name is null
      and x.created_at > now() - ${undoLifetime}
  ) as kept`;

export const sandboxesPerPage = 50;

/** A page, from 0, of the sandboxes with a part in their names, `default` first; `total` counts those of all pages. */
export const listStates = prepare<{ part: string; page: number }, SandboxState & { readonly total: number }>(
  (_db, slot) => sql`
    select ${stateOf(mostListed)}, s.total
    from (
      select *, count(*) over ()::int as total
      from understudy.sandboxes x
      where x.name is not null and strpos(x.name, ${slot('part', 'text')}) > 0
      order by x.name <> 'default', x.name
      limit ${sql.lit(sandboxesPerPage)}
      offset ${slot('page', 'int4')} * ${sql.lit(sandboxesPerPage)}
    ) s
    order by s.name <> 'default', s.name`,
);

const findState = prepare<{ name: string }, SandboxState>(
  (_db, slot) => sql`select ${stateOf(mostOfOne)} from understudy.sandboxes s where s.name = ${slot('name', 'text')}`,
);

/** Throws 404. */
export async function getState(reads: Handle, name: string): Promise<SandboxState> {
  const [state] = await findState(reads, { name });
  if (state === undefined) throw apiError('sandbox_not_found', name);
  return state;
}
