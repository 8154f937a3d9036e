// Who asks, whom about, and whether that is allowed. The order of the refusals is the recorded one (transcripts order__*).
import { type ApiError, apiError } from '../http/errors.ts';

/** What a request without a token may do (design, "Who may do what"). */
export type AnonymousAccess = 'read' | 'strict' | 'write';

/** Who asks, as every statement tells it, whatever else it was asked for. */
export interface Caller {
  /** Null where the sandbox doesn't exist. */
  readonly sandbox_id: number | null;
  /** Null without a token, and where no token of this sandbox has its hash. */
  readonly principal_id: number | null;
  readonly principal_active: boolean | null;
}

/** Whom a request is about. */
interface Target {
  /** Null where no user of the path's name exists. */
  readonly target_id: number | null;
}

/** What the statements about a user's subscriptions tell. */
export interface Access extends Caller, Target {
  /** Whether the principal may manage the target: its own, as superuser, by `user.edit`, or by what nobody is allowed. */
  readonly may_manage: boolean;
}

interface Details {
  readonly principal_superuser: boolean | null;
  readonly target_internal: boolean | null;
}

/** What those tell that may write. A list is spared it: each column is a hundredth of its time. */
export interface WriteAccess extends Access, Details {}

/** What the statements about users tell. */
export interface UserAccess extends Caller, Target, Details {
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

/** Why the one who asks is refused before anything else is looked at, or undefined. */
export function refuseCaller(access: Caller, asking: Asking): ApiError | undefined {
  if (access.sandbox_id === null) return apiError('sandbox_not_found', asking.sandbox);
  if (!asking.hasToken) return undefined;
  if (access.principal_id === null) return apiError('invalid_token');
  return access.principal_active === true ? undefined : apiError('user_inactive');
}

/** Why a request that reads a user's subscriptions is refused, or undefined. */
export function refuse(access: Access, asking: Asking): ApiError | undefined {
  return refuseCaller(access, asking) ?? refuseTarget(access, asking);
}

/** Why a request that writes them is refused, or undefined. */
export function refuseWrite(access: WriteAccess, asking: Asking): ApiError | undefined {
  const caller = refuseCaller(access, asking);
  if (caller !== undefined) return caller;
  if (!asking.hasToken && asking.anonymous !== 'write') return apiError('not_authenticated');
  return refuseTarget(access, asking) ?? (access.target_internal === true ? apiError('internal_user') : undefined);
}

function refuseTarget(access: Access, asking: Asking): ApiError | undefined {
  if (access.target_id === null) return apiError('not_found');
  if (!access.may_manage) return apiError(asking.hasToken ? 'permission_denied' : 'not_found');
  return undefined;
}

/**
 * Why a request about a user is refused, or undefined. Everybody signed in may read users, if not in full; oneself may be changed,
 * but neither deleted nor put into groups (transcripts users__update, users__delete, users__groups).
 */
export function refuseUser(
  access: UserAccess,
  asking: Asking,
  intent: 'read' | 'create' | 'change' | 'manage',
): ApiError | undefined {
  const caller = refuseCaller(access, asking);
  if (caller !== undefined) return caller;
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
