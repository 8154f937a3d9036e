// Who asks, whom about, and whether that is allowed. The order of the refusals is the recorded one (transcripts order__*); the
// caller's, and those of subscriptions, come from the statement itself (queries.ts).
import { type ApiError, apiError } from '../errors.ts';

/** What a request without a token may do (design, "Who may do what"). */
export type AnonymousAccess = 'read' | 'strict' | 'write';

/** Why a caller is refused whatever it asks for: the name of the error. */
export type CallerRefusal = 'sandbox_not_found' | 'invalid_token' | 'user_inactive';

/** Why a request about a user's subscriptions is refused. */
export type Refusal = CallerRefusal | 'not_authenticated' | 'not_found' | 'permission_denied' | 'internal_user';

/** What every statement tells, whatever else it was asked for. One column for it all: each is a hundredth of a lone list's time. */
export interface Standing<R extends Refusal = Refusal> {
  readonly refused: R | null;
}

/** What the statements about users tell. */
export interface UserAccess extends Standing<CallerRefusal> {
  /** Null without a token. */
  readonly principal_id: number | null;
  /** Null where no user of the path's name exists. */
  readonly target_id: number | null;
  readonly target_internal: boolean | null;
  /** Superusers, and who is granted `user.edit` or `user.view`. */
  readonly may_view_users: boolean;
  /** Superusers, and who is granted `user.edit`. */
  readonly may_edit_users: boolean;
}

export interface Asking {
  readonly sandbox: string;
  readonly hasToken: boolean;
  readonly anonymous: AnonymousAccess;
}

/** The error by which the statement refused, or undefined. */
export const refusalOf = ({ refused }: Standing, sandbox: string): ApiError | undefined =>
  refused === null ? undefined : apiError(refused, sandbox);

/** The row of a statement that always answers one. Throws where it refused. */
export function admitted<R extends Standing>([row]: readonly R[], sandbox: string): R {
  if (row === undefined) throw new Error('a statement that always answers one row answered none');
  const refusal = refusalOf(row, sandbox);
  if (refusal !== undefined) throw refusal;
  return row;
}

/** What a request wants of a user. */
export type Intent = 'read' | 'create' | 'change' | 'manage';

/** The same for a statement about a user, which leaves it to us whether the caller may do what it wants. */
export function admittedTo<R extends UserAccess>(rows: readonly R[], asking: Asking, intent: Intent): R {
  const row = admitted(rows, asking.sandbox);
  const refusal = refuseUser(row, asking, intent);
  if (refusal !== undefined) throw refusal;
  return row;
}

/**
 * Why a request about a user is refused, or undefined. Everybody signed in may read users, if not in full; oneself may be changed,
 * but neither deleted nor put into groups (transcripts users__update, users__delete, users__groups).
 */
function refuseUser(access: UserAccess, asking: Asking, intent: Intent): ApiError | undefined {
  if (!asking.hasToken && asking.anonymous !== 'write') {
    if (intent !== 'read') return apiError('not_authenticated');
    if (asking.anonymous === 'strict') return apiError('not_found');
  }
  if (access.target_id === null && intent !== 'create') return apiError('not_found');
  if (intent === 'read') return undefined;
  const isOwn = intent === 'change' && access.target_id === access.principal_id;
  if (!isOwn && !access.may_edit_users) return apiError('permission_denied');
  return access.target_internal === true ? apiError('internal_user') : undefined;
}
