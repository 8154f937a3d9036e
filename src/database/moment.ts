/** SQL for a timestamp as text, `2026-01-02T03:04:05.000000Z`, because JavaScript's dates lose the microseconds. */
export const moment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The same as the wire has it: microseconds only if there are some. */
export const wireMoment = (column: string): string => `replace(${moment(column)}, '.000000Z', 'Z')`;
