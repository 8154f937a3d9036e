// Messages of failed assertions, and the journal as a report for people.
import { requestLine, shorten, shownValue } from '../../base/request-line.ts';
import { withQuery } from '../../http/wire/query-string.ts';
import type { JournalEntry } from '../entry.ts';
import type { Difference, ExchangeMatch, Range } from '../request-match.ts';
import type { NearMiss, RequestsExpected } from './journal-schemas.ts';

const widest = 80;
const longestText = 300;
/** How many requests a report lists by default. */
export const mostInReport = 20;
/** The most requests that a message shows in full. */
export const mostShown = 5;

export type Dropped = Pick<RequestsExpected, 'dropped' | 'dropped_bodies'>;

/** The last requests of a list, and how many the list has. */
export interface Last {
  readonly requests: readonly JournalEntry[];
  readonly total: number;
}

export interface Outcome extends Dropped, Pick<RequestsExpected, 'count' | 'lost'> {
  readonly sandbox: string;
  readonly withinMs: number;
}

/** What the journal dropped, and its last requests, with the bodies of writes and failures. */
export async function* describeJournal(
  { total, ...dropped }: Dropped & { readonly total: number },
  read: () => AsyncIterable<JournalEntry>,
  elsewhere: readonly JournalEntry[],
): AsyncGenerator<string> {
  let [width, count] = [0, 0];
  for await (const entry of read()) {
    width = Math.min(widest, Math.max(width, targetOf(entry).length));
    count++;
  }
  for (const line of describeDropped(dropped)) yield `${line}\n`;
  if (count < total) yield `The last ${count} of ${total}:\n`;
  for await (const entry of read()) yield `${describeRequest(entry, width)}\n`;
  if (count === 0) yield 'none\n';
  if (elsewhere.length > 0) yield 'Requests that reached no sandbox, from any test:\n';
  for (const entry of elsewhere) yield `${describeRequest(entry)}\n`;
}

/** @param first the first requests that match */
export function describeMismatch(
  outcome: Outcome,
  match: ExchangeMatch,
  { min, max }: Range,
  first: readonly JournalEntry[],
  nearMisses: readonly NearMiss[],
) {
  const { count, lost } = outcome;
  return [
    describeFailure(outcome, describeTimes(min, max), `${count || 'none'}${describeLost(lost)}`),
    `  ${requestLine(match)}`,
    ...advise(lost, outcome),
    ...(first.length > 0 ? ['Received:', ...numbered(first.map((entry) => describeRequest(entry)))] : []),
    ...(count > first.length ? [`  and ${count - first.length} more`] : []),
    ...(count < min ? describeNearMisses(nearMisses, count > 0) : []),
  ].join('\n');
}

/** @param received the last requests, whether they match or not */
export function describeDisorder(outcome: Outcome, matches: readonly ExchangeMatch[], received: Last) {
  const { count, lost } = outcome;
  const after = count === 0 ? '' : ` after number ${count}`;
  return [
    describeFailure(outcome, `${countRequests(matches.length)} in this order`, `no number ${count + 1}${after}`),
    ...numbered(matches.map(requestLine)),
    ...advise(lost, outcome),
    ...(received.total === 0 ? ['Its journal is empty.'] : ['Received:', ...linesOf(received)]),
  ].join('\n');
}

export function describeOthers(outcome: Outcome, others: Last) {
  const { count, lost } = outcome;
  const received = (count ? `${count} that no assertion matched` : 'none') + describeLost(lost);
  const head = describeFailure(outcome, 'no other request', received);
  return [head, ...advise(lost, outcome), ...linesOf(others)].join('\n');
}

const adviceOnLost =
  'Give each test a sandbox of its own, or clear the journal before the requests that the test asserts.';
const advise = (lost: number, dropped: Dropped) => (lost === 0 ? [] : [...describeDropped(dropped), adviceOnLost]);

function describeDropped({ dropped, dropped_bodies: bodies }: Dropped) {
  const parts = [
    ...(dropped > 0 ? [`the oldest ${countRequests(dropped)}`] : []),
    ...(bodies > 0 ? [`the bodies of ${countRequests(bodies)}`] : []),
  ];
  return parts.length === 0 ? [] : [`The journal dropped ${parts.join(', and ')}.`];
}

const countRequests = (count: number) => `${count} ${count === 1 ? 'request' : 'requests'}`;

function describeTimes(min: number, max: number) {
  if (max === 0) return 'no request';
  if (max === Infinity) return `at least ${countRequests(min)}`;
  if (min === max) return `exactly ${countRequests(min)}`;
  return min === 0 ? `at most ${countRequests(max)}` : `${min} to ${countRequests(max)}`;
}

function describeFailure({ sandbox, withinMs }: Outcome, expected: string, received: string) {
  const time = withinMs % 1000 === 0 ? `${withinMs / 1000}s` : `${withinMs}ms`;
  return `Expected ${expected}${withinMs === 0 ? '' : ` within ${time}`}, but sandbox ${sandbox} received ${received}:`;
}

const describeLost = (count: number) =>
  count === 0 ? '' : `, and perhaps ${count} that its journal can't compare any more`;

function describeNearMisses(nearMisses: readonly NearMiss[], hasMatches: boolean) {
  if (nearMisses.length === 0) return [hasMatches ? 'Its journal has no other request.' : 'Its journal is empty.'];
  return [hasMatches ? 'It also received:' : 'It received instead:', ...numbered(nearMisses.map(describeNearMiss))];
}

const describeNearMiss = ({ request, differs }: NearMiss) =>
  [describeRequest(request), ...differs.map(describeDifference)].join('\n');

function describeDifference(difference: Difference) {
  const { field, expected, reason } = difference;
  const received = 'received' in difference ? shownValue(difference.received) : 'none';
  const why = reason === undefined ? '' : ` (${reason})`;
  return `       ${field}: expected ${shownValue(expected)}, received ${received}${why}`;
}

const linesOf = ({ requests, total }: Last) => [
  ...(requests.length < total ? [`  the last ${requests.length} of ${total}:`] : []),
  ...requests.map(({ line }) => `  ${line}`),
];

const numbered = (texts: readonly string[]) => texts.map((text, index) => `  ${index + 1}. ${text}`);

function describeRequest(entry: JournalEntry, width = 0) {
  const { method, status, principal, fault, unmatched, hint, not_mirrored: notMirrored } = entry;
  const columns = [
    `${method.padEnd(6)} ${targetOf(entry).padEnd(width)}`,
    status === 0 ? 'closed' : String(status),
    principal ?? 'anonymous',
    ...(fault === null ? [] : [`fault: ${fault}`]),
    ...(unmatched ? ['no such path is served'] : []),
  ];
  const reasons = [...explain('hint:', hint), ...explain('not mirrored:', notMirrored)];
  return [columns.join('  '), ...reasons, ...bodiesOf(entry)].join('\n');
}

const targetOf = ({ path, query }: JournalEntry) => withQuery(path, query);

function bodiesOf({ method, status, error, request_body: sent, response_body: received }: JournalEntry) {
  // A read that succeeded needs no explanation.
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) && status > 0 && status < 400) return [];
  // If the journal has dropped the bodies, it still has the error's detail.
  return [...explain('sent', sent), ...explain('received', received ?? error?.detail ?? null)];
}

// Control characters become spaces, so that no text can steer a terminal.
const explain = (word: string, text: string | null) =>
  text === null ? [] : [`       ${word} ${shorten(text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim(), longestText)}`];
