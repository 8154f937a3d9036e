// The SQL of sandboxes. Functions of the database change them (migrations/0003-sandboxes.ts), each by one statement.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { prepare, wireMoment } from '../database/prepare.ts';
import type { Tables } from '../database/tables.ts';
import { deleteUnusedTemplate } from '../seeds/load/write-queries.ts';
import {
  type Clock,
  maxUndoRows,
  type Sandbox,
  type SandboxDetail,
  type Snapshot,
  type TokenEntry,
  type UserToken,
} from './sandbox-schemas.ts';

export type Db = Kysely<Tables>;

// Further users get a token by addToken.
const maxTokens = 100;
// A day later, Undo would destroy a day's work. Also how long the database keeps it.
const undoLifetime = sql`interval '1 hour'`;
export const maxSnapshots = 20;

const findOne = async <T>(db: Db, query: RawBuilder<T>): Promise<T | undefined> => (await query.execute(db)).rows[0];

const findValue = async <V>(db: Db, query: RawBuilder<{ value: V }>): Promise<V | undefined> =>
  (await findOne(db, query))?.value;

export type SandboxRow = Omit<Sandbox, 'base_url' | 'created' | 'expires'> & { created: Date; expires: Date | null };

const sandboxColumns = sql`
  s.name, s.seed_name as seed,
  s.created_at as created, s.expires_at as expires, s.lifetime_seconds as expires_in_seconds,
  array(
    select x.snapshot_name
    from understudy.sandboxes x
    where x.snapshot_of = s.id and x.snapshot_name is not null
    order by x.snapshot_name) as snapshots`;
const selectSandboxes = sql`select ${sandboxColumns} from understudy.sandboxes s`;

export const findSandbox = prepare<{ name: string }, SandboxRow>(
  (_db, slot) => sql`${selectSandboxes} where s.name = ${slot('name', 'text')}`,
);

export const listSandboxes = prepare<object, SandboxRow>(
  () => sql`${selectSandboxes} where s.name is not null order by s.name`,
);

type StateRow = SandboxRow &
  Pick<SandboxDetail, 'user_count' | 'subscription_count' | 'clock'> & { readonly undo: Date | null };

/** With what takes longer to find. The counts stop early: the statement shares its connection with all reads. */
export const findState = prepare<{ name: string }, StateRow>(
  (_db, slot) => sql`
    select ${sandboxColumns},
      (select count(*)::int from (
        select from understudy.users u where u.sandbox_id = s.id limit ${sql.lit(maxUndoRows + 1)}
      ) counted) as user_count,
      (select count(*)::int from (
        select from understudy.subscriptions n where n.sandbox_id = s.id limit ${sql.lit(maxUndoRows + 1)}
      ) counted) as subscription_count,
      (select ${sql.raw(wireMoment('c.clock'))} from understudy.counters c where c.sandbox_id = s.id) as clock,
      (
        select x.created_at
        from understudy.sandboxes x
        where x.snapshot_of = s.id and x.snapshot_name is null and x.created_at > now() - ${undoLifetime}
      ) as undo
    from understudy.sandboxes s
    where s.name = ${slot('name', 'text')}`,
);

/** The first active users. */
export const listUsers = prepare<{ name: string }, SandboxDetail['users'][number]>(
  (_db, slot) => sql`
    select u.username, u.is_superuser
    from understudy.users u
    where u.sandbox_id = (
        select id from understudy.sandboxes where name = ${slot('name', 'text')})
      and u.is_active
      and not u.is_internal
    order by u.id
    limit ${sql.lit(maxTokens)}`,
);

export const findSource = prepare<{ name: string }, { id: number; baseline_id: number | null }>((db, slot) =>
  db.selectFrom('understudy.sandboxes').where('name', '=', slot('name', 'text')).select(['id', 'baseline_id']),
);

