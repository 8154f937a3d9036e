// The first part of every statement of the Weblate API: it finds the sandbox, the caller, the user in the
// path, and the caller's rights.
import { type AliasedExpression, type Expression, type QueryCreator, type RawBuilder, sql } from 'kysely';
import { type Handle, moment, prepare, type Slots } from '../database/prepare.ts';
import type { Tables } from '../database/tables.ts';
import type { AnonymousAccess, CallerRights, Intent } from './permissions.ts';

export interface CallerParams {
  readonly sandbox: string;
  /** SHA-256 of the token; null without a token. */
  readonly hash: Buffer | null;
  /** The user's name in the path. An empty name finds no user. */
  readonly username: string;
  readonly anonymous: AnonymousAccess;
}

/** @param params of the path. A name with NUL, which PostgreSQL rejects, becomes empty. */
export function callerOf(hash: Buffer | null, params: unknown, at: Pick<CallerParams, 'sandbox' | 'anonymous'>) {
  const { username = '' } = params as { username?: string };
  return { ...at, hash, username: username.includes('\0') ? '' : username };
}

/** Folds a name or an address as the unique indexes of users do. */
export const usernameKey = (username: Expression<unknown>) => sql<string>`understudy.username_key(${username})`;

export interface Access extends Omit<CallerRights, 'clock'> {
  /** Null if no sandbox has the name. Then principal and target are null too. */
  readonly sandbox_id: number | null;
  /** Whether the caller may read or write the target's subscriptions, as the intent says. */
  readonly may_manage: boolean;
}

export type WithAccess = Tables & { access: Access };

/**
 * One row for each row of `request` (r), with the sandbox (s), the token's user (p, principal) and the path's
 * user (t, target). `refused` is the first reason to refuse in the recorded order (transcripts order__*). The
 * intent is a constant, so the planner leaves out what other intents need.
 */
const accessFor = (intent: Intent) => {
  const intended = sql.lit(intent);
  // Each `offset 0` keeps the planner from merging subqueries or repeating expressions (docs/decisions/0014).
  return sql<Access>`(
    select
      r.*, s.id as sandbox_id,
      p.id as principal_id, p.is_superuser as principal_superuser,
      t.id as target_id,
      p.id || ' ' || p.username as caller,
      a.may_manage, a.may_view_users, a.may_edit_users,
      case
        when s.id is null then 'sandbox_not_found'
        when r.hash is not null and p.id is null then 'invalid_token'
        when not p.is_active then 'user_inactive'
        when ${intended} not in ('any', 'read subscriptions', 'read user')
          and r.hash is null
          and r.anonymous <> 'write'
          then 'not_authenticated'
        when ${intended} not in ('any', 'sign in', 'create user') and t.id is null
          then 'not_found'
        when ${intended} = 'read user' and r.hash is null and r.anonymous = 'strict'
          then 'not_found'
        when ${intended} in ('read subscriptions', 'write subscriptions')
          and r.hash is null
          and not a.may_manage
          then 'not_found'
        -- Checked before the permission (transcript users__internal).
        when ${intended} in ('write subscriptions', 'change user', 'manage user') and t.is_internal
          then 'internal_user'
        when ${intended} in ('read subscriptions', 'write subscriptions') and not a.may_manage
          then 'permission_denied'
        when ${intended} in ('create user', 'manage user') and not a.may_edit_users
          then 'permission_denied'
        when ${intended} = 'change user' and not a.may_edit_users and p.id is distinct from t.id
          then 'permission_denied'
      end as refused
    from request r
    left join lateral (
      select x.id
      from understudy.sandboxes x
      where x.name = r.sandbox
      offset 0
    ) s on true
    left join lateral (
      select x.user_id
      from understudy.tokens x
      where x.sandbox_id = s.id and x.hash = r.hash
      offset 0
    ) k on true
    left join lateral (
      select x.id, x.is_active, x.is_superuser, x.username
      from understudy.users x
      where x.sandbox_id = s.id and x.id = k.user_id
      offset 0
    ) p on true
    left join lateral (
      select x.id, x.is_internal
      from understudy.users x
      where x.sandbox_id = s.id and x.username_key = understudy.username_key(r.username)
      offset 0
    ) t on true
    left join lateral (
      select
        case
          when t.id is null then false
          when p.id = t.id or p.is_superuser then p.is_active
          when r.hash is null
            then r.anonymous = 'write'
              or ${intended} = 'read subscriptions' and r.anonymous = 'read'
          when p.id is null then false
          else p.is_active and understudy.is_granted(s.id, p.id, array['user.edit'])
        end as may_manage,
        v.may_view_users,
        v.may_view_users
          and (
            r.hash is null
            or p.is_superuser
            or understudy.is_granted(s.id, p.id, array['user.edit'])
          ) as may_edit_users
      from (
        select
          case
            when ${intended} in ('read subscriptions', 'write subscriptions') then false
            when r.hash is null then r.anonymous = 'write'
            when p.id is null then false
            -- A user who may edit users may view them too.
            else p.is_active
              and (
                p.is_superuser
                or understudy.is_granted(s.id, p.id, array['user.view', 'user.edit'])
              )
          end as may_view_users
        offset 0
      ) v
      offset 0
    ) a on true
  )`;
};

