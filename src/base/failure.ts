// Errors of this program and of libraries.

/** Its message tells a person what is wrong and what to do. A stack trace would hide it. */
export class UserError extends Error {}

/** Its cause may be gone at the next attempt: a port in use, a full disk. */
export class PassingError extends UserError {}

export function reasonOf(error: unknown) {
  // A host with several addresses gives an error for each.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** A system error's `code`, such as `EACCES`, or PostgreSQL's SQLSTATE; else empty. */
export const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Undefined if `work` throws, for failures that need no explanation. */
export function attempt<T>(work: () => T) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
