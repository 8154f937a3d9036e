// The SQL of sandboxes. Functions of the database change them (migrations/0004-sandboxes.ts), each by one atomic statement.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { prepare } from '../database/prepare.ts';
import type { Tables } from '../database/tables.ts';
import { dropUnusedTemplate } from '../load/copy-queries.ts';
import type { SandboxDetail, UserToken } from './sandbox-schemas.ts';

export type Db = Kysely<Tables>;

async function one<T>(db: Db, query: RawBuilder<T>): Promise<T> {
  return (await query.execute(db)).rows[0] as T;
}

export interface SandboxRow {
  readonly name: string;
  readonly seed_name: string | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly lifetime_seconds: number | null;
  readonly snapshots: string[];
}

const selectSandboxes = sql`select s.name, s.seed_name, s.created_at, s.expires_at, s.lifetime_seconds,
    array(select x.snapshot_name from understudy.sandboxes x where x.snapshot_of = s.id order by x.snapshot_name) as snapshots
  from understudy.sandboxes s`;

export const findSandbox = prepare<{ name: string }, SandboxRow>(
  (_db, slot) => sql`${selectSandboxes} where s.name = ${slot('name', 'text')}`,
);

export const listSandboxes = prepare<object, SandboxRow>(
  () => sql`${selectSandboxes} where s.name is not null order by s.name`,
);

/** The first active users. */
export const listUsers = prepare<{ name: string; limit: number }, SandboxDetail['users'][number]>(
  (_db, slot) => sql`select u.username, u.is_superuser from understudy.users u
    where u.sandbox_id = (select id from understudy.sandboxes where name = ${slot('name', 'text')})
      and u.is_active and not u.is_internal
    order by u.id limit ${slot('limit', 'int4')}`,
);

/** `id` is the sandbox as it is now, `baseline_id` what it resets to. */
export const findSource = prepare<{ name: string }, { id: number; baseline_id: number | null }>((db, slot) =>
  db.selectFrom('understudy.sandboxes').where('name', '=', slot('name', 'text')).select(['id', 'baseline_id']),
);

export interface PutSandbox {
  readonly name: string;
  readonly sourceId: number;
  readonly lifetimeSeconds: number;
  /** How many sandboxes there may be. */
  readonly maximum: number;
  readonly maxTokens: number;
}

/** Creates or replaces a sandbox, with tokens of its own for its first users. */
export async function putSandbox(db: Db, put: PutSandbox) {
  const { rows } = await sql<{ outcome: 'created' | 'replaced' | 'full' | 'source gone' } & UserToken>`
    select p.outcome, t.username, t.is_superuser, t.token
    from understudy.put_sandbox(${put.name}, ${put.sourceId}::int4, ${put.lifetimeSeconds}::int4, ${put.maximum}::int4) p
    left join lateral understudy.add_sandbox_tokens(p.sandbox_id, ${put.maxTokens}::int4) t on true`.execute(db);
  return {
    outcome: rows[0]?.outcome ?? 'source gone',
    tokens: rows.flatMap(({ outcome: _outcome, ...user }): UserToken[] => (user.token === null ? [] : [user])),
  };
}

/** A token for one user that survives resets. Undefined if the sandbox or the user is missing. */
export const addToken = (db: Db, name: string, username: string): Promise<UserToken | undefined> =>
  one(
    db,
    sql<UserToken | undefined>`select t.* from understudy.sandboxes s,
      understudy.add_sandbox_tokens(s.id, 1, array[${username}::text]) t where s.name = ${name}`,
  );

export async function resetSandbox(db: Db, name: string, snapshot: string | null = null) {
  const query = sql<{ outcome: 'done' | 'no sandbox' | 'no source' }>`
    select understudy.reset_sandbox(${name}, ${snapshot}::text) as outcome`;
  return (await one(db, query)).outcome;
}

export async function putSnapshot(db: Db, name: string, snapshot: string, maximum: number) {
  const query = sql<{ outcome: 'created' | 'replaced' | 'full' | 'no sandbox' }>`
    select understudy.put_snapshot(${name}, ${snapshot}, ${maximum}::int4) as outcome`;
  return (await one(db, query)).outcome;
}

/** False if there is no such sandbox. */
export async function dropSandbox(db: Db, name: string): Promise<boolean> {
  const query = sql<{ dropped: boolean } | undefined>`select understudy.drop_sandbox(s.id) as dropped
    from understudy.sandboxes s where s.name = ${name}`;
  return (await one(db, query))?.dropped ?? false;
}

/** Restarts the lifetime of used sandboxes. Skips locked ones rather than wait, and returns their names. */
export async function renew(db: Db, names: readonly string[]): Promise<string[]> {
  const locked = await sql<{ name: string }>`with used as (
      select id from understudy.sandboxes where name = any(${names}::text[]) and lifetime_seconds is not null
      order by id for no key update skip locked),
    renewed as (
      update understudy.sandboxes s set expires_at = now() + make_interval(secs => s.lifetime_seconds)
      from used where s.id = used.id returning s.id)
    select s.name from understudy.sandboxes s where s.name = any(${names}::text[]) and s.lifetime_seconds is not null
      and not exists (select from renewed where renewed.id = s.id) order by s.name`.execute(db);
  return locked.rows.map(({ name }) => name);
}

export async function listExpired(db: Db, graceSeconds: number): Promise<{ id: number; name: string }[]> {
  const query = sql<{ id: number; name: string }>`select id, name from understudy.sandboxes
    where name is not null and expires_at < now() - make_interval(secs => ${graceSeconds}::int4) order by id`;
  return (await query.execute(db)).rows;
}

/** False if the sandbox was used or dropped since it was listed. */
export async function dropIfExpired(db: Db, id: number, graceSeconds: number): Promise<boolean> {
  const { rows } = await sql<{ dropped: boolean }>`select understudy.drop_sandbox(${id}::int4,
    now() - make_interval(secs => ${graceSeconds}::int4)) as dropped`.execute(db);
  return rows[0]?.dropped === true;
}

/** Drops templates that no sandbox resets to, and what a stopped process left unfinished. */
export async function dropUnusedTemplates(db: Db, olderThanSeconds: number): Promise<void> {
  const unused = await sql<{ id: number }>`select t.id from understudy.sandboxes t
    where t.name is null and t.snapshot_of is null and t.created_at < now() - make_interval(secs => ${olderThanSeconds}::int4)
      and not exists (select from understudy.sandboxes s where s.baseline_id = t.id) order by t.id`.execute(db);
  for (const { id } of unused.rows) await dropUnusedTemplate(db, id);
}
