// The SQL that lists users and reads one.
import { type Expression, sql } from 'kysely';
import type { CallerRights } from '../../access/permissions.ts';
import { type CallerParams, ofAccess, ofCaller, withAccess } from '../../access/caller-queries.ts';
import { visibleProjects } from '../../access/visible-queries.ts';
import { maxId } from '../../http/wire/python-input.ts';
import { prepare, wireMoment } from '../../database/prepare.ts';
import type { PageParameters } from '../../http/paginate.ts';
import { forEachSet } from '../filters.ts';
import { type FoundPage, ofPage, pageOfFound } from '../page-queries.ts';
import type { Tables } from '../../database/tables.ts';
import { userFilters } from './filter-queries.ts';
import { UserFields, type UserRow } from './serialize.ts';

const moment = (column: string) => sql.raw(wireMoment(column));

const storedGroups = sql<number[]>`array(
  select m.group_id
  from understudy.user_groups m
  where m.sandbox_id = u.sandbox_id and m.user_id = u.id
  order by 1)`;

/** The slugs of a profile's watched projects; none if `watched` isn't a list. */
const watchedSlugs = sql`array(
  select jsonb_array_elements_text(
    case
      when jsonb_typeof(u.profile -> 'watched') = 'array' then u.profile -> 'watched'
      else '[]'
    end))`;

// The watched projects that the caller may see, sorted by name (transcript users__watched).
const watched = visibleProjects
  .where(sql<boolean>`p.slug = any(${watchedSlugs})`)
  .select('p.slug')
  .orderBy(sql`p.name collate "C"`)
  .orderBy('p.slug');

const profile = sql`case
  when u.profile ? 'watched'
    then u.profile || jsonb_build_object('watched', array${watched})
  else u.profile
end`;

const userJson = (groups: Expression<number[] | null>) => sql<UserRow>`(
  to_jsonb(u) || jsonb_build_object(
    'date_joined', ${moment('u.date_joined')},
    'date_expires', ${moment('u.date_expires')},
    'last_login', ${moment('u.last_login')},
    'profile', ${profile},
    'groups', ${groups}))`;

const writable = Object.keys(UserFields.properties);
/** The columns that bodies set, as names and as values of the record v. */
export const writableColumns = sql.join(writable.map((name) => sql.ref(name)));
export const writableValues = sql.join(
  // An inactive user doesn't expire.
  writable.map((name) =>
    name === 'date_expires' ? sql`case when v.is_active then v.date_expires end` : sql.ref(`v.${name}`),
  ),
);

/** `found` is null if the statement found no user, or no longer found the user to change. */
export type FoundUser = CallerRights & { readonly found: UserRow | null };

/**
 * The column `found`, of the user u that is joined to `access`.
 * @param groups the user's group ids after the statement, if it changes them
 */
export const foundUser = (groups = storedGroups) =>
  sql<UserRow | null>`case when u.id is not null then ${userJson(groups)} end`.as('found');

/** The target user, for a lateral join with `access`. */
export const targetUser = sql<Tables['understudy.users']>`(
  select u.*
  from understudy.users u
  where u.sandbox_id = access.sandbox_id and u.id = access.target_id
  offset 0)`;

export const findUser = prepare<CallerParams, FoundUser>((db, slot) =>
  withAccess(db, slot, 'read user')
    .selectFrom('access')
    .leftJoinLateral(targetUser.as('u'), (join) => join.onTrue())
    .select([...ofCaller, foundUser()]),
);

/** The users that the caller may see and that fit the filters. */
export const listUsers = forEachSet((names) => {
  // A name or an address finds few rows, which are then sorted; other lists are read in id order.
  const isSelective = names.has('by_username') || names.has('by_email');
  type Parameters = CallerParams & PageParameters & ReturnType<typeof userFilters.read>['values'];
  return prepare<Parameters, CallerRights & FoundPage<UserRow>>((db, slot) => {
    const id = isSelective ? sql<number>`u.id + 0` : sql<number>`u.id`;
    // The id of the only user that the caller sees: the caller's own, or 0 for nobody. Null: all users. With
    // a token but no right to view all, a username filter of two letters or more shows all users that fit.
    const own = names.has('by_username')
      ? sql`case when length(${slot('by_username', 'text')}) < 2 then 0 end`
      : sql`access.principal_id`;
    const only = sql`(
      select
        case
          when access.may_view_users then null
          when access.principal_id is not null then ${own}
          when access.anonymous = 'strict' then 0
        end
      from access)`;
    const fitting = (filters: ReadonlySet<string>) =>
      db
        .selectFrom('understudy.users as u')
        .select('u.id')
        .where('u.sandbox_id', '=', ofAccess('sandbox_id'))
        .where(sql<boolean>`${id} between coalesce(${only}, 1) and coalesce(${only}, ${sql.lit(maxId)})`)
        .where((eb) => eb.and(userFilters.conditionsOf(filters, slot)));
    const mayNotView = sql<boolean>`(select not access.may_view_users from access)`;
    const withoutEmail = fitting(new Set([...names].filter((name) => name !== 'by_email'))).where(mayNotView);
    const found = names.has('by_email') ? fitting(names).unionAll(withoutEmail) : fitting(names);
    const groups = sql<number[] | null>`case when access.may_view_users then ${storedGroups} end`;
    const item = sql<UserRow>`(
      select ${userJson(groups)}
      from understudy.users u
      where u.sandbox_id = access.sandbox_id and u.id = ${ofPage})`;
    return withAccess(db, slot, 'any')
      .with(
        (cte) => (isSelective ? cte('found').materialized() : cte('found').notMaterialized()),
        () => found,
      )
      .selectFrom('access')
      .crossJoinLateral(pageOfFound(slot, item).as('page'))
      .select([...ofCaller, 'page.total', 'page.items']);
  });
});
