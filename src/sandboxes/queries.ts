// The SQL of sandboxes. Each change is one statement (functions: migrations/0003-sandboxes.ts).
import { type Expression, sql } from 'kysely';
import { prepare, wireMoment } from '../database/prepare.ts';
import * as schemas from './sandbox-schemas.ts';

// The most tokens made with a sandbox, and the most that `addToken` lets it have.
const maxTokens = 100;
export const maxCreatedTokens = 10_000;
// How long Undo is offered. A day later, it would destroy a day's work.
const undoLifetime = sql`interval '1 hour'`;
export const maxSnapshots = 20;

const at = (column: string) => sql.raw(wireMoment(column));

const sandboxColumns = sql`
  s.name, s.seed_name as seed,
  ${at('s.created_at')} as created, ${at('s.expires_at')} as expires, s.lifetime_seconds as expires_in_seconds,
  array(
    select x.snapshot_name
    from understudy.sandboxes x
    where x.snapshot_of = s.id and x.snapshot_name is not null
    order by x.snapshot_name) as snapshots`;
const selectSandboxes = sql`select ${sandboxColumns} from understudy.sandboxes s`;

export const findSandbox = prepare<{ name: string }, Omit<schemas.Sandbox, 'base_url'>>(
  (_db, slot) => sql`${selectSandboxes} where s.name = ${slot('name', 'text')}`,
);

export const listSandboxes = prepare<object, Omit<schemas.Sandbox, 'base_url'>>(
  () => sql`${selectSandboxes} where s.name is not null order by s.name`,
);

const countUpToMax = (table: 'users' | 'subscriptions') => sql`(
  select count(*)::int
  from (
    select from ${sql.table(`understudy.${table}`)} t
    where t.sandbox_id = s.id
    limit ${sql.lit(schemas.maxUndoRows + 1)}
  ) counted)`;

/** A sandbox in detail. The counts stop early: a slow read would delay other reads. */
export const findState = prepare<{ name: string }, Omit<schemas.SandboxDetail, 'base_url'>>(
  (_db, slot) => sql`
    select ${sandboxColumns},
      ${countUpToMax('users')} as user_count,
      ${countUpToMax('subscriptions')} as subscription_count,
      (select ${at('c.clock')} from understudy.counters c where c.sandbox_id = s.id) as clock,
      (
        select ${at('x.created_at')}
        from understudy.sandboxes x
        where x.snapshot_of = s.id and x.snapshot_name is null and x.created_at > now() - ${undoLifetime}
      ) as undo,
      (
        select coalesce(json_agg(listed), '[]')
        from (
          select u.username, u.is_superuser
          from understudy.users u
          where u.sandbox_id = s.id and u.is_active and not u.is_internal
          order by u.id
          limit ${sql.lit(maxTokens)}
        ) listed
      ) as users
    from understudy.sandboxes s
    where s.name = ${slot('name', 'text')}`,
);

export const findSource = prepare<{ name: string }, { id: number; baseline_id: number | null }>((db, slot) =>
  db.selectFrom('understudy.sandboxes').where('name', '=', slot('name', 'text')).select(['id', 'baseline_id']),
);

interface WantedSandbox extends Readonly<Record<'source_id' | 'lifetime_seconds' | 'maximum', number>> {
  readonly name: string;
  /** False: an existing sandbox stays, and the outcome is `taken`. */
  readonly replaces: boolean;
}

interface PutRow {
  /** `there`: the sandbox exists, and the lanes for copies may not replace it. */
  readonly outcome: 'created' | 'replaced' | 'there' | 'taken' | 'full' | 'source gone';
  readonly added: schemas.UserToken | null;
}

/** Creates or replaces a sandbox. Returns a row for each user who got a token, or one row without a user. */
export const putSandbox = prepare<WantedSandbox, PutRow>(
  (_db, slot) => sql`
    select p.outcome, to_json(t) as added
    from understudy.put_sandbox(
      ${slot('name', 'text')}, ${slot('source_id', 'int4')}, ${slot('lifetime_seconds', 'int4')},
      ${slot('maximum', 'int4')}, ${slot('replaces', 'boolean')}) p
    left join lateral understudy.add_sandbox_tokens(p.sandbox_id, ${sql.lit(maxTokens)}) t on true`,
);

// A larger copy would occupy the database for seconds.
const maxWaitingRows = 20_000;

