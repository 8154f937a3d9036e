// SQL that several resources share: a row by its whole key, and one page of what a statement found, with the total.
import { type RawBuilder, sql } from 'kysely';
import type { Slots } from './prepare.ts';

export interface PageParameters {
  /** 1 and up; 0 is the last page. */
  page: number;
  size: number;
}

export interface FoundPage<Item> {
  readonly total: number;
  /** Ordered by id. */
  readonly items: readonly Item[];
}

/**
 * A row by its whole key, for a lateral join. The offset keeps the planner from taking it apart: as a join it would
 * look the row up by one column of the key, where the tables were never analysed or the other column's value looks
 * rare, and discard thousands of rows. Subqueries that end in `offset 0` do so for the same reason.
 */
export const lookUp = <Row>(query: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`(${query} offset 0)`;

/** Joins the row of a page's entry. */
export const joinRow = (
  table: 'components' | 'groups' | 'projects' | 'users',
  alias: string,
  sandbox: RawBuilder<number>,
): RawBuilder<unknown> => {
  const row = lookUp(
    sql`select t.* from ${sql.table(`understudy.${table}`)} t where t.sandbox_id = ${sandbox} and t.id = x.id`,
  );
  return sql`join lateral ${row} ${sql.ref(alias)} on true`;
};

/**
 * A table of one row, for a statement with a common table expression `found` that has the ids of all there are.
 * @param source what the page's entries are read from, joined to `x.id`
 * @param item JSON of one entry
 */
export const pageOfFound = <P extends PageParameters, Item>(
  slot: Slots<P>,
  source: RawBuilder<unknown>,
  item: RawBuilder<Item>,
): RawBuilder<FoundPage<Item>> => {
  const page = slot('page', 'int4');
  const size = slot('size', 'int4');
  return sql<FoundPage<Item>>`(select n.total,
    (select coalesce(json_agg(${item} order by x.id), '[]')
      from (select f.id from found f order by f.id limit ${size} offset o.start) x ${source}) as items
    from (select count(*)::int4 as total from found) n
    cross join lateral (select case when ${page} > 0 then (${page} - 1) * ${size}
      else greatest(n.total - 1, 0) / ${size} * ${size} end as start offset 0) o)`;
};
