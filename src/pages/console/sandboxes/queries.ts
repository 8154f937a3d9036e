// What the console shows of sandboxes.
import { sql } from 'kysely';
import { apiError } from '../../../base/errors.ts';
import { type Handle, prepare, type Slots, wireMoment } from '../../../database/prepare.ts';
import { sandboxColumns, type SandboxRow, undoLifetime } from '../../../sandboxes/queries.ts';

export interface SandboxState extends SandboxRow {
  /** At most one more than was asked for. */
  readonly users: number;
  readonly subscriptions: number;
  /** Where the clock is stopped. */
  readonly now: string | null;
  /** When what Undo returns to was kept; null without an undo. */
  readonly kept: Date | null;
}

interface Counted {
  /** Beyond so many users or subscriptions, no more are counted: the statement shares its connection with all reads. */
  readonly most: number;
}

const stateOf = (slot: Slots<Counted>) => sql`${sandboxColumns},
    (select count(*)::int from (select from understudy.users u where u.sandbox_id = s.id
      limit ${slot('most', 'int4')} + 1) counted) as users,
    (select count(*)::int from (select from understudy.subscriptions n where n.sandbox_id = s.id
      limit ${slot('most', 'int4')} + 1) counted) as subscriptions,
    (select ${sql.raw(wireMoment('c.clock'))} from understudy.counters c where c.sandbox_id = s.id) as now,
    (select x.created_at from understudy.sandboxes x where x.snapshot_of = s.id and x.snapshot_name is null
      and x.created_at > now() - ${undoLifetime}) as kept`;

export const sandboxesPerPage = 50;

/** A page, from 0, of the sandboxes with a part in their names, `default` first; `total` counts those of all pages. */
export const listStates = prepare<
  Counted & { part: string; by_use: boolean; page: number },
  SandboxState & { readonly total: number }
>(
  (_db, slot) => sql`select ${stateOf(slot)}, s.total
    from (select *, row_number() over (order by x.name <> 'default',
        case when ${slot('by_use', 'boolean')} then x.expires_at - make_interval(secs => x.lifetime_seconds) end desc,
        x.name) as place, count(*) over ()::int as total
      from understudy.sandboxes x where x.name is not null and strpos(x.name, ${slot('part', 'text')}) > 0) s
    where s.place > ${slot('page', 'int4')} * ${sql.lit(sandboxesPerPage)}
      and s.place <= (${slot('page', 'int4')} + 1) * ${sql.lit(sandboxesPerPage)}
    order by s.place`,
);

const findState = prepare<Counted & { name: string }, SandboxState>(
  (_db, slot) => sql`select ${stateOf(slot)} from understudy.sandboxes s where s.name = ${slot('name', 'text')}`,
);

/** Throws 404. */
export async function getState(reads: Handle, name: string, most: number): Promise<SandboxState> {
  const [state] = await findState(reads, { name, most });
  if (state === undefined) throw apiError('sandbox_not_found', name);
  return state;
}

export const listNames = prepare<object, { name: string }>(
  () => sql`select name from understudy.sandboxes where name is not null order by name <> 'default', name`,
);
