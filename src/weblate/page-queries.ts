// Queries for one page, or one entry, of what the caller may see.
import { type Expression, sql } from 'kysely';
import type { AccessResult, Intent } from '../access/permissions.ts';
import { type CallerParams, ofResult, withAccess } from '../access/caller-queries.ts';
import { prepare, type Slots } from '../database/prepare.ts';
import type { PageParameters } from '../http/paginate.ts';

export interface FoundPage<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

/** The id of an entry on the page, for the query that makes the entry's JSON. */
export const ofPage = sql<number>`x.id`;

/**
 * One row: the number of ids in the common table expression `found`, and the items of one page of these ids.
 * @param item JSON of the entry with the id `ofPage`
 */
export const pageOfFound = <P extends PageParameters, Item>(slot: Slots<P>, item: Expression<Item>) => sql<
  FoundPage<Item>
>`(
  select
    n.total,
    (
      select coalesce(json_agg(${item} order by x.id), '[]')
      from (select f.id from found f order by f.id limit r.size offset o.start) x
    ) as items
  from (select ${slot('page', 'int4')} as page, ${slot('size', 'int4')} as size) r
  cross join (select count(*)::int4 as total from found) n
  cross join lateral (
    select case
      when r.page > 0 then (r.page - 1) * r.size
      else greatest(n.total - 1, 0) / r.size * r.size
    end as start offset 0
  ) o)`;

/** @param ids a query of all ids that the caller may see */
export const pageForCaller = <Item, Names extends object = object>(
  ids: (slot: Slots<Names>) => Expression<{ id: number }>,
  item: Expression<{ item: Item }>,
) =>
  prepare<CallerParams & PageParameters & Names, AccessResult & FoundPage<Item>>((db, slot) =>
    withAccess(db, slot, 'any')
      .with('found', () => ids(slot))
      .selectFrom('access')
      .crossJoinLateral(pageOfFound(slot, sql<Item>`${item}`).as('page'))
      .select([...ofResult, 'page.total', 'page.items']),
  );

/** @param item JSON of the entry that the path names; no row if the caller may not see the entry */
export const entryForCaller = <Names extends object, Item>(
  item: (slot: Slots<Names>) => Expression<{ item: Item }>,
  intent: Intent = 'any',
) =>
  prepare<CallerParams & Names, AccessResult & { readonly found: Item | null }>((db, slot) =>
    withAccess(db, slot, intent)
      .selectFrom('access')
      .select([...ofResult, sql<Item | null>`${item(slot)}`.as('found')]),
  );
