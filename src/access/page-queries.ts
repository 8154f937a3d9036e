// One page of what the caller may see.
import { type RawBuilder, sql } from 'kysely';
import { type FoundPage, type PageParameters, pageOfFound } from '../database/page-of-rows.ts';
import { prepare } from '../database/prepare.ts';
import type { AccessResult } from './permissions.ts';
import { type CallerParams, withCaller } from './queries.ts';

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
      .select(['access.refused', 'page.total', 'page.items']),
  );
