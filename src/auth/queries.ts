// The part that statements of the mirrored API have in common: from what was asked to sandbox, principal, target user and what
// the one may do with the other. A resource adds its own joins and columns to it.
import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { prepare, type Slots } from '../database/prepare.ts';
import type { Tables } from '../database/tables.ts';
import type { Access } from './access.ts';

/** What a request puts to the database, whatever it is about. */
export interface Asked {
  readonly sandbox: string;
  readonly hash: Buffer | null;
  /** The user's name in the path, as written. An empty one finds nobody. */
  readonly username: string;
}

export interface AskedParameters extends Asked {
  /** Whether who has no token may do it. */
  readonly open: boolean;
}

/** A table `r` of one row for a statement that answers one request. */
export const askedOnce = (slot: Slots<AskedParameters>): RawBuilder<Asked> =>
  sql<Asked>`(select ${slot('sandbox', 'text')} as sandbox, ${slot('hash', 'bytea')} as hash, ${slot('username', 'text')} as username)`;

/** The fold that the unique index of users is over. */
export const usernameKey = (username: Expression<string>): RawBuilder<string> =>
  sql<string>`understudy.username_key(${username})`;

// Whether the principal p is in a group that grants the permission.
const isGranted = (permission: 'user.edit' | 'user.view') => sql<boolean>`exists (
  select from understudy.user_groups m
  join understudy.groups g on g.sandbox_id = m.sandbox_id and g.id = m.group_id
  where m.sandbox_id = p.sandbox_id and m.user_id = p.id and ${sql.lit(permission)} = any(g.permissions))`;

/** Where a statement knows the principal from. */
interface PrincipalColumns {
  readonly sandbox: Expression<unknown>;
  readonly id: Expression<unknown>;
  readonly isSuperuser: Expression<unknown>;
}

const inSameSelect = { sandbox: sql.ref('p.sandbox_id'), id: sql.ref('p.id'), isSuperuser: sql.ref('p.is_superuser') };

/** For statements that begin `with access as (fromAsked)`. */
export const inAccess = {
  sandbox: sql.ref('access.sandbox_id'),
  id: sql.ref('access.principal_id'),
  isSuperuser: sql.ref('access.principal_superuser'),
};

/**
 * Whether the principal may see what belongs to a private project. Looked up live, and only for rows that belong to one: who may
 * see what then needs no upkeep when memberships change.
 * @param project the private project's id, or null for what everybody may see
 */
export const isVisible = (
  project: Expression<number | null>,
  principal: PrincipalColumns = inSameSelect,
): RawBuilder<boolean> => sql<boolean>`(
  ${project} is null or ${principal.isSuperuser} or exists (
    select from understudy.user_groups m
    join understudy.groups g on g.sandbox_id = m.sandbox_id and g.id = m.group_id
    where m.sandbox_id = ${principal.sandbox} and m.user_id = ${principal.id} and (g.project_selection = 1 or exists (
      select from understudy.group_projects o
      where o.sandbox_id = m.sandbox_id and o.group_id = m.group_id and o.project_id = ${project}))))`;

/**
 * One row for each row asked, never fewer: s the sandbox, p the principal, t the target user, a.may_manage.
 * @param asked the table r, of one row or of many that share the statement
 */
export function fromAsked<R extends Asked>(
  db: Kysely<Tables>,
  asked: RawBuilder<R>,
  alias: RawBuilder<unknown>,
  open: Expression<boolean>,
) {
  return db
    .selectFrom(asked.as<'r'>(alias))
    .leftJoin('understudy.sandboxes as s', (join) => join.on(sql<SqlBool>`s.name = r.sandbox`))
    .leftJoin('understudy.tokens as k', (join) =>
      join.onRef('k.sandbox_id', '=', 's.id').on(sql<SqlBool>`k.hash = r.hash`),
    )
    .leftJoin('understudy.users as p', (join) =>
      join.onRef('p.sandbox_id', '=', 'k.sandbox_id').onRef('p.id', '=', 'k.user_id'),
    )
    .leftJoin('understudy.users as t', (join) =>
      join.onRef('t.sandbox_id', '=', 's.id').on('t.username_key', '=', usernameKey(sql.ref('r.username'))),
    )
    .leftJoinLateral(
      // The offset keeps the planner from repeating the expression wherever it is used.
      sql<{ may_manage: boolean }>`(select case
        when t.id is null then false
        when p.id = t.id or p.is_superuser then p.is_active
        when r.hash is null then ${open}
        when p.id is null then false
        else p.is_active and ${isGranted('user.edit')}
      end as may_manage offset 0)`.as('a'),
      (join) => join.onTrue(),
    )
    .select([
      's.id as sandbox_id',
      'p.id as principal_id',
      'p.is_active as principal_active',
      'p.is_superuser as principal_superuser',
      't.id as target_id',
      't.is_internal as target_internal',
      'a.may_manage',
    ]);
}

/** Who asks and whom about, and nothing more: for what is refused or answered without the resource. */
export const findAccess = prepare<AskedParameters, Access>((db, slot) =>
  fromAsked(db, askedOnce(slot), sql`r`, slot('open', 'boolean')),
);