/** Adds `access` after the common table expression `request`. */
export const withRequests = (db: QueryCreator<Tables>, intent: Intent) => db.with('access', accessFor(intent));

/** Begins a statement that serves one request. @param more further columns of `request` */
export const withAccess = <P extends CallerParams>(
  db: QueryCreator<Tables>,
  slot: Slots<P>,
  intent: Intent,
  ...more: AliasedExpression<unknown, string>[]
) => {
  const request = db.selectNoFrom([
    slot('sandbox', 'text').as('sandbox'),
    slot('hash', 'bytea').as('hash'),
    slot('username', 'text').as('username'),
    slot('anonymous', 'text').as('anonymous'),
    ...more,
  ]);
  return withRequests(db.with('request', request), intent);
};

export const ofResult = ['access.refused', 'access.caller'] as const;
export const ofCaller = [
  ...ofResult,
  'access.principal_id',
  'access.principal_superuser',
  'access.target_id',
  'access.may_view_users',
  'access.may_edit_users',
  sql<string | null>`(
    select ${sql.raw(moment('c.clock'))}
    from understudy.counters c
    where c.sandbox_id = access.sandbox_id)`.as('clock'),
] as const;

const findCallerFor = (intent: Intent) =>
  prepare<CallerParams, CallerRights>((db, slot) => withAccess(db, slot, intent).selectFrom('access').select(ofCaller));

export const findCaller = findCallerFor('any');
export const findSignedIn = findCallerFor('sign in');
/** Checks a request that manages a user, before the body is read. */
export const findManager = findCallerFor('manage user');

/** An id in `access`, as a subquery: PostgreSQL then finds rows by their whole key. */
export const ofAccess = (column: 'sandbox_id' | 'principal_id' | 'target_id'): RawBuilder<number> =>
  sql`(select ${sql.ref(`access.${column}`)} from access)`;

export const isAllowed = sql<boolean>`(select access.refused is null from access)`;

const selectSandboxId = prepare<{ name: string }, { id: number }>((db, slot) =>
  db.selectFrom('understudy.sandboxes').select('id').where('name', '=', slot('name', 'text')),
);
export const findSandboxId = async (db: Handle, name: string) => (await selectSandboxId(db, { name }))[0]?.id;

const selectSessionKey = prepare<object, { key: Buffer }>(() => sql`select understudy.session_key() as key`);
/** The key that signs sessions. The first call makes the key. */
export const findSessionKey = async (db: Handle) => (await selectSessionKey(db, {}))[0]!.key;
