// Who asks, whom about, and whether that is allowed. The order of the refusals is the recorded one (transcripts order__*).
import { type ApiError, apiError } from '../http/errors.ts';

/** What a request without a token may do (design, "Who may do what"). */
export type AnonymousAccess = 'read' | 'strict' | 'write';

/** What every statement tells of the ones concerned, whatever else it was asked for. */
export interface Access {
  /** Null where the sandbox doesn't exist. */
  readonly sandbox_id: number | null;
  /** Null without a token, and where no token of this sandbox has its hash. */
  readonly principal_id: number | null;
  readonly principal_active: boolean | null;
  readonly principal_superuser: boolean | null;
  /** Null where no user of the path's name exists. */
  readonly target_id: number | null;
  readonly target_internal: boolean | null;
  /** Whether the principal may manage the target: its own, as superuser, by `user.edit`, or by what nobody is allowed. */
  readonly may_manage: boolean;
}

export interface Asking {
  readonly sandbox: string;
  readonly hasToken: boolean;
  readonly anonymous: AnonymousAccess;
}

/** Why the one who asks is refused before anything else is looked at, or undefined. */
export function refuseCaller(access: Access, asking: Asking): ApiError | undefined {
  if (access.sandbox_id === null) return apiError('sandbox_not_found', asking.sandbox);
  if (!asking.hasToken) return undefined;
  if (access.principal_id === null) return apiError('invalid_token');
  return access.principal_active === true ? undefined : apiError('user_inactive');
}

/** Why a request about a user's subscriptions is refused, or undefined. */
export function refuse(access: Access, asking: Asking, intent: 'read' | 'write'): ApiError | undefined {
  const caller = refuseCaller(access, asking);
  if (caller !== undefined) return caller;
  if (!asking.hasToken && intent === 'write' && asking.anonymous !== 'write') return apiError('not_authenticated');
  if (access.target_id === null) return apiError('not_found');
  if (!access.may_manage) return apiError(asking.hasToken ? 'permission_denied' : 'not_found');
  if (intent === 'write' && access.target_internal === true) return apiError('internal_user');
  return undefined;
}
