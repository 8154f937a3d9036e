// Writes rows, which travel as one JSON parameter: the database gives them the table's type. Makes templates:
// hidden sandboxes, from which others are copied and to which others are reset.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { version } from '../../base/version.ts';
import { prepare } from '../../database/prepare.ts';
import type { Tables } from '../../database/tables.ts';
import {
  columnOf,
  isLinkTable,
  type Kind,
  linkColumns,
  type LinkTable,
  propertiesOf,
  type TableName,
  tableNames,
} from '../../model/kinds.ts';
import type { Db } from './queries.ts';

const tableOf = (name: string) => sql.table(`understudy.${name}`);
const columns = (names: readonly string[], prefix: string) =>
  sql.join(names.map((column) => sql.ref(`${prefix}.${column}`)));

const write = async (db: Db, query: RawBuilder<unknown>) => Number((await query.execute(db)).numAffectedRows ?? 0n);

/** Adds rows, and changes rows whose ids exist. Equal rows aren't even locked. */
function upsertRows(sandboxId: number, kind: Kind, rows: string) {
  const properties = propertiesOf(kind);
  const namesOf = (some: typeof properties) => some.flatMap((one) => columnOf(...one) ?? []);
  const all = namesOf(properties);
  const changeable = namesOf(properties.filter(([, { isFixed }]) => !isFixed));
  const former = sql.join(changeable.map((column) => sql`(old.former).${sql.ref(column)}`));
  // `offset 0` makes this a lookup by id: without statistics, a join would read the whole sandbox.
  return sql`
    insert into ${tableOf(kind)} (sandbox_id, id, ${sql.join(all.map((column) => sql.ref(column)))})
    select ${sandboxId}::int4, r.id, ${columns(all, 'r')}
    from jsonb_array_elements(${rows}::jsonb) given
    left join lateral (
      select t as former
      from ${tableOf(kind)} t
      where t.sandbox_id = ${sandboxId} and t.id = (given->>'id')::int4
      offset 0
    ) old on true
    cross join lateral jsonb_populate_record(old.former, given) r
    where (old.former).id is null
      or (${former}) is distinct from (${columns(changeable, 'r')})
    order by r.id
    on conflict (sandbox_id, id) do update
      set ${sql.join(changeable.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`))}`;
}

export interface Links {
  readonly owner: number;
  /** All ids that the owner links to. */
  readonly others: readonly number[];
  /** A new owner has no links to remove: without statistics, a search would read the whole sandbox. */
  readonly isNew: boolean;
}

async function putLinks(db: Db, sandboxId: number, table: LinkTable, links: string) {
  const [owner, other] = linkColumns[table].map((column) => sql.ref(column));
  const recordset = sql`jsonb_to_recordset(${links}::jsonb) as w(owner int4, others int4[], "isNew" boolean)`;
  const removing = sql`
    delete from ${tableOf(table)} t
    using ${recordset}
    where t.sandbox_id = ${sandboxId} and t.${owner} = w.owner and not w."isNew" and t.${other} <> all(w.others)`;
  const removed = links.includes('"isNew":false') ? await write(db, removing) : 0;
  // Admins are members, whatever the users' entries say.
  const joining = sql`
    insert into understudy.user_groups (sandbox_id, user_id, group_id)
    select ${sandboxId}::int4, unnest(w.others), w.owner
    from ${recordset}
    on conflict do nothing`;
  if (table === 'group_admins') await joining.execute(db);
  const adding = sql`
    insert into ${tableOf(table)} (sandbox_id, ${owner}, ${other})
    select ${sandboxId}::int4, w.owner, unnest(w.others)
    from ${recordset}
    on conflict do nothing`;
  return { written: await write(db, adding), removed };
}

const insertTokens = (sandboxId: number, tokens: string) => sql`
  insert into understudy.tokens (sandbox_id, hash, user_id)
  select ${sandboxId}::int4, decode(t.hash, 'hex'), t."user"
  from jsonb_to_recordset(${tokens}::jsonb) as t(hash text, "user" int4)
  on conflict do nothing`;

/** @param rows a JSON list of rows: columns with `id`, Links, or `{ hash, user }` */
export async function writeRows(db: Db, sandboxId: number, table: TableName, rows: string) {
  if (isLinkTable(table)) return putLinks(db, sandboxId, table, rows);
  const query = table === 'tokens' ? insertTokens(sandboxId, rows) : upsertRows(sandboxId, table, rows);
  return { written: await write(db, query), removed: 0 };
}

/** Copies tokens of the sandbox's users, except `sandbox_tokens`, to tokenless namesakes in the template. */
export const keepTokens = (db: Db, sandboxId: number, template: number) =>
  sql`
    insert into understudy.tokens (sandbox_id, hash, user_id)
    select n.sandbox_id, t.hash, n.id
    from understudy.users n
    join understudy.users u on u.sandbox_id = ${sandboxId} and u.username_key = n.username_key
    join understudy.tokens t on t.sandbox_id = u.sandbox_id and t.user_id = u.id
    where n.sandbox_id = ${template}
      and not exists (
        select from understudy.tokens x where x.sandbox_id = n.sandbox_id and x.user_id = n.id)
      and not exists (
        select from understudy.sandbox_tokens x where x.sandbox_id = t.sandbox_id and x.hash = t.hash)
    on conflict do nothing`.execute(db);

export const listTokens = async (db: Db, sandboxId: number) =>
  (
    await sql<{ hash: string; username: string }>`
      select encode(t.hash, 'hex') as hash, u.username
      from understudy.tokens t
      join understudy.users u on u.sandbox_id = t.sandbox_id and u.id = t.user_id
      where t.sandbox_id = ${sandboxId}
      order by u.id, t.hash`.execute(db)
  ).rows;

export async function deleteAll(db: Db, sandboxId: number) {
  // Referring rows are deleted first: a cascade would look for them row by row.
  for (const table of tableNames.toReversed())
    await sql`delete from ${tableOf(table)} where sandbox_id = ${sandboxId}`.execute(db);
  await sql`update understudy.counters set clock = null where sandbox_id = ${sandboxId}`.execute(db);
}

/** Counts the rows of each table, and those that this transaction wrote. */
export async function countRows(db: Db, sandboxId: number) {
  const counts = tableNames.map(
    (table) => sql`
      select
        ${sql.lit(table)} as "table",
        count(*)::int as rows,
        count(*) filter (where xmin = pg_current_xact_id()::xid)::int as written
      from ${tableOf(table)}
      where sandbox_id = ${sandboxId}`,
  );
  const all = sql<{ table: TableName; rows: number; written: number }>`${sql.join(counts, sql` union all `)}`;
  return (await all.execute(db)).rows;
}

/** Without this, plans made for empty tables stay, and are slow for full tables (docs/decisions/0014). */
export async function analyzeTables(db: Kysely<Tables>) {
  await sql`analyze ${sql.join(tableNames.map(tableOf))}`.execute(db);
}

// Equal seeds give equal rows only within one version of this program.
const keyOf = (content: string) => `${version} ${content}`;

/** Until the transaction ends, the found template can't be deleted. */
export async function findTemplate(db: Kysely<Tables>, content: string) {
  const { rows } = await sql<{ id: number }>`
    select id from understudy.sandboxes where template_key = ${keyOf(content)} for key share`.execute(db);
  return rows[0]?.id;
}

export async function addHidden(db: Db) {
  const { rows } = await sql<{ id: number }>`
    with made as (insert into understudy.sandboxes default values returning id)
    insert into understudy.counters (sandbox_id)
    select id from made
    returning sandbox_id as id`.execute(db);
  return (rows[0] as { id: number }).id;
}

/**
 * If the content has a template, deletes the hidden sandbox; else makes it the template.
 * @returns the template's id
 */
export async function nameTemplate(db: Db, id: number, content: string) {
  const { rows } = await sql<{ id: number }>`
    select understudy.name_template(${id}::int4, ${keyOf(content)}) as id`.execute(db);
  const shared = (rows[0] as { id: number }).id;
  if (shared !== id) await deleteUnusedTemplate(db, { id });
  return shared;
}

/** Makes a locked sandbox's rows equal to the template's. */
export const resetTo = (db: Db, sandboxId: number, template: number) =>
  sql`select understudy.sync_rows(${template}::int4, ${sandboxId}::int4)`.execute(db);

export const keepUndo = (db: Db, sandboxId: number, maxRows: number) =>
  sql`select understudy.keep_undo(${sandboxId}::int4, ${maxRows}::int4)`.execute(db);

export const setBaseline = (db: Db, sandboxId: number, template: number) =>
  sql`select understudy.set_baseline(${sandboxId}::int4, ${template}::int4)`.execute(db);

/** Deletes the template unless a sandbox resets to it. */
export const deleteUnusedTemplate = prepare<{ id: number }, unknown>(
  (_db, slot) => sql`select understudy.drop_unused_template(${slot('id', 'int4')})`,
);