interface WantedSandbox {
  readonly name: string;
  readonly sourceId: number;
  readonly lifetimeSeconds: number;
  /** How many sandboxes there may be. */
  readonly maximum: number;
  /** False: an existing one stays, and the outcome is `taken`. */
  readonly replaces: boolean;
}

/** Creates or replaces a sandbox, with tokens of its own for its first users. */
export async function putSandbox(db: Db, { name, sourceId, lifetimeSeconds, maximum, replaces }: WantedSandbox) {
  const { rows } = await sql<{ outcome: 'created' | 'replaced' | 'taken' | 'full' | 'source gone' } & UserToken>`
    select p.outcome, t.username, t.is_superuser, t.token
    from understudy.put_sandbox(
      ${name}, ${sourceId}::int4, ${lifetimeSeconds}::int4, ${maximum}::int4, ${replaces}) p
    left join lateral understudy.add_sandbox_tokens(p.sandbox_id, ${maxTokens}::int4) t on true`.execute(db);
  return {
    outcome: rows[0]?.outcome ?? 'source gone',
    tokens: rows.flatMap(({ outcome: _outcome, ...user }): UserToken[] => (user.token === null ? [] : [user])),
  };
}

/** Undefined if the sandbox or the user is missing. */
export const addToken = (db: Db, name: string, username: string): Promise<UserToken | undefined> =>
  findOne(
    db,
    sql`
      select t.*
      from understudy.sandboxes s,
        understudy.add_sandbox_tokens(s.id, 1, array[${username}::text]) t
      where s.name = ${name}`,
  );

/** Those made for the sandbox; the username is folded where the sandbox has no such user now. */
export const listTokens = prepare<{ name: string }, Omit<TokenEntry, 'created'> & { created: Date }>(
  (_db, slot) => sql`
    select
      encode(substr(o.hash, 1, 8), 'hex') as id,
      coalesce(u.username, o.username_key) as username,
      o.created_at as created
    from understudy.sandboxes s
    join understudy.sandbox_tokens o on o.sandbox_id = s.id
    left join understudy.users u
      on u.sandbox_id = o.sandbox_id and u.username_key = o.username_key
    where s.name = ${slot('name', 'text')}
    order by o.created_at, u.id, o.hash`,
);

/** Undefined if there is no such sandbox, false if it has no such token. */
export const revokeToken = (db: Db, name: string, token: string) =>
  findValue(
    db,
    sql<{ value: boolean }>`
      select understudy.revoke_sandbox_token(s.id, ${token}) as value
      from understudy.sandboxes s
      where s.name = ${name}`,
  );

const wireClock = sql.raw(`${wireMoment('c.clock')} as now`);

export const findClock = prepare<{ name: string }, Clock>(
  (_db, slot) => sql`
    select ${wireClock}
    from understudy.sandboxes s
    join understudy.counters c on c.sandbox_id = s.id
    where s.name = ${slot('name', 'text')}`,
);

/** Undefined if there is no such sandbox, or the clock would pass the year 9999. */
export function changeClock(db: Db, name: string, now: string | null | undefined, byMs: number) {
  // The rate limits go by this process's time. The bound is within what an interval holds.
  const advanced = sql`(
    coalesce(c.clock, ${new Date()}::timestamptz)
    + ${Math.min(byMs, 1e15)}::float8 * interval '1 millisecond')`;
  const clock = now === undefined ? advanced : sql`${now}::timestamptz`;
  return findOne(
    db,
    sql<Clock>`
      update understudy.counters c
      set clock = ${clock}
      from understudy.sandboxes s
      where s.name = ${name}
        and c.sandbox_id = s.id
        and (${clock} < '10000-01-01Z') is not false
      returning ${wireClock}`,
  );
}

type Reset = { value: 'done' | 'no sandbox' | 'no source' };

/** @param most for an undo: keeps what was, up to so many users and subscriptions */
export const resetSandbox = (db: Db, name: string, snapshot: string | null, most: number | null) =>
  findValue(db, sql<Reset>`select understudy.reset_sandbox(${name}, ${snapshot}::text, ${most}::int4) as value`);

