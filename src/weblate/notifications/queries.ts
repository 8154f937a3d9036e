// The list of the specification: a user's subscriptions, ordered by id, with their project or component. The queries
// around it take the page that a request asks for, and count the subscriptions.
import { expressionBuilder, type QueryCreator, sql } from 'kysely';
import type { AccessResult } from '../../access/permissions.ts';
import { type CallerParams, ofResult, withAccess, type WithAccess } from '../../access/caller-queries.ts';
import { visibleSubscriptions } from '../../access/visible-queries.ts';
import { prepare } from '../../database/prepare.ts';
import type { PageParameters } from '../../http/paginate.ts';
import { entryColumns, type EntryPage } from './serialize.ts';

export type ListParameters = CallerParams & PageParameters;

export interface PageRow extends AccessResult {
  /** How many of the user's subscriptions the caller sees; null without the permission to see any. */
  readonly total: number | null;
  /** Null for an empty page. */
  readonly entries: EntryPage | null;
}

/** `select id, notification, scope, frequency, project, component … order by id`, of what the caller may see. */
const subscriptions = visibleSubscriptions.select(entryColumns).orderBy('x.id');

const page = subscriptions.limit(sql.ref<number>('access.size')).offset(sql.ref<number>('o.start'));

/**
 * One array per column. json_agg looks up a column's type once, json_build_array for every value: one array per
 * subscription would cost a list 9 % more processor time at 32 connections (docs/decisions/0001).
 */
const pageAsJson = expressionBuilder<WithAccess>()
  .selectFrom(page.as('x'))
  .select([
    sql<number>`count(*)::int4`.as('returned'),
    sql<EntryPage | null>`case when count(*) > 0 then json_build_array(
      ${sql.join(entryColumns.map((column) => sql`json_agg(${sql.ref(column)} order by x.id)`))}) end`.as('entries'),
  ]);

const countVisible = sql<number>`understudy.count_visible(
  access.sandbox_id, access.target_id, access.principal_id, access.principal_superuser)`;

/** Page 0 is the last one. */
const start = sql<{ start: number }>`(
  select case
    when access.page > 0 then (access.page - 1) * access.size
    when access.may_manage then greatest(${countVisible} - 1, 0) / access.size * access.size
    else 0
  end as start offset 0)`;

/** Counted only if it doesn't follow from the page: if the page is full, or empty and not the first. */
const total = sql<number | null>`case
  when not access.may_manage then null
  when found.returned < access.size and (found.returned > 0 or o.start = 0) then o.start + found.returned
  else ${countVisible}
end`;

/** A page for each row of `access`. */
export const selectPages = (db: QueryCreator<WithAccess>) =>
  db
    .selectFrom('access')
    .crossJoinLateral(start.as('o'))
    .crossJoinLateral(pageAsJson.as('found'))
    .select([...ofResult, total.as('total'), 'found.entries']);

/** The page that one request asks for. */
export const findPage = prepare<ListParameters, PageRow>((db, slot) => {
  const pageColumns = [slot('page', 'int4').as('page'), slot('size', 'int4').as('size')];
  return selectPages(withAccess(db, slot, 'read subscriptions', ...pageColumns));
});
