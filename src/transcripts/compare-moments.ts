// What depends on the moment at which it is asked: timestamps taken from a clock, and how long a limit still lasts.

/** A clock gives fractions of a second; dates that a person or a seed wrote down have none, and compare exactly. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?:Z|[+-]\d\d:\d\d)$/u;
const wait = /(?<=Expected available in )\d+(?= seconds?\.)/u;

/** Seconds a wait may be off by: it is counted from the moment of the first request, and rounded. */
const waitToleranceSeconds = 2;
const waitHeaders: ReadonlySet<string> = new Set(['x-ratelimit-reset', 'retry-after']);

/** Whether a string of a body is the expected one; timestamps of the moment by form, waits roughly, all else exactly. */
export function isSameText(expected: string, received: string): boolean {
  if (expected === received) return true;
  if (moment.test(expected)) return moment.test(received);
  const [ours, theirs] = [wait.exec(expected)?.[0], wait.exec(received)?.[0]];
  return (
    ours !== undefined &&
    theirs !== undefined &&
    isNear(ours, theirs) &&
    expected.replace(wait, '') === received.replace(wait, '')
  );
}

/** Whether a header's value is the expected one; the headers that count seconds roughly, all else exactly. */
export function isSameHeader(name: string, expected: string, received: string): boolean {
  if (expected === received) return true;
  return waitHeaders.has(name) && /^\d+$/u.test(received) && isNear(expected, received);
}

function isNear(expected: string, received: string): boolean {
  return Math.abs(Number(expected) - Number(received)) <= waitToleranceSeconds;
}
