// Timestamps on the wire: ISO 8601 in UTC with microseconds, which JavaScript's Date does not keep.
import { toUtc } from '../../utc.ts';

const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** A timestamp for PostgreSQL; without an offset it is UTC. Undefined for an invalid one. */
export function readMoment(text: string): string | undefined {
  const [, day, minutes = '00:00', seconds = '00', fraction = '', offset = 'Z'] = form.exec(text) ?? [];
  if (day === undefined || day < '0001-01-02' || day > '9999-12-30') return undefined;
  return toUtc(day, `${minutes}:${seconds}`, fraction, offset.replace(/^(...)(\d\d)$/, '$1:$2'));
}

/** `2026-01-02T03:04:05.000000`, in UTC, in the wire's form: microseconds only if there are some. */
export const writeMoment = (text: string): string => `${text.replace(/\.000000$/, '')}Z`;
