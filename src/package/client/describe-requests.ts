// A journal as text for people: in a failed test's report, or on a terminal.
import { shorten } from '../../base/request-line.ts';
import type { JournalDropped, JournalEntry } from './wire-types.ts';

const widest = 80;
const longestText = 300;
export const mostInReport = 20;

export type Found = JournalDropped & { readonly requests: readonly JournalEntry[] };

/** For a test's report: what the journal dropped, and the last of these requests. */
export function describeLast(found: Found): string {
  const { requests } = found;
  return [
    ...describeDropped(found),
    ...(requests.length > mostInReport ? [`The last ${mostInReport} of ${requests.length}:`] : []),
    describeRequests(requests.slice(-mostInReport)) || 'none',
  ].join('\n');
}

/** Of a test that requested what isn't served, or may have. */
export const describeUnserved = (found: Found): string =>
  found.requests.length > 0
    ? `The test requested paths that Understudy doesn't serve:\n${describeLast(found)}\nTo accept that, set allowUnmatched.`
    : [
        "The test may have requested paths that Understudy doesn't serve.",
        ...describeDropped(found),
        'Send fewer requests in one test, or set allowUnmatched.',
      ].join('\n');

export function describeDropped({ dropped, dropped_bodies: bodies }: JournalDropped): string[] {
  const parts = [
    ...(dropped > 0 ? [`the oldest ${countRequests(dropped)}`] : []),
    ...(bodies > 0 ? [`the bodies of ${countRequests(bodies)}`] : []),
  ];
  return parts.length === 0 ? [] : [`The journal dropped ${parts.join(', and ')}.`];
}

export const countRequests = (count: number): string => `${count} ${count === 1 ? 'request' : 'requests'}`;

/** A line for each request, and below it the bodies of those that write or fail. */
export function describeRequests(entries: readonly JournalEntry[]): string {
  const width = Math.min(widest, Math.max(0, ...entries.map((entry) => targetOf(entry).length)));
  return entries.map((entry) => describeRequest(entry, width)).join('\n');
}

export function describeRequest(entry: JournalEntry, width = 0): string {
  const { method, status, principal, fault, unmatched } = entry;
  const columns = [
    `${method.padEnd(6)} ${targetOf(entry).padEnd(width)}`,
    status === 0 ? 'closed' : String(status),
    principal ?? 'anonymous',
    ...(fault === null ? [] : [`fault: ${fault}`]),
    ...(unmatched ? ['no such path is served'] : []),
  ];
  const { hint, not_mirrored: notMirrored } = entry;
  const reasons = [...explain('hint:', hint), ...explain('not mirrored:', notMirrored)];
  return [columns.join('  '), ...reasons, ...bodiesOf(entry)].join('\n');
}

const targetOf = ({ path, query }: JournalEntry): string => (query === '' ? path : `${path}?${query}`);

function bodiesOf({ method, status, error, request_body: sent, response_body: received }: JournalEntry): string[] {
  // A read that succeeded needs no explanation.
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) && status > 0 && status < 400) return [];
  // The journal drops bodies first.
  return [...explain('sent', sent), ...explain('received', received ?? error?.detail ?? null)];
}

// Nor may it steer a terminal.
const explain = (word: string, text: string | null): string[] =>
  text === null ? [] : [`       ${word} ${shorten(text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim(), longestText)}`];
