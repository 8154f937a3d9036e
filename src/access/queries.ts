// The part that statements of the mirrored API share: from the request's parameters to sandbox, principal, target user
// and what the one may do with the other. A resource adds its own joins and columns.
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import { type Handle, prepare, type Slots } from '../database/prepare.ts';
import type { Tables } from '../database/tables.ts';
import type { AccessResult, CallerRights, Intent, SubscriptionIntent } from './permissions.ts';

/** What every statement of the mirrored API takes. */
export interface CallerParams {
  readonly sandbox: string;
  /** SHA-256 of the token. */
  readonly hash: Buffer | null;
  /** The user's name in the path; an empty one finds no user. */
  readonly username: string;
  /** Whether a request without a token may read subscriptions and users. */
  readonly anonymous_reads: boolean;
  /** Whether it may do everything. */
  readonly anonymous_writes: boolean;
}

/**
 * A table `r` of one row for a statement that serves one request.
 * @param more further columns, with a comma before each
 */
export const requestRow = <P extends CallerParams>(slot: Slots<P>, more = sql``): RawBuilder<unknown> =>
  sql`(select ${slot('sandbox', 'text')} as sandbox, ${slot('hash', 'bytea')} as hash, ${slot('username', 'text')} as username,
    ${slot('anonymous_reads', 'boolean')} as anonymous_reads, ${slot('anonymous_writes', 'boolean')} as anonymous_writes${more})`;

/** The fold that the unique index of users is over. */
export const usernameKey = (username: Expression<string>): RawBuilder<string> =>
  sql<string>`understudy.username_key(${username})`;

// One row for each row of the request r: s the sandbox, p the principal, t the user of the path's name.
const joinCaller = (request: RawBuilder<unknown>) => sql`${request} r
  left join lateral (select x.id from understudy.sandboxes x where x.name = r.sandbox offset 0) s on true
  left join lateral (
    select x.user_id from understudy.tokens x where x.sandbox_id = s.id and x.hash = r.hash offset 0
  ) k on true
  left join lateral (
    select x.sandbox_id, x.id, x.is_active, x.is_superuser, x.username from understudy.users x
    where x.sandbox_id = s.id and x.id = k.user_id offset 0
  ) p on true
  left join lateral (
    select x.sandbox_id, x.id, x.is_internal from understudy.users x
    where x.sandbox_id = s.id and x.username_key = ${usernameKey(sql`r.username`)} offset 0
  ) t on true`;

// Whether the principal p is in a group that grants one of the permissions.
const isGranted = (anyOf: RawBuilder<unknown>) => sql<boolean>`understudy.is_granted(p.sandbox_id, p.id, ${anyOf})`;
const edits = sql`array['user.edit']`;
// A user who may edit users may read them too.
const views = sql`array['user.view', 'user.edit']`;

const overUsers = (granted: RawBuilder<unknown>) => sql<boolean>`case
  when r.hash is null then r.anonymous_writes
  when p.id is null then false
  else p.is_active and (p.is_superuser or ${isGranted(granted)}) end`;

const notSignedIn = sql`when r.hash is null and not r.anonymous_writes then 'not_authenticated'`;
const hidden = sql`when t.id is null or (r.hash is null and not a.may_manage) then 'not_found'`;
const notManaged = sql`when not a.may_manage then 'permission_denied'`;
// Before the permission: whoever asks, the internal user stays as it is (transcript users__internal).
const internal = sql`when t.is_internal then 'internal_user'`;

const refusals: Readonly<Record<Intent, RawBuilder<unknown>>> = {
  any: sql``,
  'sign in': notSignedIn,
  'read subscriptions': sql`${hidden} ${notManaged}`,
  'write subscriptions': sql`${notSignedIn} ${hidden} ${internal} ${notManaged}`,
  'read user': sql`when t.id is null or (r.hash is null and not r.anonymous_reads) then 'not_found'`,
  'create user': sql`${notSignedIn} when not a.may_edit_users then 'permission_denied'`,
  'change user': sql`${notSignedIn} when t.id is null then 'not_found' ${internal}
    when not a.may_edit_users and p.id is distinct from t.id then 'permission_denied'`,
  'manage user': sql`${notSignedIn} when t.id is null then 'not_found' ${internal}
    when not a.may_edit_users then 'permission_denied'`,
};

/**
 * The columns of an AccessResult. Why the request is refused, or null: the one place that decides, in the recorded
 * order (transcripts order__*).
 */
export const accessResult = (intent: Intent) =>
  sql`case when s.id is null then 'sandbox_not_found'
    when r.hash is not null and p.id is null then 'invalid_token'
    when not p.is_active then 'user_inactive' ${refusals[intent]} end as refused, p.id || ' ' || p.username as caller`;

/**
 * For `from`: one row for each row of r, never fewer: s the sandbox, p the principal, t the target user, and
 * a.may_manage, whether the principal may manage the target's subscriptions. `accessResult(intent)` is left to the
 * caller to select.
 * @param request the table r, of one row or of many that share the statement
 */
export const joinOwner = (request: RawBuilder<unknown>, intent: SubscriptionIntent): RawBuilder<unknown> =>
  // The offset keeps the planner from repeating the expression wherever it is used.
  sql`${joinCaller(request)}
    left join lateral (select case
      when t.id is null then false
      when p.id = t.id or p.is_superuser then p.is_active
      when r.hash is null then ${sql.ref(intent === 'read subscriptions' ? 'r.anonymous_reads' : 'r.anonymous_writes')}
      when p.id is null then false
      else p.is_active and ${isGranted(edits)}
    end as may_manage offset 0) a on true`;

