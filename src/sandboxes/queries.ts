// The SQL of sandboxes. What changes them are functions of the database (migrations/0004-sandboxes.ts), each one statement and one act.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Handle, prepare } from '../database/prepare.ts';
import type { Tables } from '../database/tables.ts';

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

const selectSandbox = prepare<{ name: string }, SandboxRow>(
  (_db, slot) => sql`${selectSandboxes} where s.name = ${slot('name', 'text')}`,
);
export const findSandbox = async (db: Handle, name: string): Promise<SandboxRow | undefined> =>
  (await selectSandbox(db, { name }))[0];

const selectAll = prepare<object, SandboxRow>(() => sql`${selectSandboxes} where s.name is not null order by s.name`);
export const listSandboxes = (db: Handle): Promise<SandboxRow[]> => selectAll(db, {});

export interface UserRow {
  readonly username: string;
  readonly is_superuser: boolean;
}

const selectUsers = prepare<{ name: string; limit: number }, UserRow>(
  (_db, slot) => sql`select u.username, u.is_superuser from understudy.users u
    where u.sandbox_id = (select id from understudy.sandboxes where name = ${slot('name', 'text')})
      and u.is_active and not u.is_internal
    order by u.id limit ${slot('limit', 'int4')}`,
);
/** The first users who can use a token. */
export const listUsers = (db: Handle, name: string, limit: number): Promise<UserRow[]> =>
  selectUsers(db, { name, limit });

const selectSource = prepare<{ name: string; first: boolean }, { id: number }>(
  (_db, slot) => sql`select case when ${slot('first', 'boolean')} then coalesce(baseline_id, id) else id end as id
    from understudy.sandboxes where name = ${slot('name', 'text')}`,
);
/** The sandbox itself, to be copied as it stands; `default` at first: what it resets to. Undefined where there is none. */
export const findSource = async (db: Handle, name: string, what: 'now' | 'first'): Promise<number | undefined> =>
  (await selectSource(db, { name, first: what === 'first' }))[0]?.id;

export interface OwnToken extends UserRow {
  readonly token: string;
}

export interface PutSandbox {
  readonly name: string;
  readonly sourceId: number;
  readonly lifetimeSeconds: number;
  /** How many sandboxes there may be. */
  readonly maximum: number;
  readonly maxTokens: number;
}

/** Makes a sandbox, or makes it anew; with tokens of its own for its first users. */
export async function putSandbox(
  db: Db,
  put: PutSandbox,
): Promise<{ outcome: 'created' | 'replaced' | 'full' | 'source gone'; tokens: OwnToken[] }> {
  const { rows } = await sql<{ outcome: 'created' | 'replaced' | 'full' | 'source gone' } & OwnToken>`
    select p.outcome, t.username, t.is_superuser, t.token
    from understudy.put_sandbox(${put.name}, ${put.sourceId}::int4, ${put.lifetimeSeconds}::int4, ${put.maximum}::int4) p
    left join lateral understudy.add_sandbox_tokens(p.sandbox_id, ${put.maxTokens}::int4) t on true`.execute(db);
  const tokens = rows.filter((row) => row.token !== null);
  return {
    outcome: rows[0]?.outcome ?? 'source gone',
    tokens: tokens.map(({ username, is_superuser, token }) => ({ username, is_superuser, token })),
  };
}

/** A token for one user that survives resets. Undefined where the sandbox or the user is missing. */
export const addToken = (db: Db, name: string, username: string): Promise<OwnToken | undefined> =>
  one(
    db,
    sql<OwnToken | undefined>`select t.* from understudy.sandboxes s,
      understudy.add_sandbox_tokens(s.id, 1, array[${username}::text]) t where s.name = ${name}`,
  );

export type ResetOutcome = 'done' | 'no sandbox' | 'no source';
export const resetSandbox = async (db: Db, name: string, snapshot: string | null = null): Promise<ResetOutcome> =>
  (
    await one(
      db,
      sql<{ outcome: ResetOutcome }>`select understudy.reset_sandbox(${name}, ${snapshot}::text) as outcome`,
    )
  ).outcome;

export type SnapshotOutcome = 'created' | 'replaced' | 'full' | 'no sandbox';
export const putSnapshot = async (db: Db, name: string, snapshot: string, maximum: number): Promise<SnapshotOutcome> =>
  (
    await one(
      db,
      sql<{
        outcome: SnapshotOutcome;
      }>`select understudy.put_snapshot(${name}, ${snapshot}, ${maximum}::int4) as outcome`,
    )
  ).outcome;

/** False where there is no such sandbox. */
export async function dropSandbox(db: Db, name: string): Promise<boolean> {
  const query = sql<{ dropped: boolean } | undefined>`select understudy.drop_sandbox(s.id) as dropped
    from understudy.sandboxes s where s.name = ${name}`;
  return (await one(db, query))?.dropped ?? false;
}
