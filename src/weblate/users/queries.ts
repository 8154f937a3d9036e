// The SQL that lists users and reads one.
import { type Expression, sql } from 'kysely';
import type { CallerRights } from '../../access/permissions.ts';
import { type CallerParams, ofAccess, ofCaller, usernameKey, withAccess } from '../../access/caller-queries.ts';
import { visibleProjects } from '../../access/visible-queries.ts';
import { maxId } from '../../http/wire/python-input.ts';
import { prepare, type Slots, wireMoment } from '../../database/prepare.ts';
import type { PageParameters } from '../../http/paginate.ts';
import { type FoundPage, ofPage, pageOfFound } from '../page-queries.ts';
import type { Tables } from '../../database/tables.ts';
import type { Filters } from './filters.ts';
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

/** Each set of filters has its own statement, so that its plan can use the best index. */
export function listUsers(filters: Filters) {
  const names = Object.keys(filters).toSorted();
  const key = names.join(' ');
  const statement = statements.get(key) ?? prepareList(new Set(names));
  statements.set(key, statement);
  return statement;
}

const statements = new Map<string, ReturnType<typeof prepareList>>();

function prepareList(names: ReadonlySet<string>) {
  // A name or an address finds few rows, which are then sorted; other lists are read in id order.
  const isSelective = names.has('prefix') || names.has('email');
  return prepare<CallerParams & PageParameters & Filters, CallerRights & FoundPage<UserRow>>((db, slot) => {
    const value = slot as Slots<Required<Filters>>;
    const id = isSelective ? sql<number>`u.id + 0` : sql<number>`u.id`;
    const prefix = usernameKey(value('prefix', 'text'));
    // The id of the only user that the caller sees: the caller's own, or 0 for nobody. Null: all users, to which a user
    // without the right to view them needs a prefix of two or more letters.
    const own = names.has('prefix')
      ? sql`case when length(${value('prefix', 'text')}) < 2 then 0 end`
      : sql`access.principal_id`;
    const only = sql`(
      select
        case
          when access.may_view_users then null
          when access.principal_id is not null then ${own}
          when access.anonymous = 'strict' then 0
        end
      from access)`;
    const all = db
      .selectFrom('understudy.users as u')
      .select('u.id')
      .where('u.sandbox_id', '=', ofAccess('sandbox_id'))
      .where(sql<boolean>`${id} between coalesce(${only}, 1) and coalesce(${only}, ${sql.lit(maxId)})`)
      .$if(names.has('id'), (users) => users.where('u.id', '=', value('id', 'int4')))
      .$if(names.has('is_active'), (users) => users.where('u.is_active', '=', value('is_active', 'boolean')))
      .$if(names.has('prefix'), (users) =>
        users
          // No character sorts after U+10FFFF.
          .where(sql<boolean>`u.username_key >= ${prefix} and u.username_key < ${prefix} || chr(1114111)`)
          // Searches show a robot only to itself and to callers who may view all users.
          .where(
            sql<boolean>`(
              not u.is_bot
              or (
                select access.may_view_users or u.id is not distinct from access.principal_id
                from access))`,
          ),
      );
    // If the caller may not view all users, the address is ignored, so that it reveals nothing.
    const mayView = sql<boolean>`(select access.may_view_users from access)`;
    const ofAddress = all.where('u.email_key', '=', usernameKey(value('email', 'text'))).where(mayView);
    const found = names.has('email') ? ofAddress.unionAll(all.where(sql<boolean>`not ${mayView}`)) : all;
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
}
