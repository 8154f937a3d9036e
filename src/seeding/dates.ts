// Dates of seeds to timestamps in UTC with microseconds, which PostgreSQL keeps and JavaScript's Date does not.

const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d))?$/;

/** `2026-01-02T04:04:05+01:00` to `2026-01-02T03:04:05.000000Z`; undefined where there is no such day or time. */
export function toTimestamp(text: string): string | undefined {
  const [, day, time = '00:00:00', fraction = '', offset = 'Z'] = form.exec(text) ?? [];
  if (day === undefined) return undefined;
  // Date takes 31 February for 3 March; read as UTC, the day that comes back shows it.
  const utc = new Date(`${day}T${time}Z`);
  if (Number.isNaN(utc.valueOf()) || utc.toISOString().slice(0, 10) !== day) return undefined;
  const moment = new Date(`${day}T${time}${offset}`);
  return Number.isNaN(moment.valueOf())
    ? undefined
    : `${moment.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}Z`;
}
