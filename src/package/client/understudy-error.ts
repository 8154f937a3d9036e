// The error of a request that fails.

/** An error that the service reports. `attr` is the field, such as `rules[0].status`, or null. */
export interface ServiceError {
  readonly code: string;
  readonly detail: string;
  readonly attr: string | null;
}

/**
 * - `refused`: the service answered with an error; `status` and `errors` say which.
 * - `unreachable`: no complete answer came.
 * - `foreign`: what answered is not Understudy.
 */
export type UnderstudyErrorKind = 'refused' | 'unreachable' | 'foreign';

export class UnderstudyError extends Error {
  override readonly name = 'UnderstudyError';
  readonly kind: UnderstudyErrorKind;
  /** The HTTP status; undefined if no answer came. */
  readonly status: number | undefined;
  /** All errors of the request; empty unless the kind is `refused`. */
  readonly errors: readonly ServiceError[];

  constructor(
    kind: UnderstudyErrorKind,
    message: string,
    more: { status?: number; errors?: readonly ServiceError[]; cause?: unknown } = {},
  ) {
    super(message, more);
    this.kind = kind;
    this.status = more.status;
    this.errors = more.errors ?? [];
  }
}

export const describeErrors = (errors: readonly ServiceError[]) =>
  errors.map(({ attr, detail }) => (attr === null ? detail : `${attr}: ${detail}`)).join('\n');
