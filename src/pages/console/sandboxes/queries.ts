// What the console shows of sandboxes.
import { sql } from 'kysely';
import { wireMoment } from '../../../database/moment.ts';
import { prepare, type Slots } from '../../../database/prepare.ts';
import { undoLifetime } from '../../../sandboxes/queries.ts';

export interface SandboxSummary {
  readonly name: string;
  readonly seed: string | null;
  readonly created: Date;
  readonly expires: Date | null;
  /** Since when its lifetime runs: its creation, or a use, up to a minute late. Null if it doesn't expire. */
  readonly renewed: Date | null;
  /** At most one more than was asked for. */
  readonly users: number;
  readonly subscriptions: number;
  readonly snapshots: number;
}

interface Counted {
  /** Beyond so many users or subscriptions, no more are counted: the statement shares its connection with all reads. */
  readonly most: number;
}

const summaryOf = (slot: Slots<Counted>) => sql`s.name, s.seed_name as seed, s.created_at as created,
    s.expires_at as expires, s.expires_at - make_interval(secs => s.lifetime_seconds) as renewed,
    (select count(*)::int from (select from understudy.users u where u.sandbox_id = s.id
      limit ${slot('most', 'int4')} + 1) counted) as users,
    (select count(*)::int from (select from understudy.subscriptions n where n.sandbox_id = s.id
      limit ${slot('most', 'int4')} + 1) counted) as subscriptions,
    (select count(x.snapshot_name)::int from understudy.sandboxes x where x.snapshot_of = s.id) as snapshots`;

export const sandboxesPerPage = 50;

/** A page, from 0, of the sandboxes with a part in their names, `default` first; `total` counts those of all pages. */
export const listSummaries = prepare<
  Counted & { part: string; by_use: boolean; page: number },
  SandboxSummary & { readonly total: number }
>(
  (_db, slot) => sql`select ${summaryOf(slot)}, s.total
    from (select *, row_number() over (order by x.name <> 'default',
        case when ${slot('by_use', 'boolean')} then x.expires_at - make_interval(secs => x.lifetime_seconds) end desc,
        x.name) as place, count(*) over ()::int as total
      from understudy.sandboxes x where x.name is not null and strpos(x.name, ${slot('part', 'text')}) > 0) s
    where s.place > ${slot('page', 'int4')} * ${sql.lit(sandboxesPerPage)}
      and s.place <= (${slot('page', 'int4')} + 1) * ${sql.lit(sandboxesPerPage)}
    order by s.place`,
);

export interface SandboxState extends SandboxSummary {
  /** Where the clock is stopped. */
  readonly now: string | null;
  /** When what Undo returns to was kept; null without an undo. */
  readonly kept: Date | null;
}

export const findState = prepare<Counted & { name: string }, SandboxState>(
  (_db, slot) => sql`select ${summaryOf(slot)}, ${sql.raw(wireMoment('c.clock'))} as now,
      (select x.created_at from understudy.sandboxes x where x.snapshot_of = s.id and x.snapshot_name is null
        and x.created_at > now() - ${undoLifetime}) as kept
    from understudy.sandboxes s join understudy.counters c on c.sandbox_id = s.id
    where s.name = ${slot('name', 'text')}`,
);

export const listNames = prepare<object, { name: string }>(
  () => sql`select name from understudy.sandboxes where name is not null order by name <> 'default', name`,
);
