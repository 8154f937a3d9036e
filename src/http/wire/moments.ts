// Timestamps on the wire: ISO 8601 in UTC with microseconds, which JavaScript's Date does not keep.

/** `2026-01-02T03:04:05.000000`, in UTC, in the wire's form: microseconds only if there are some. */
export const writeMoment = (text: string): string => `${text.replace(/\.000000$/, '')}Z`;
