// What a request wants, and why it is rejected. The request's SQL statement decides (caller-queries.ts).
import { apiError, type ErrorName } from '../base/errors.ts';

/** UNDERSTUDY_ANONYMOUS: without a token, one may `read` users and subscriptions, `write`, or neither (`strict`). */
export type AnonymousAccess = 'read' | 'strict' | 'write';

/**
 * What a request wants. `any` accepts a valid token or none; `sign in` needs a valid token. The others concern the
 * user in the path: its subscriptions, the user itself, or, with `manage user`, what users can't do to themselves
 * (transcripts users__update, users__delete, users__groups).
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

/** What every access-checked statement returns. Each column costs 1 % of a lone list's time. */
export interface AccessResult {
  /** Null if it is allowed. Of several reasons, the first in the recorded order (transcripts order__*). */
  readonly refused: ErrorName | null;
  /** The id and the name of the token's user, a blank between them; null without one. */
  readonly caller: string | null;
}

/** The caller, the user in the path and what the caller may do with users at large. */
export interface CallerRights extends AccessResult {
  readonly principal_id: number | null;
  /** Null without a token. */
  readonly principal_superuser: boolean | null;
  /** Null if no user has the path's name. */
  readonly target_id: number | null;
  /** Superusers, and users with the permission `user.edit` or `user.view`. */
  readonly may_view_users: boolean;
  /** Superusers, and users with the permission `user.edit`. */
  readonly may_edit_users: boolean;
  /** The sandbox's fixed time, such as `2026-01-02T03:04:05.000000Z`; null if its clock runs. */
  readonly clock: string | null;
}

/** Returns the row of a statement that always returns one. Stores its caller in `asked`; throws if it is refused. */
export function admitRow<R extends AccessResult>(
  [row]: readonly R[],
  asked: { readonly place: { readonly sandbox: string }; caller?: string | null | undefined },
  onMissing: Readonly<Record<string, string>> = {},
) {
  if (row === undefined) throw new Error('a statement that always returns one row returned none');
  // The first caller stays: a later statement doesn't find a user that deleted itself.
  asked.caller ??= row.caller;
  if (row.refused !== null)
    throw apiError(row.refused, asked.place.sandbox, row.refused === 'not_found' ? onMissing : {});
  return row;
}

/** Throws 404 for what a statement didn't find, or the caller may not see. */
export function existing<T>(found: T | null): T {
  if (found === null) throw apiError('not_found');
  return found;
}
