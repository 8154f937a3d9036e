// The error of a request that fails.

/** A fault that the service reports. `attr` is the field, such as `rules[0].status`, or null. */
export interface ServiceFault {
  readonly code: string;
  readonly detail: string;
  readonly attr: string | null;
}

/**
 * - `refused`: the service answered with an error; `status` and `faults` say which.
 * - `unreachable`: no complete answer came.
 * - `foreign`: what answered is not Understudy.
 */
export type UnderstudyErrorKind = 'refused' | 'unreachable' | 'foreign';

export class UnderstudyError extends Error {
  override readonly name = 'UnderstudyError';
  readonly kind: UnderstudyErrorKind;
  /** The HTTP status; undefined if no answer came. */
  readonly status: number | undefined;
  /** All faults of the request; empty unless the kind is `refused`. */
  readonly faults: readonly ServiceFault[];

  constructor(
    kind: UnderstudyErrorKind,
    message: string,
    more: { status?: number; faults?: readonly ServiceFault[]; cause?: unknown } = {},
  ) {
    super(message, more);
    this.kind = kind;
    this.status = more.status;
    this.faults = more.faults ?? [];
  }
}

export const describeFaults = (faults: readonly ServiceFault[]) =>
  faults.map(({ attr, detail }) => (attr === null ? detail : `${attr}: ${detail}`)).join('\n');
