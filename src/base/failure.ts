// Whatever is thrown, in this program or by a library: its message and its code.

/** Tells a person what is wrong and what to do; a stack trace would only hide the message. */
export class UserError extends Error {}

/** A cause that may be gone at the next attempt: a port in use, a full disk. */
export class PassingError extends UserError {}

export function reasonOf(error: unknown) {
  // A host with several addresses gives one error for each address.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** A system error's `code`, such as `EACCES`, or PostgreSQL's SQLSTATE; otherwise an empty string. */
export const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Returns undefined if `work` throws: for work whose failure needs no explanation. */
export function attempt<T>(work: () => T) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
