// Dates and times as timestamps in UTC with microseconds, which PostgreSQL keeps and JavaScript's Date does not.

/** `2026-01-02 03:04 UTC` */
export const readableUtc = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * `2026-01-02`, `04:04:05`, up to six digits and `+01:00` to `2026-01-02T03:04:05.000000Z`; undefined if there is no
 * such moment.
 */
export function toUtc(day: string, time: string, fraction: string, offset: string): string | undefined {
  // Date takes 31 February for 3 March; the day that it returns shows that.
  const utc = new Date(`${day}T${time}Z`);
  if (Number.isNaN(utc.valueOf()) || utc.toISOString().slice(0, 10) !== day) return undefined;
  const moment = new Date(`${day}T${time}${offset}`);
  const text = Number.isNaN(moment.valueOf()) ? '' : moment.toISOString();
  // PostgreSQL has no year 0, and the offset may lead to the year 10000.
  return /^(?!0000)\d{4}-/.test(text) ? `${text.slice(0, 19)}.${fraction.padEnd(6, '0')}Z` : undefined;
}