export const undo = (db: Db, name: string) =>
  findValue(db, sql<Reset>`select understudy.undo_sandbox(${name}, ${undoLifetime}) as value`);

export const putSnapshot = (db: Db, name: string, snapshot: string) =>
  findValue(
    db,
    sql<{ value: 'created' | 'replaced' | 'full' | 'no sandbox' }>`
      select understudy.put_snapshot(${name}, ${snapshot}, ${maxSnapshots}::int4) as value`,
  );

export const listSnapshots = prepare<{ name: string }, Omit<Snapshot, 'created'> & { created: Date }>(
  (_db, slot) => sql`
    select x.snapshot_name as name, x.created_at as created, x.seed_name as seed
    from understudy.sandboxes s
    join understudy.sandboxes x on x.snapshot_of = s.id
    where s.name = ${slot('name', 'text')} and x.snapshot_name is not null
    order by x.snapshot_name`,
);

/** Undefined if there is no such sandbox, false if it has no such snapshot. */
export const deleteSnapshot = (db: Db, name: string, snapshot: string) =>
  findValue(
    db,
    sql<{ value: boolean }>`
      with locked as materialized (
        select c.sandbox_id
        from understudy.sandboxes s
        join understudy.counters c on c.sandbox_id = s.id
        where s.name = ${name}
        for update of c
      )
      select x.id is not null as value, case when x.id is not null then understudy.drop_rows(x.id) end
      from locked l
      left join understudy.sandboxes x
        on x.snapshot_of = l.sandbox_id and x.snapshot_name = ${snapshot}`,
  );

/** False if there is no such sandbox. @param expiredForSeconds deletes it only if it expired as long ago */
export async function deleteSandbox(db: Db, name: string, expiredForSeconds: number | null = null): Promise<boolean> {
  const query = sql<{ value: boolean }>`
    select understudy.drop_sandbox(
      s.id, now() - make_interval(secs => ${expiredForSeconds}::int4)) as value
    from understudy.sandboxes s
    where s.name = ${name}`;
  return (await findValue(db, query)) === true;
}

/** Restarts lifetimes. Skips locked sandboxes rather than wait, and returns their names. */
export async function renew(db: Db, names: readonly string[]) {
  const locked = await sql<{ name: string }>`
    with used as (
      select id
      from understudy.sandboxes
      where name = any(${names}::text[]) and lifetime_seconds is not null
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
    where s.name = any(${names}::text[])
      and s.lifetime_seconds is not null
      and not exists (select from renewed where renewed.id = s.id)
    order by s.name`.execute(db);
  return locked.rows.map(({ name }) => name);
}

export async function listExpired(db: Db, graceSeconds: number) {
  const { rows } = await sql<{ name: string }>`
    select name
    from understudy.sandboxes
    where name is not null
      and expires_at < now() - make_interval(secs => ${graceSeconds}::int4)
    order by id`.execute(db);
  return rows.map(({ name }) => name);
}

/** Deletes templates that no sandbox resets to, what a stopped process left unfinished, and what Undo no longer offers. */
export async function deleteUnused(db: Db, olderThanSeconds: number) {
  const unused = await sql<{ id: number }>`
    select t.id
    from understudy.sandboxes t
    where t.name is null
      and t.snapshot_of is null
      and t.created_at < now() - make_interval(secs => ${olderThanSeconds}::int4)
      and not exists (select from understudy.sandboxes s where s.baseline_id = t.id)
    order by t.id`.execute(db);
  for (const { id } of unused.rows) await deleteUnusedTemplate(db, id);
  const undos = await sql<{ owner: number }>`
    select snapshot_of as owner
    from understudy.sandboxes
    where snapshot_of is not null
      and snapshot_name is null
      and created_at < now() - ${undoLifetime}
    order by id`.execute(db);
  for (const { owner } of undos.rows) await sql`select understudy.drop_undo(${owner}, ${undoLifetime})`.execute(db);
}
