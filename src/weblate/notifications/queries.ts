// The list of a user's subscriptions, ordered by id, with their project or component. A request gets one page,
// and the total.
import { type Expression, expressionBuilder, type QueryCreator, sql } from 'kysely';
import type { AccessResult } from '../../access/permissions.ts';
import { type CallerParams, ofResult, withAccess, type WithAccess } from '../../access/caller-queries.ts';
import { visibleSubscriptions } from '../../access/visible-queries.ts';
import { prepare } from '../../database/prepare.ts';
import { declareFilters, forEachSet } from '../filters.ts';
import { entryColumns, type EntryPage } from './serialize.ts';

/** None: Weblate filters only users. */
export const subscriptionFilters = declareFilters({});

/** @param size the most subscriptions of the page @param start how many precede it */
export type ListParameters = CallerParams & Readonly<Record<'start' | 'size', number>>;

export interface PageRow extends AccessResult {
  /** How many of the user's subscriptions the caller sees; null without the permission to see any. */
  readonly total: number | null;
  /** Null for an empty page. */
  readonly entries: EntryPage | null;
}

type Found = typeof visibleSubscriptions;

/** `select id, notification, scope, frequency, project, component … order by id`, of `found`. */
const pageOf = (found: Found, start: Expression<number>) =>
  found.select(entryColumns).orderBy('x.id').limit(sql.ref<number>('access.size')).offset(start);

const countOf = (found: Found) => sql<number>`(${found.select(sql`count(*)::int4`.as('count'))})`;

/**
 * One array per column: json_agg looks up a column's type once, json_build_array at every value. With one
 * array per subscription, lists would take 9 % more processor time at 32 connections (docs/decisions/0001).
 */
const asJson = (page: ReturnType<typeof pageOf>) =>
  expressionBuilder<WithAccess>()
    .selectFrom(page.as('x'))
    .select([
      sql<number>`count(*)::int4`.as('returned'),
      sql<EntryPage | null>`case when count(*) > 0 then json_build_array(
        ${sql.join(entryColumns.map((column) => sql`json_agg(${sql.ref(column)} order by x.id)`))}) end`.as('entries'),
    ]);

/** A page for each row of `access`, with the number of all subscriptions that were found. */
export function selectPages(db: QueryCreator<WithAccess>, found = visibleSubscriptions, isLast = false) {
  const count = countOf(found);
  const start = isLast
    ? sql<number>`greatest(${count} - 1, 0) / access.size * access.size`
    : sql.ref<number>('access.start');
  // Counted only if the page doesn't tell the total: if the page is full, or is empty and not the first.
  const total = isLast
    ? count
    : sql`case
        when page.returned < access.size and (page.returned > 0 or ${start} = 0) then ${start} + page.returned
        else ${count}
      end`;
  return db
    .selectFrom('access')
    .crossJoinLateral(asJson(pageOf(found, start)).as('page'))
    .select([
      ...ofResult,
      sql<number | null>`case when access.may_manage then ${total} end`.as('total'),
      'page.entries',
    ]);
}

const findPagesBy = (isLast: boolean) =>
  forEachSet((names) =>
    prepare<ListParameters, PageRow>((db, slot) => {
      const found = visibleSubscriptions.where((eb) => eb.and(subscriptionFilters.conditionsOf(names, slot)));
      const ofRequest = [slot('start', 'int4').as('start'), slot('size', 'int4').as('size')];
      return selectPages(withAccess(db, slot, 'read subscriptions', ...ofRequest), found, isLast);
    }),
  );

export const findPage = findPagesBy(false);
/** The last page, wherever it starts. */
export const findLastPage = findPagesBy(true);
