// The SQL that lists users and reads one.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { CallerRights } from '../../access/permissions.ts';
import { type CallerParams, isProjectVisible, ofAccess, usernameKey, withCaller } from '../../access/queries.ts';
import { highestId } from '../../http/wire/ids.ts';
import { type FoundPage, joinRow, type PageParameters, pageOfFound } from '../../database/page-of-rows.ts';
import { prepare, type Prepared, type Slots } from '../../database/prepare.ts';
import { UserFields, type UserRow } from './serialize.ts';

const moment = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;

/** The ids of the groups of the user u. */
const storedGroups = sql<number[]>`array(
  select m.group_id from understudy.user_groups m where m.sandbox_id = u.sandbox_id and m.user_id = u.id order by 1)`;

/** The slugs in a profile's list of watched projects; none for what is no list. */
const watchedSlugs = sql`array(select jsonb_array_elements_text(
  case when jsonb_typeof(u.profile -> 'watched') = 'array' then u.profile -> 'watched' else '[]' end))`;

// The profile of the user u. Of the watched projects the caller sees those that it may see, by name (transcript users__watched).
const profile = sql`case when u.profile ? 'watched' then u.profile || jsonb_build_object('watched', array(
    select p.slug from understudy.projects p
    where p.sandbox_id = u.sandbox_id and p.slug = any(${watchedSlugs}) and ${isProjectVisible}
    order by p.name collate "C", p.slug))
  else u.profile end`;

// JSON of the user u.
const userJson = (groups: Expression<number[]>): RawBuilder<UserRow> => sql<UserRow>`json_build_object(
  'id', u.id, 'username', u.username, 'full_name', u.full_name, 'email', u.email,
  'is_superuser', u.is_superuser, 'is_active', u.is_active, 'is_bot', u.is_bot,
  'date_joined', ${moment('u.date_joined')}, 'date_expires', ${moment('u.date_expires')}, 'last_login', ${moment('u.last_login')},
  'profile', ${profile}, 'groups', ${groups})`;

const writable = Object.keys(UserFields.properties);
/** The columns that bodies set, as names and as values of the record v. */
export const writableColumns = sql.join(writable.map((name) => sql.ref(name)));
export const writableValues = sql.join(
  // An inactive user doesn't expire.
  writable.map((name) =>
    name === 'date_expires' ? sql`case when v.is_active then v.date_expires end` : sql.ref(`v.${name}`),
  ),
);

/** Null where the statement found no user, or no longer the one that it was to change. */
export type FoundUser = CallerRights & { readonly found: UserRow | null };

/**
 * The column `found`, of the user u that is joined to `access`.
 * @param groups the ids that a statement leaves the user with, where it changes them
 */
export const foundUser = (groups = storedGroups) =>
  sql<UserRow | null>`case when u.id is not null then ${userJson(groups)} end`.as('found');

export const findUser = prepare<CallerParams, FoundUser>((db, slot) =>
  withCaller(db, slot, 'read user')
    .selectFrom('access')
    .leftJoin('understudy.users as u', (join) =>
      join.on('u.sandbox_id', '=', ofAccess('sandbox_id')).on('u.id', '=', ofAccess('target_id')),
    )
    .selectAll('access')
    .select(foundUser()),
);

/** What a list may be limited by. */
export interface Filters {
  /** Beginning of the username. */
  readonly prefix?: string;
  readonly email?: string;
  readonly id?: number;
  readonly is_active?: boolean;
}

type ListParameters = CallerParams & PageParameters & Filters;

type ListRow = CallerRights & FoundPage<UserRow>;

/** Each set of filters has a statement of its own, so that an index serves those it can. */
export function listUsers(filters: Filters): Prepared<ListParameters, ListRow> {
  const given = (['prefix', 'email', 'id', 'is_active'] as const).filter((name) => filters[name] !== undefined);
  const key = given.join(' ');
  const statement = statements.get(key) ?? prepareList(new Set(given));
  statements.set(key, statement);
  return statement;
}

const statements = new Map<string, Prepared<ListParameters, ListRow>>();

/** Letters of a username that callers must give who may not see all users. */
const fewestLetters = sql.lit(2);

const lastId = sql.lit(highestId);
// Searches show robots to themselves and to callers who may view all users.
const seesBot = sql`(select seeing.may_view_users or u.id is not distinct from seeing.principal_id from seeing)`;
// Nothing sorts behind this character.
const beyond = sql`chr(1114111)`;

function prepareList(given: ReadonlySet<keyof Filters>): Prepared<ListParameters, ListRow> {
  // A name or an address finds few, which are sorted then; all others are read in the order of their ids.
  const isSelective = given.has('prefix') || given.has('email');
  return prepare<ListParameters, ListRow>((db, slot) => {
    const value = slot as Slots<Required<Filters>>;
    const prefix = usernameKey(value('prefix', 'text'));
    const conditions: Record<keyof Filters, RawBuilder<SqlBool>> = {
      prefix: sql`u.username_key >= ${prefix} and u.username_key < ${prefix} || ${beyond}`,
      email: sql`u.email_key = ${usernameKey(value('email', 'text'))}`,
      id: sql`u.id = ${value('id', 'int4')}`,
      is_active: sql`u.is_active = ${value('is_active', 'boolean')}`,
    };
    const anonymous = sql`case when ${slot('anonymous_reads', 'boolean')} then ${lastId} else 0 end`;
    // Callers who may not see all users see themselves, or the users whose names begin so.
    const [lowest, highest] = given.has('prefix')
      ? [sql`1`, sql`case when length(${value('prefix', 'text')}) >= ${fewestLetters} then ${lastId} else 0 end`]
      : [sql`a.principal_id`, sql`a.principal_id`];
    const id = isSelective ? sql`u.id + 0` : sql`u.id`;
    const found = (names: readonly (keyof Filters)[]) => sql`select u.id from understudy.users u
      where u.sandbox_id = ${ofAccess('sandbox_id')}
      and ${id} between (select lowest from seeing) and (select highest from seeing)
      ${sql.join(
        names.map((name) => sql` and ${conditions[name]}`),
        sql``,
      )}${given.has('prefix') ? sql` and (not u.is_bot or ${seesBot})` : sql``}`;
    const others = [...given].filter((name) => name !== 'email');
    // For callers who may not view all users an address is no filter, so that it tells nothing.
    const filtered = given.has('email')
      ? sql`(${found([...given])} and (select seeing.may_view_users from seeing))
          union all (${found(others)} and not (select seeing.may_view_users from seeing))`
      : found(others);
    return withCaller(db, slot, 'any')
      .with(
        'seeing',
        sql<CallerRights & { lowest: number; highest: number }>`(select a.*,
          case when a.may_view_users or a.principal_id is null then 1 else ${lowest} end as lowest,
          case when a.may_view_users then ${lastId} when a.principal_id is null then ${anonymous} else ${highest} end as highest
          from access a)`,
      )
      .with(
        (cte) => (isSelective ? cte('found').materialized() : cte('found').notMaterialized()),
        sql<{ id: number }>`(${filtered})`,
      )
      .selectFrom('seeing')
      .innerJoinLateral(
        pageOfFound(
          slot,
          joinRow('users', 'u', ofAccess('sandbox_id')),
          userJson(sql`case when seeing.may_view_users then ${storedGroups} end`),
        ).as('page'),
        (join) => join.onTrue(),
      )
      .selectAll('seeing')
      .select(['page.total', 'page.items']);
  });
}
