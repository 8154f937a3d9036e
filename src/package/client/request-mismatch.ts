// How many requests are expected, and the message if they don't come.
import type { Duration } from '../../base/duration.ts';
import { requestLine, shownValue } from '../../base/request-line.ts';
import { countRequests, describeDropped, describeRequest, mostInReport } from './describe-requests.ts';
import type {
  ExchangeMatch,
  JournalEntry,
  NearMiss,
  RequestDifference,
  RequestsFound,
  RequestTimes,
} from './wire-types.ts';

export interface Expectation {
  /** How many requests; at least one if left out. A number stands for exactly so many. */
  readonly times?: RequestTimes | undefined;
  /**
   * How long the service waits for them, at most a minute: milliseconds, or a text such as `'500ms'` or `'5s'`. It
   * answers as soon as they have come. If none has to come (`times: 0`, or only a `max`), it watches the whole time,
   * and answers as soon as there are too many.
   */
  readonly within?: Duration | undefined;
}

/**
 * Thrown if the requests are not as expected, or dropped requests could decide it. Of `inOrder`, `match` is the
 * first that no request fits; of `nothingElse`, it is empty, and `requests` are the others.
 */
export class RequestMismatchError extends Error {
  override readonly name = 'RequestMismatchError';
  readonly match: ExchangeMatch;
  readonly expectation: Expectation;
  readonly count: number;
  /** Those that match. */
  readonly requests: readonly JournalEntry[];
  /** Where too few match: others, those of the same path first, then the latest. */
  readonly nearMisses: readonly NearMiss[];

  constructor(
    message: string,
    match: ExchangeMatch,
    expectation: Expectation,
    requests: readonly JournalEntry[],
    nearMisses: readonly NearMiss[] = [],
  ) {
    super(message);
    this.match = match;
    this.expectation = expectation;
    this.count = requests.length;
    this.requests = requests;
    this.nearMisses = nearMisses;
  }
}

const mostShown = 5;
const adviceOnLost =
  'Give each test a sandbox of its own, or clear the journal before the requests that the test asserts.';
const advise = (lost: number, found: RequestsFound): string[] =>
  lost === 0 ? [] : [...describeDropped(found), adviceOnLost];

export function describeMismatch(
  sandbox: string,
  match: ExchangeMatch,
  expectation: Expectation,
  found: RequestsFound,
): string {
  const { count, lost, requests, near_misses: nearMisses } = found;
  const { min, max } = rangeOf(expectation);
  return [
    `Expected ${describeTimes(min, max)}${describeWait(expectation)}, but sandbox ${sandbox} received ${count || 'none'}${describeLost(lost)}:`,
    `  ${requestLine(match)}`,
    ...advise(lost, found),
    ...(requests.length > 0
      ? ['Received:', ...requests.slice(0, mostShown).map(numbered((entry) => describeRequest(entry)))]
      : []),
    ...(requests.length > mostShown ? [`  and ${requests.length - mostShown} more`] : []),
    ...(count < min ? describeNearMisses(nearMisses, count > 0) : []),
  ].join('\n');
}

/** @param count how many, from the first on, came in the order; `found` has all requests */
export function describeDisorder(
  sandbox: string,
  matches: readonly ExchangeMatch[],
  expectation: Expectation,
  count: number,
  found: RequestsFound,
): string {
  const after = count === 0 ? '' : ` after number ${count}`;
  return [
    `Expected ${countRequests(matches.length)} in this order${describeWait(expectation)}, but sandbox ${sandbox} received no number ${count + 1}${after}:`,
    ...matches.map(numbered(requestLine)),
    ...advise(found.dropped, found),
    ...(found.requests.length === 0 ? ['Its journal is empty.'] : ['Received:', ...linesOf(found.requests)]),
  ].join('\n');
}

/** @param others requests that no assertion matched */
export function describeOthers(
  sandbox: string,
  expectation: Expectation,
  others: readonly JournalEntry[],
  found: RequestsFound,
): string {
  return [
    `Expected no other request${describeWait(expectation)}, but sandbox ${sandbox} received ${others.length || 'none'} that no assertion matched${describeLost(found.dropped)}:`,
    ...advise(found.dropped, found),
    ...linesOf(others),
  ].join('\n');
}

const linesOf = (requests: readonly JournalEntry[]): string[] => [
  ...(requests.length > mostInReport ? [`  the last ${mostInReport} of ${requests.length}:`] : []),
  ...requests.slice(-mostInReport).map(({ line }) => `  ${line}`),
];

const describeLost = (count: number): string =>
  count === 0 ? '' : `, and perhaps ${count} that its journal can't compare any more`;

/** Without a maximum there may be any number. */
function rangeOf({ times = { min: 1 } }: Expectation): { readonly min: number; readonly max?: number } {
  return typeof times === 'number' ? { min: times, max: times } : { min: 0, ...times };
}

function describeNearMisses(nearMisses: readonly NearMiss[], hasMatches: boolean): string[] {
  if (nearMisses.length === 0) return [hasMatches ? 'Its journal has no other request.' : 'Its journal is empty.'];
  return [
    hasMatches ? 'It also received:' : 'It received instead:',
    ...nearMisses.map(
      numbered(({ request, differs }) =>
        [describeRequest(request), ...differs.map((one) => `       ${describeDifference(one)}`)].join('\n'),
      ),
    ),
  ];
}

const numbered =
  <T>(text: (value: T) => string) =>
  (value: T, index: number): string =>
    `  ${index + 1}. ${text(value)}`;

function describeTimes(min: number, max: number | undefined): string {
  if (max === 0) return 'no request';
  if (max === undefined) return `at least ${countRequests(min)}`;
  if (min === max) return `exactly ${countRequests(min)}`;
  return min === 0 ? `at most ${countRequests(max)}` : `${min} to ${countRequests(max)}`;
}

const describeWait = ({ within }: Expectation): string =>
  within === undefined ? '' : ` within ${typeof within === 'number' ? `${within}ms` : within}`;

function describeDifference(difference: RequestDifference): string {
  const { field, expected, reason } = difference;
  const received = 'received' in difference ? shownValue(difference.received) : 'none';
  const why = reason === undefined ? '' : ` (${reason})`;
  return `${field}: expected ${shownValue(expected)}, received ${received}${why}`;
}