/** False if there is a copy already, or if the template is too large or gone. */
export const addWaitingCopy = prepare<{ template: number }, { value: boolean }>(
  (_db, slot) => sql`
    select understudy.add_waiting_copy(${slot('template', 'int4')}, ${sql.lit(maxWaitingRows)}) as value`,
);

/** No row without such a sandbox. No token without such a user, or if `is_full`. */
export const addToken = prepare<
  { name: string; username: string },
  { readonly is_full: boolean; readonly added: schemas.UserToken | null }
>(
  (_db, slot) => sql`
    select o.is_full, to_json(t) as added
    from understudy.sandboxes s
    cross join lateral (
      select count(*) >= ${sql.lit(maxCreatedTokens)} as is_full
      from understudy.sandbox_tokens k
      where k.sandbox_id = s.id
    ) o
    left join lateral understudy.add_sandbox_tokens(
      s.id, case when o.is_full then 0 else 1 end, array[${slot('username', 'text')}]) t on true
    where s.name = ${slot('name', 'text')}`,
);

/** The tokens made for the sandbox. A deleted user's name is in lower case. */
export const listTokens = prepare<{ name: string }, schemas.TokenEntry>(
  (_db, slot) => sql`
    select
      encode(substr(o.hash, 1, 8), 'hex') as id,
      coalesce(u.username, o.username_key) as username,
      ${at('o.created_at')} as created
    from understudy.sandboxes s
    join understudy.sandbox_tokens o on o.sandbox_id = s.id
    left join understudy.users u
      on u.sandbox_id = o.sandbox_id and u.username_key = o.username_key
    where s.name = ${slot('name', 'text')}
    order by o.created_at, u.id, o.hash`,
);

/** No row without such a sandbox. False if the sandbox has no such token. */
export const revokeToken = prepare<{ name: string; token: string }, { value: boolean }>(
  (_db, slot) => sql`
    select understudy.revoke_sandbox_token(s.id, ${slot('token', 'text')}) as value
    from understudy.sandboxes s
    where s.name = ${slot('name', 'text')}`,
);

const wireClock = sql`${at('c.clock')} as now`;

export const findClock = prepare<{ name: string }, schemas.Clock>(
  (_db, slot) => sql`
    select ${wireClock}
    from understudy.sandboxes s
    join understudy.counters c on c.sandbox_id = s.id
    where s.name = ${slot('name', 'text')}`,
);

interface ClockChange {
  readonly name: string;
  /**
   * True: adds `by_ms` to a stopped clock, or to `now` if the clock runs. False: the clock stops at `now`.
   */
  readonly advances: boolean;
  /** Null lets the clock run. */
  readonly now: Date | string | null;
  readonly by_ms: number;
}

/** No row without such a sandbox, or if the clock would pass the year 9999. */
export const changeClock = prepare<ClockChange, schemas.Clock>((_db, slot) => {
  const now = slot('now', 'timestamptz');
  const clock = sql`
    case
      when ${slot('advances', 'boolean')}
        then coalesce(c.clock, ${now}) + ${slot('by_ms', 'float8')} * interval '1 millisecond'
      else ${now}
    end`;
  return sql`
    update understudy.counters c
    set clock = ${clock}
    from understudy.sandboxes s
    where s.name = ${slot('name', 'text')}
      and c.sandbox_id = s.id
      and (${clock} < '10000-01-01Z') is not false
    returning ${wireClock}`;
});

type Reset = { readonly value: 'done' | 'no sandbox' | 'no source' };

/** With `max_undo_rows`, keeps the former content for an undo, unless it has more rows. */
export const resetSandbox = prepare<{ name: string; snapshot: string | null; max_undo_rows: number | null }, Reset>(
  (_db, slot) => sql`
    select understudy.reset_sandbox(
      ${slot('name', 'text')}, ${slot('snapshot', 'text')}, ${slot('max_undo_rows', 'int4')}) as value`,
);

/** The lock that each change of a whole sandbox takes first (docs/decisions/0009). */
const lockByName = (name: Expression<string>) => sql`
  select c.sandbox_id
  from understudy.sandboxes s
  join understudy.counters c on c.sandbox_id = s.id
  where s.name = ${name}
  for update of c`;

