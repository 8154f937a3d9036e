// What a sandbox holds already of the things that a seed names, and its counters.
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Handle, prepare } from '../database/prepare.ts';
import type { Tables } from '../database/tables.ts';

export type Db = Transaction<Tables>;
type Ids = readonly number[];
type Texts = readonly string[];

// What is looked for stands in arrays, not in subselects: those would be filters beside an `or`, and read the whole sandbox.
async function all<T>(db: Db, query: RawBuilder<T>): Promise<T[]> {
  return (await query.execute(db)).rows;
}

/** Thrown where a sandbox was dropped since its id was looked up. */
export class SandboxGone extends Error {
  override readonly name = 'SandboxGone';
}

/**
 * Takes the sandbox for itself: every other writer waits at this row, which each locks before anything else of the sandbox
 * (docs/decisions/0009). Throws SandboxGone.
 */
export const lockCounters = (db: Db, sandboxId: number) =>
  db
    .selectFrom('understudy.counters')
    .selectAll()
    .where('sandbox_id', '=', sandboxId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new SandboxGone(`there is no sandbox ${sandboxId}`));

export interface ProjectRow {
  readonly id: number;
  readonly slug: string;
}
export const listProjects = (db: Db, sandboxId: number, slugs: Texts, ids: Ids): Promise<ProjectRow[]> =>
  all(
    db,
    sql<ProjectRow>`select id, slug from understudy.projects
      where sandbox_id = ${sandboxId} and (slug = any(${slugs}::text[]) or id = any(${ids}::int4[])) order by id`,
  );

export interface ComponentRow {
  readonly id: number;
  /** `project/component` */
  readonly path: string;
}
export const listComponents = (db: Db, sandboxId: number, paths: Texts, ids: Ids): Promise<ComponentRow[]> =>
  all(
    db,
    sql<ComponentRow>`select c.id, p.slug || '/' || c.slug as path
      from understudy.components c join understudy.projects p on p.sandbox_id = c.sandbox_id and p.id = c.project_id
      where c.sandbox_id = ${sandboxId} and (c.id = any(${ids}::int4[]) or (p.slug, c.slug) in
        (select split_part(path, '/', 1), split_part(path, '/', 2) from unnest(${paths}::text[]) path))
      order by c.id`,
  );

export interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly automatic: boolean;
  readonly defining_project_id: number | null;
}
/** All of them: which are automatic matters to every new user. */
export const listGroups = (db: Db, sandboxId: number): Promise<GroupRow[]> =>
  all(
    db,
    sql<GroupRow>`select id, name, automatic, defining_project_id from understudy.groups
      where sandbox_id = ${sandboxId} order by id`,
  );

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly username_key: string;
  readonly email_key: string | null;
}
export const listUsers = (db: Db, sandboxId: number, names: Texts, emails: Texts, ids: Ids): Promise<UserRow[]> =>
  all(
    db,
    sql<UserRow>`select id, username, username_key, email_key from understudy.users
      where sandbox_id = ${sandboxId} and (id = any(${ids}::int4[])
        or username_key = any(array(select understudy.username_key(name) from unnest(${names}::text[]) name))
        or email_key = any(array(select understudy.username_key(email) from unnest(${emails}::text[]) email)))
      order by id`,
  );

export interface SubscriptionRow {
  readonly id: number;
  readonly user_id: number;
  readonly notification: string;
  readonly scope: number;
  readonly project_id: number | null;
  readonly component_id: number | null;
}
export const listSubscriptions = (db: Db, sandboxId: number, users: Ids, ids: Ids): Promise<SubscriptionRow[]> =>
  all(
    db,
    sql<SubscriptionRow>`select id, user_id, notification, scope, project_id, component_id from understudy.subscriptions
      where sandbox_id = ${sandboxId} and (user_id = any(${users}::int4[]) or id = any(${ids}::int4[])) order by id`,
  );

export interface TokenRow {
  /** SHA-256 in hex */
  readonly hash: string;
  readonly user_id: number;
}
export const listTokens = (db: Db, sandboxId: number, hashes: Texts): Promise<TokenRow[]> =>
  all(
    db,
    sql<TokenRow>`select encode(hash, 'hex') as hash, user_id from understudy.tokens
      where sandbox_id = ${sandboxId} and hash = any(array(select decode(hex, 'hex') from unnest(${hashes}::text[]) hex))
      order by hash`,
  );

export interface Link {
  readonly owner: number;
  readonly other: number;
}
export const listMemberships = (db: Db, sandboxId: number, users: Ids): Promise<Link[]> =>
  all(
    db,
    sql<Link>`select user_id as owner, group_id as other from understudy.user_groups
      where sandbox_id = ${sandboxId} and user_id = any(${users}::int4[]) order by user_id, group_id`,
  );
export const listOpened = (db: Db, sandboxId: number, groups: Ids): Promise<Link[]> =>
  all(
    db,
    sql<Link>`select group_id as owner, project_id as other from understudy.group_projects
      where sandbox_id = ${sandboxId} and group_id = any(${groups}::int4[]) order by group_id, project_id`,
  );

/** The id of the sandbox with this name, if there is one. */
const selectSandboxId = prepare<{ name: string }, { id: number }>((db, slot) =>
  db.selectFrom('understudy.sandboxes').select('id').where('name', '=', slot('name', 'text')),
);
export const findSandboxId = async (db: Handle, name: string): Promise<number | undefined> =>
  (await selectSandboxId(db, { name }))[0]?.id;

// Any number; services that start at once on one database agree on it.
const seedingLock = 7_362_011_510;

/** Held until the transaction ends: one service fills a new database, the others wait. */
export async function lockSeeding(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(seedingLock)})`.execute(db);
}

export const getDefaultSandbox = (db: Kysely<Tables>) =>
  db
    .selectFrom('understudy.sandboxes')
    .where('name', '=', 'default')
    .select(['id', 'seeded_at', 'seed_digest'])
    .executeTakeFirstOrThrow();
