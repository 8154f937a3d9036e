// A fault rule in words: which requests it strikes, and what happens to them.
import { STATUS_CODES } from '../../../../base/http-names.ts';
import type { FaultInForce } from '../../../../traffic/fault-rules.ts';

type Rule = Omit<FaultInForce, 'struck' | 'expires' | 'name'>;

/** `GET /api/users/** as alice`, or `every request` */
export function describeRequests({ method, path, user }: Rule): string {
  const words = [method ?? '', path ?? '', user === undefined ? '' : `as ${user}`].filter((word) => word !== '');
  return words.length === 0 ? 'every request' : words.join(' ');
}

/** `the next 2`, or empty */
export const describeCount = ({ next }: Rule): string =>
  next === undefined ? '' : next === 1 ? 'the next one' : `the next ${next}`;

/** `429 Too Many Requests with Retry-After: 5, after 500 to 2000 ms` */
export function describeEffect({ status, headers = {}, connection, delay_ms: delay }: Rule): string {
  const shown = Object.entries(headers);
  const answer = [
    ...(status === undefined ? [] : [`${status} ${STATUS_CODES[status] ?? ''}`.trim()]),
    ...(shown.length === 0 ? [] : [`with ${shown.map(([name, value]) => `${name}: ${value}`).join(', ')}`]),
    ...(connection === undefined
      ? []
      : [connection === 'close' ? 'connection closed' : 'connection cut in the middle']),
  ].join(' ');
  if (delay === undefined) return answer;
  const time = delay.min === delay.max ? `${delay.min} ms` : `${delay.min} to ${delay.max} ms`;
  return answer === '' ? `delayed by ${time}` : `${answer}, after ${time}`;
}
