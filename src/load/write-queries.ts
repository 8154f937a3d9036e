// Sets of rows into a sandbox and out of it. Rows travel as one JSON parameter and become rows of their table's type there.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Db, Link } from './queries.ts';
import type { Kind } from '../seed/seed-schema.ts';

export type Row = Readonly<Record<string, unknown>>;

interface Shape {
  /** What tells one row from another: a seed never changes it on a row that is there. */
  readonly identity: readonly string[];
  readonly changeable: readonly string[];
}
const names = (text: string): string[] => text.split(' ');

const shapes: Readonly<Record<Kind, Shape>> = {
  projects: { identity: ['id', 'slug'], changeable: names('name web private') },
  components: { identity: names('id project_id slug'), changeable: ['name'] },
  groups: {
    identity: ['id'],
    changeable: names('name automatic project_selection language_selection defining_project_id roles permissions'),
  },
  users: {
    identity: ['id'],
    changeable: names(
      'username full_name email is_superuser is_active is_bot is_internal date_joined date_expires last_login profile',
    ),
  },
  subscriptions: {
    identity: names('id user_id notification scope project_id component_id'),
    changeable: ['frequency'],
  },
};

const tableOf = (kind: string): RawBuilder<unknown> => sql.table(`understudy.${kind}`);
const columns = (of: readonly string[], prefix: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(of.map((column) => sql`${prefix}.${sql.ref(column)}`));

async function count(db: Db, query: RawBuilder<unknown>): Promise<number> {
  return Number((await query.execute(db)).numAffectedRows ?? 0n);
}

/** Inserts whole rows. */
export function insertRows(db: Db, sandboxId: number, kind: Kind, rows: readonly Row[]): Promise<number> {
  const { identity, changeable } = shapes[kind];
  const all = [...identity, ...changeable];
  return count(
    db,
    sql`insert into ${tableOf(kind)} (sandbox_id, ${sql.join(all.map((column) => sql.ref(column)))})
      select ${sandboxId}::int4, ${columns(all, sql`r`)}
      from jsonb_populate_recordset(null::${tableOf(kind)}, ${JSON.stringify(rows)}::jsonb) r order by r.id`,
  );
}

/** Changes rows by id. What a row leaves out stays; a row that says nothing new isn't touched. Gives how many were. */
export function updateRows(db: Db, sandboxId: number, kind: Kind, rows: readonly Row[]): Promise<number> {
  const { changeable } = shapes[kind];
  const wanted = columns(changeable, sql`(w.r)`);
  return count(
    db,
    sql`update ${tableOf(kind)} t
      set ${sql.join(changeable.map((column) => sql`${sql.ref(column)} = (w.r).${sql.ref(column)}`))}
      from (
        select old.id, jsonb_populate_record(old, said) as r
        from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) said
        join ${tableOf(kind)} old on old.sandbox_id = ${sandboxId} and old.id = (said->>'id')::int4
        offset 0
      ) w
      where t.sandbox_id = ${sandboxId} and t.id = w.id and (${columns(changeable, sql`t`)}) is distinct from (${wanted})`,
  );
}

const linkColumns = { user_groups: ['user_id', 'group_id'], group_projects: ['group_id', 'project_id'] } as const;
export type LinkTable = keyof typeof linkColumns;

const pairs = (links: readonly Link[]): RawBuilder<unknown> =>
  sql`unnest(${links.map((link) => link.owner)}::int4[], ${links.map((link) => link.other)}::int4[])`;

export function insertLinks(db: Db, sandboxId: number, table: LinkTable, links: readonly Link[]): Promise<number> {
  const [owner, other] = linkColumns[table];
  return count(
    db,
    sql`insert into ${tableOf(table)} (sandbox_id, ${sql.ref(owner)}, ${sql.ref(other)})
      select ${sandboxId}::int4, l.owner, l.other from ${pairs(links)} l(owner, other)`,
  );
}

export function deleteLinks(db: Db, sandboxId: number, table: LinkTable, links: readonly Link[]): Promise<number> {
  const [owner, other] = linkColumns[table];
  return count(
    db,
    sql`delete from ${tableOf(table)} t using ${pairs(links)} l(owner, other)
      where t.sandbox_id = ${sandboxId} and t.${sql.ref(owner)} = l.owner and t.${sql.ref(other)} = l.other`,
  );
}

export interface NewToken {
  /** SHA-256 in hex */
  readonly hash: string;
  readonly user: number;
}
export function insertTokens(db: Db, sandboxId: number, tokens: readonly NewToken[]): Promise<number> {
  return count(
    db,
    sql`insert into understudy.tokens (sandbox_id, hash, user_id)
      select ${sandboxId}::int4, decode(t.hex, 'hex'), t.user_id
      from unnest(${tokens.map((token) => token.hash)}::text[], ${tokens.map((token) => token.user)}::int4[]) t(hex, user_id)`,
  );
}

// What points to others goes first, so that no cascade has to look for it row by row.
const emptied = [
  'subscriptions',
  'tokens',
  'user_groups',
  'group_projects',
  'users',
  'groups',
  'components',
  'projects',
] as const;
export type Emptied = (typeof emptied)[number];

/**
 * For this transaction: the load counts its ids itself, and takes the time that it needs. Foreign keys are looked up by plans for any
 * values: for those of a sandbox that PostgreSQL's statistics don't know yet it would expect no rows, and read all of the sandbox's for
 * each row that is deleted.
 */
export async function prepareLoad(db: Db): Promise<void> {
  await sql`select set_config('understudy.counts_ids', 'on', true), set_config('statement_timeout', '0', true),
    set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(db);
}

/** Empties the sandbox. Gives how many rows of each table went. */
export async function deleteAll(db: Db, sandboxId: number): Promise<Record<Emptied, number>> {
  const gone: [Emptied, number][] = [];
  for (const table of emptied)
    gone.push([table, await count(db, sql`delete from ${tableOf(table)} where sandbox_id = ${sandboxId}`)]);
  return Object.fromEntries(gone) as Record<Emptied, number>;
}

export async function setCounters(db: Db, sandboxId: number, next: Readonly<Record<Kind, number>>): Promise<void> {
  const { users, groups, projects, components, subscriptions } = next;
  await sql`update understudy.counters set next_user_id = ${users}, next_group_id = ${groups}, next_project_id = ${projects},
      next_component_id = ${components}, next_subscription_id = ${subscriptions}
    where sandbox_id = ${sandboxId} and (next_user_id, next_group_id, next_project_id, next_component_id, next_subscription_id)
      is distinct from (${users}::int4, ${groups}::int4, ${projects}::int4, ${components}::int4, ${subscriptions}::int4)`.execute(
    db,
  );
}

/** Remembers what the sandbox was filled with. A seed merged on top of another leaves the first one's name. */
export async function recordSeed(
  db: Db,
  sandboxId: number,
  name: string,
  digest: string,
  replaced: boolean,
): Promise<void> {
  await sql`update understudy.sandboxes set seed_name = ${name}, seed_digest = ${digest}, seeded_at = now()
    where id = ${sandboxId} and (${replaced}::boolean or seed_name is null or seed_name = ${name})
      and (seed_name, seed_digest, seeded_at is null) is distinct from (${name}::text, ${digest}::text, false)`.execute(
    db,
  );
}

/** Tells the planner what the tables hold now. Plans made for empty tables stay, and are slow for full ones (findings, "Sandboxes"). */
export async function analyzeTables(db: Kysely<Tables>): Promise<void> {
  await sql`analyze ${sql.join(emptied.map((table) => tableOf(table)))}`.execute(db);
}
