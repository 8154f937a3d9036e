// What a request wants, and why it is refused. The SQL statement decides (caller-queries.ts).
import { apiError, type ErrorName } from '../base/errors.ts';

/** UNDERSTUDY_ANONYMOUS: what requests without a token may do. `strict` allows what Weblate allows. */
export type AnonymousAccess = 'read' | 'strict' | 'write';

/**
 * `any` accepts a valid token or none; `sign in` needs a token unless AnonymousAccess is `write`. All others
 * except `create user` concern the user in the path. `manage user` is for what users can't do to themselves
 * (transcripts users__update, users__delete).
 */
export type Intent =
  | 'any'
  | 'sign in'
  | 'read subscriptions'
  | 'write subscriptions'
  | 'read user'
  | 'create user'
  | 'change user'
  | 'manage user';

/** The columns of all statements that check access. Each column makes lists up to 1 % slower. */
export interface AccessResult {
  /** The first reason to refuse the request; null if there is none. */
  readonly refused: ErrorName | null;
  /** The id and the name of the token's user, with a blank between; null without a token. */
  readonly caller: string | null;
}

/** The caller (principal), the user in the path (target), and the caller's rights to all users. */
export interface CallerRights extends AccessResult {
  readonly principal_id: number | null;
  /** Null without a token. */
  readonly principal_superuser: boolean | null;
  /** Null if no user has the path's name. */
  readonly target_id: number | null;
  /** True for superusers, holders of `user.edit` or `user.view`, and anonymous requests that may `write`. */
  readonly may_view_users: boolean;
  /** Like `may_view_users`, but `user.view` isn't enough. */
  readonly may_edit_users: boolean;
  /** The sandbox's fixed time, such as `2026-01-02T03:04:05.000000Z`; null if its clock runs. */
  readonly clock: string | null;
}

/** Returns a statement's one row, and stores the caller in `asked`. Throws the error in `refused`. */
export function admitRow<R extends AccessResult>(
  [row]: readonly R[],
  asked: { readonly place: { readonly sandbox: string }; caller?: string | null | undefined },
  onMissing: Readonly<Record<string, string>> = {},
) {
  if (row === undefined) throw new Error('the statement returned no row');
  // The first caller stays: a later statement can't find a user that deleted itself.
  asked.caller ??= row.caller;
  if (row.refused !== null)
    throw apiError(row.refused, asked.place.sandbox, row.refused === 'not_found' ? onMissing : {});
  return row;
}

/** Throws 404 for what doesn't exist or is hidden from the caller. */
export function existing<T>(found: T | null): T {
  if (found === null) throw apiError('not_found');
  return found;
}
