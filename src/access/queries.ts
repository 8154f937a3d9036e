// The part that statements of the mirrored API have in common: from what was asked to sandbox, principal, target user and what
// the one may do with the other. A resource adds its own joins and columns to it.
import { type Expression, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { lookUp } from '../database/page-of-rows.ts';
import { prepare, type Slots } from '../database/prepare.ts';
import type { Tables } from '../database/tables.ts';
import type { CallerRefusal, Refusal, UserAccess } from './permissions.ts';

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

/**
 * A table `r` of one row for a statement that answers one request.
 * @param more further columns, with a comma before each
 */
export const askedOnce = <P extends AskedParameters, R extends AskedParameters = AskedParameters>(
  slot: Slots<P>,
  more: RawBuilder<unknown> = sql``,
): RawBuilder<R> =>
  sql<R>`(select ${slot('sandbox', 'text')} as sandbox, ${slot('hash', 'bytea')} as hash, ${slot('username', 'text')} as username,
    ${slot('open', 'boolean')} as open${more})`;

/** The fold that the unique index of users is over. */
export const usernameKey = (username: Expression<string>): RawBuilder<string> =>
  sql<string>`understudy.username_key(${username})`;

type User = Selectable<Tables['understudy.users']>;

// Whether the principal p is in a group that grants one of the permissions.
const isGranted = (anyOf: RawBuilder<unknown>) => sql<boolean>`understudy.is_granted(p.sandbox_id, p.id, ${anyOf})`;
const edits = sql`array['user.edit']`;
// Who may edit users may read them too.
const views = sql`array['user.view', 'user.edit']`;

/** Where a statement knows the principal from. */
interface PrincipalColumns {
  readonly sandbox: Expression<unknown>;
  readonly id: Expression<unknown>;
  readonly isSuperuser: Expression<unknown>;
}

const inSameSelect = { sandbox: sql.ref('p.sandbox_id'), id: sql.ref('p.id'), isSuperuser: sql.ref('p.is_superuser') };

/**
 * An id of the one row of `with access as (…)`, as a value: what is compared with it is found by its whole key, as with lookUp.
 */
export const ofAccess = (column: 'sandbox_id' | 'principal_id' | 'target_id'): RawBuilder<number> =>
  sql`(select ${sql.ref(`access.${column}`)} from access)`;

/**
 * The sandbox's row of counters, for the CTE `locked`: every writer locks it before anything else of the sandbox, and writes nothing
 * where it finds none (docs/decisions/0009).
 */
export const countersWhere = (db: Kysely<Tables>, allowed: Expression<boolean>) =>
  db
    .selectFrom('understudy.counters as c')
    .where('c.sandbox_id', '=', ofAccess('sandbox_id'))
    .where(allowed)
    .select('c.sandbox_id');

/** The sandbox's id once it is locked. */
export const ofLocked = sql<number>`(select locked.sandbox_id from locked)`;

/**
 * The target user once the sandbox is locked, kept until the end: a user that was deleted or renamed while the statement waited isn't
 * found, nor is another that has its id by now.
 */
export const keepTarget = <P extends AskedParameters>(
  db: Kysely<Tables>,
  slot: Slots<P>,
  sandbox: Expression<number> = ofLocked,
) =>
  db
    .selectFrom('understudy.users as u')
    .where('u.sandbox_id', '=', sandbox)
    .where('u.id', '=', ofAccess('target_id'))
    .where('u.username_key', '=', usernameKey(slot('username', 'text')))
    .select('u.id')
    .forKeyShare();

/** The principal in statements that begin `with access as (…)`. */
export const inAccess = {
  sandbox: ofAccess('sandbox_id'),
  id: ofAccess('principal_id'),
  isSuperuser: sql<boolean>`(select access.principal_superuser from access)`,
};

/** Whether the membership m opens a private project. */
export const opensProject = (project: Expression<number | null>): RawBuilder<boolean> => sql<boolean>`(exists (
      select from understudy.group_projects o
      where o.sandbox_id = m.sandbox_id and o.group_id = m.group_id and o.project_id = ${project} offset 0)
    or exists (
      select from understudy.groups g
      where g.sandbox_id = m.sandbox_id and g.id = m.group_id and g.project_selection = 1 offset 0))`;

/**
 * Whether the principal may see what belongs to a private project. Looked up live, and only for rows that belong to one: who may
 * see what then needs no upkeep when memberships change.
 * @param project the private project's id, or null for what everybody may see
 */
export const isVisible = (
  project: Expression<number | null>,
  principal: PrincipalColumns = inSameSelect,
): RawBuilder<boolean> => sql<boolean>`(
  ${project} is null or ${principal.isSuperuser}
  or understudy.is_open_to(${principal.sandbox}, ${principal.id}, ${project}))`;

// s the sandbox, p the principal; one row for each row of r.
function joinPrincipal<R extends AskedParameters>(db: Kysely<Tables>, asked: RawBuilder<R>) {
  return db
    .selectFrom(asked.as('r'))
    .leftJoinLateral(
      lookUp<{ id: number }>(sql`select x.id from understudy.sandboxes x where x.name = r.sandbox`).as('s'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      lookUp<{ user_id: number }>(
        sql`select x.user_id from understudy.tokens x where x.sandbox_id = s.id and x.hash = r.hash`,
      ).as('k'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      lookUp<Pick<User, 'sandbox_id' | 'id' | 'is_active' | 'is_superuser'>>(
        sql`select x.sandbox_id, x.id, x.is_active, x.is_superuser from understudy.users x
          where x.sandbox_id = s.id and x.id = k.user_id`,
      ).as('p'),
      (join) => join.onTrue(),
    );
}

/** The user of the path's name. */
const target = lookUp<Pick<User, 'sandbox_id' | 'id' | 'is_internal'>>(
  sql`select x.sandbox_id, x.id, x.is_internal from understudy.users x
    where x.sandbox_id = s.id and x.username_key = ${usernameKey(sql.ref('r.username'))}`,
);

/** What statements that go on from `with access as (…)` need of it. */
export const whoAndWhom = [
  's.id as sandbox_id',
  'p.id as principal_id',
  'p.is_superuser as principal_superuser',
  't.id as target_id',
] as const;

/**
 * One row for each row asked, never fewer: s the sandbox, p the principal, t the target user, and a.may_manage, whether the one may
 * manage the other: its own, as superuser, by `user.edit`, or by what nobody is allowed.
 * @param asked the table r, of one row or of many that share the statement
 */
export function fromAsked<R extends AskedParameters>(db: Kysely<Tables>, asked: RawBuilder<R>) {
  return joinPrincipal(db, asked)
    .leftJoinLateral(target.as('t'), (join) => join.onTrue())
    .leftJoinLateral(
      // The offset keeps the planner from repeating the expression wherever it is used.
      sql<{ may_manage: boolean }>`(select case
        when t.id is null then false
        when p.id = t.id or p.is_superuser then p.is_active
        when r.hash is null then r.open
        when p.id is null then false
        else p.is_active and ${isGranted(edits)}
      end as may_manage offset 0)`.as('a'),
      (join) => join.onTrue(),
    );
}

// The refusals in the recorded order (transcripts order__*).
const ofCaller = sql`when s.id is null then 'sandbox_not_found'
  when r.hash is not null and p.id is null then 'invalid_token'
  when not p.is_active then 'user_inactive'`;
const ofTarget = sql`when t.id is null or (r.hash is null and not a.may_manage) then 'not_found'
  when not a.may_manage then 'permission_denied'`;

/** Why the caller is refused whatever it asks for. */
const callerRefused = sql<CallerRefusal | null>`case ${ofCaller} end`.as('refused');
/** Why a request that reads the target's subscriptions is refused, in a statement by fromAsked. */
export const readRefused = sql<Refusal | null>`case ${ofCaller} ${ofTarget} end`.as('refused');
/** The same for one that writes them. */
export const writeRefused = sql<Refusal | null>`case ${ofCaller}
  when r.hash is null and not r.open then 'not_authenticated'
  ${ofTarget}
  when t.is_internal then 'internal_user' end`.as('refused');

const rightsOver = (granted: RawBuilder<unknown>) => sql<boolean>`(case
  when r.hash is null then r.open
  when p.id is null then false
  else p.is_active and (p.is_superuser or ${isGranted(granted)})
end)`;

/**
 * The one row of who asks, whom about, and what it may do with users at large. Without a user in the path, or without one of that name, the target is null.
 */
export function fromCaller<P extends AskedParameters>(db: Kysely<Tables>, slot: Slots<P>) {
  return joinPrincipal(db, askedOnce(slot))
    .leftJoinLateral(target.as('t'), (join) => join.onTrue())
    .select([callerRefused, ...whoAndWhom, 'p.is_active as principal_active', 't.is_internal as target_internal'])
    .select([rightsOver(views).as('may_view_users'), rightsOver(edits).as('may_edit_users')]);
}

/** The first part of a statement about users or what they may see. */
export const withCaller = <P extends AskedParameters>(db: Kysely<Tables>, slot: Slots<P>) =>
  db.with('access', () => fromCaller(db, slot));

/** The caller alone: for what is refused or answered without a resource. */
export const findCaller = prepare<AskedParameters, UserAccess>((db, slot) => fromCaller(db, slot));
