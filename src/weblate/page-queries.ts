// Of what the caller may see: one page, or one entry.
import { type RawBuilder, sql } from 'kysely';
import type { AccessResult } from '../access/permissions.ts';
import { type CallerParams, ofResult, withCaller } from '../access/queries.ts';
import { type FoundPage, type PageParameters, pageOfFound } from '../database/page-of-rows.ts';
import { prepare, type Slots } from '../database/prepare.ts';

/**
 * @param ids a query of all ids that the caller may see
 * @param source what the page's entries are read from, joined to `x.id`
 * @param item JSON of one entry
 */
export const pageForCaller = <Item>(ids: RawBuilder<unknown>, source: RawBuilder<unknown>, item: RawBuilder<Item>) =>
  prepare<CallerParams & PageParameters, AccessResult & FoundPage<Item>>((db, slot) =>
    withCaller(db, slot, 'any')
      .with('found', sql<{ id: number }>`(${ids})`)
      .selectFrom('access')
      .innerJoinLateral(pageOfFound(slot, source, item).as('page'), (join) => join.onTrue())
      .select([...ofResult, 'page.total', 'page.items']),
  );

/**
 * @param item JSON of the entry
 * @param source what it is read from, behind `from`, by its name in the path
 */
export const entryForCaller = <Names extends object, Item>(
  item: RawBuilder<Item>,
  source: (slot: Slots<Names>) => RawBuilder<unknown>,
) =>
  prepare<CallerParams & Names, AccessResult & { readonly found: Item | null }>((db, slot) =>
    withCaller(db, slot, 'any')
      .selectFrom('access')
      .select([...ofResult, sql<Item | null>`(select ${item} from ${source(slot)})`.as('found')]),
  );