const ids = sql`s.id as sandbox_id, p.id as principal_id, p.is_superuser as principal_superuser, t.id as target_id`;

/** The first part of a statement about subscriptions: `with access as (…)`, of one row. */
export const withOwner = <P extends CallerParams>(db: Kysely<Tables>, slot: Slots<P>, intent: SubscriptionIntent) =>
  db.with(
    'access',
    sql<AccessResult>`(select ${accessResult(intent)}, ${ids} from ${joinOwner(requestRow(slot), intent)})`,
  );

// Most callers may not view all users, and then have no further group looked up.
const selectCaller = <P extends CallerParams>(slot: Slots<P>, intent: Intent) =>
  sql<CallerRights>`select ${accessResult(intent)}, ${ids}, a.may_view_users, a.may_edit_users
    from ${joinCaller(requestRow(slot))}
    left join lateral (
      select v.may_view_users, case when v.may_view_users then ${overUsers(edits)} else false end as may_edit_users
      from (select ${overUsers(views)} as may_view_users offset 0) v offset 0
    ) a on true`;

/** The first part of a statement about users or what they may see: `with access as (…)`, of one row. */
export const withCaller = <P extends CallerParams>(db: Kysely<Tables>, slot: Slots<P>, intent: Intent) =>
  db.with('access', sql<CallerRights>`(${selectCaller(slot, intent)})`);

const findCallerFor = (intent: Intent) =>
  prepare<CallerParams, CallerRights>((_db, slot) => selectCaller(slot, intent));

/** The caller alone: for answers that need no resource. */
export const findCaller = findCallerFor('any');
/** The same where anonymous requests are refused. */
export const findSignedIn = findCallerFor('sign in');
/** For a request that manages users, before its body is read. */
export const findManager = findCallerFor('manage user');

/** What every statement that begins so selects. */
export const ofResult = ['access.refused', 'access.caller'] as const;

/** An id of the one row of `access`, as a value: rows compared with it are found by their whole key, as with lookUp. */
export const ofAccess = (column: 'sandbox_id' | 'principal_id' | 'target_id'): RawBuilder<number> =>
  sql`(select ${sql.ref(`access.${column}`)} from access)`;

export const isAllowed = sql<boolean>`(select access.refused is null from access)`;

/**
 * The sandbox's row of counters, for the CTE `locked`: every writer locks it before anything else of the sandbox, and
 * writes nothing where it finds none (docs/decisions/0009). A reset locks it for update, and so waits for writers that
 * share it.
 */
export const lockCounters = (strength: 'update' | 'key share') =>
  sql<{ sandbox_id: number }>`(select c.sandbox_id from understudy.counters c
    where c.sandbox_id = ${ofAccess('sandbox_id')} and ${isAllowed} for ${sql.raw(strength)})`;

/** The sandbox's id once it is locked. */
export const ofLocked = sql<number>`(select locked.sandbox_id from locked)`;

/**
 * The target user once the sandbox is locked, kept until the end: a user that was deleted or renamed while the
 * statement waited isn't found, nor is another that has its id by now.
 */
export const keepTarget = <P extends CallerParams>(slot: Slots<P>, sandbox = ofLocked) =>
  sql<{ id: number }>`(select u.id from understudy.users u
    where u.sandbox_id = ${sandbox} and u.id = ${ofAccess('target_id')}
    and u.username_key = ${usernameKey(slot('username', 'text'))} for key share)`;

/** Whether the membership m opens a private project. */
export const opensProject = (project: Expression<number | null>): RawBuilder<boolean> => sql<boolean>`(exists (
      select from understudy.group_projects o
      where o.sandbox_id = m.sandbox_id and o.group_id = m.group_id and o.project_id = ${project} offset 0)
    or exists (
      select from understudy.groups g
      where g.sandbox_id = m.sandbox_id and g.id = m.group_id and g.project_selection = 1 offset 0))`;

/** Where a statement has the principal. */
const inSameSelect = { sandbox: sql.ref('p.sandbox_id'), id: sql.ref('p.id'), isSuperuser: sql.ref('p.is_superuser') };
/** In statements that begin `with access as (…)`. */
export const inAccess: typeof inSameSelect = {
  sandbox: ofAccess('sandbox_id'),
  id: ofAccess('principal_id'),
  isSuperuser: sql`(select access.principal_superuser from access)`,
};

/**
 * Whether the principal may see what belongs to a private project. Looked up live, and only for rows that belong to
 * one, so that nothing needs upkeep when memberships change.
 * @param project the private project's id, or null for what is public
 */
export const isVisible = (
  project: Expression<number | null>,
  principal: typeof inSameSelect = inSameSelect,
): RawBuilder<boolean> => sql<boolean>`(
  ${project} is null or ${principal.isSuperuser}
  or understudy.is_open_to(${principal.sandbox}, ${principal.id}, ${project}))`;

/** Whether the principal may see the project p, in statements that begin `with access as (…)`. */
export const isProjectVisible = isVisible(sql`case when p.private then p.id end`, inAccess);

/** The id of the sandbox with this name, if there is one. */
const selectSandboxId = prepare<{ name: string }, { id: number }>((db, slot) =>
  db.selectFrom('understudy.sandboxes').select('id').where('name', '=', slot('name', 'text')),
);
export const findSandboxId = async (db: Handle, name: string): Promise<number | undefined> =>
  (await selectSandboxId(db, { name }))[0]?.id;