/** No row without such a sandbox. */
export const keepUndo = prepare<{ name: string }, unknown>(
  (_db, slot) => sql`
    with locked as materialized (${lockByName(slot('name', 'text'))})
    select understudy.keep_undo(l.sandbox_id, ${sql.lit(schemas.maxUndoRows)})
    from locked l`,
);

export const undo = prepare<{ name: string }, Reset>(
  (_db, slot) => sql`select understudy.undo_sandbox(${slot('name', 'text')}, ${undoLifetime}) as value`,
);

type SnapshotParams = { readonly name: string; readonly snapshot: string };

export const putSnapshot = prepare<SnapshotParams, { value: 'created' | 'replaced' | 'full' | 'no sandbox' }>(
  (_db, slot) => sql`
    select understudy.put_snapshot(
      ${slot('name', 'text')}, ${slot('snapshot', 'text')}, ${sql.lit(maxSnapshots)}) as value`,
);

export const listSnapshots = prepare<{ name: string }, schemas.Snapshot>(
  (_db, slot) => sql`
    select x.snapshot_name as name, ${at('x.created_at')} as created, x.seed_name as seed
    from understudy.sandboxes s
    join understudy.sandboxes x on x.snapshot_of = s.id
    where s.name = ${slot('name', 'text')} and x.snapshot_name is not null
    order by x.snapshot_name`,
);

/** No row without such a sandbox. False if the sandbox has no such snapshot. */
export const deleteSnapshot = prepare<SnapshotParams, { value: boolean }>(
  (_db, slot) => sql`
    with locked as materialized (${lockByName(slot('name', 'text'))})
    select x.id is not null as value, case when x.id is not null then understudy.drop_rows(x.id) end
    from locked l
    left join understudy.sandboxes x
      on x.snapshot_of = l.sandbox_id and x.snapshot_name = ${slot('snapshot', 'text')}`,
);

/** Deletes the sandbox if it expired at least `expired_for_seconds` ago; null: in any case. */
export const deleteSandbox = prepare<{ name: string; expired_for_seconds: number | null }, { value: boolean }>(
  (_db, slot) => sql`
    select understudy.drop_sandbox(
      s.id, now() - make_interval(secs => ${slot('expired_for_seconds', 'int4')})) as value
    from understudy.sandboxes s
    where s.name = ${slot('name', 'text')}`,
);

/** Restarts lifetimes. Skips locked sandboxes, and returns their names. */
export const renew = prepare<{ names: readonly string[] }, { name: string }>(
  (_db, slot) => sql`
    with used as (
      select id
      from understudy.sandboxes
      where name = any(${slot('names', 'text[]')}) and lifetime_seconds is not null
      order by id
      for no key update skip locked
    ), renewed as (
      update understudy.sandboxes s
      set expires_at = now() + make_interval(secs => s.lifetime_seconds)
      from used
      where s.id = used.id
      returning s.id
    )
    select s.name
    from understudy.sandboxes s
    where s.name = any(${slot('names', 'text[]')})
      and s.lifetime_seconds is not null
      and not exists (select from renewed where renewed.id = s.id)
    order by s.name`,
);

export const listExpired = prepare<{ grace_seconds: number }, { name: string }>(
  (_db, slot) => sql`
    select name
    from understudy.sandboxes
    where name is not null
      and expires_at < now() - make_interval(secs => ${slot('grace_seconds', 'int4')})
    order by id`,
);

/** Templates that no sandbox or snapshot resets to, and waiting copies, if old enough. */
export const listUnused = prepare<{ older_than_seconds: number }, { id: number }>(
  (_db, slot) => sql`
    select t.id
    from understudy.sandboxes t
    where t.name is null
      and t.snapshot_of is null
      and t.created_at < now() - make_interval(secs => ${slot('older_than_seconds', 'int4')})
      and not exists (
        select from understudy.sandboxes s
        where s.baseline_id = t.id and (s.name is not null or s.snapshot_of is not null))
    order by t.id`,
);

/** The sandboxes that keep content which Undo no longer offers. */
export const listOldUndos = prepare<object, { id: number }>(
  () => sql`
    select snapshot_of as id
    from understudy.sandboxes
    where snapshot_of is not null
      and snapshot_name is null
      and created_at < now() - ${undoLifetime}
    order by id`,
);

export const dropOldUndo = prepare<{ id: number }, unknown>(
  (_db, slot) => sql`select understudy.drop_undo(${slot('id', 'int4')}, ${undoLifetime})`,
);
