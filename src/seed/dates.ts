// Dates of seeds to timestamps in UTC with microseconds, which PostgreSQL keeps and JavaScript's Date does not.
import { toUtc } from '../api/wire/moments.ts';

const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d))?$/;

/** `2026-01-02T04:04:05+01:00` to `2026-01-02T03:04:05.000000Z`; undefined where there is no such day or time. */
export function toTimestamp(text: string): string | undefined {
  const [, day, time = '00:00:00', fraction = '', offset = 'Z'] = form.exec(text) ?? [];
  return day === undefined ? undefined : toUtc(day, time, fraction, offset);
}
