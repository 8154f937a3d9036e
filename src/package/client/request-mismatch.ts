// How many requests are expected, and the failure of that in words for the reader of a test's output.
import type { Duration } from '../../base/duration.ts';
import { countRequests, describeDropped, describeRequest, shorten } from './describe-requests.ts';
import type {
  JournalEntry,
  NearMiss,
  RequestDifference,
  RequestMatch,
  RequestsFound,
  RequestTimes,
} from './wire-types.ts';

export interface Expectation {
  /** How many requests; at least one if left out. A number stands for exactly so many. */
  readonly times?: RequestTimes | undefined;
  /**
   * How long the service waits for them, at most a minute: milliseconds, or a text such as `'500ms'` or `'5s'`. It answers as
   * soon as they have come. Where none has to come (`times: 0`, or a `max` alone), it watches the whole time, and answers as soon
   * as there are too many.
   */
  readonly within?: Duration | undefined;
}

/** Thrown if the number of matching requests isn't as expected, or if dropped requests could decide it. */
export class RequestMismatchError extends Error {
  override readonly name = 'RequestMismatchError';
  readonly match: RequestMatch;
  readonly expectation: Expectation;
  /** How many match. */
  readonly count: number;
  /** Those that match. */
  readonly requests: readonly JournalEntry[];
  /** Where too few match: others, those of the same path first, then the latest. */
  readonly nearMisses: readonly NearMiss[];

  constructor(sandbox: string, match: RequestMatch, expectation: Expectation, found: RequestsFound) {
    super(describe(sandbox, match, expectation, found));
    this.match = match;
    this.expectation = expectation;
    this.count = found.count;
    this.requests = found.requests;
    this.nearMisses = found.near_misses;
  }
}

const mostShown = 5;
const mostCharacters = 160;
const adviceOnLost =
  'Give each test a sandbox of its own, or clear the journal before the requests that the test asserts.';

function describe(sandbox: string, match: RequestMatch, expectation: Expectation, found: RequestsFound): string {
  const { count, lost, requests, near_misses: nearMisses } = found;
  const received = count === 0 ? 'none' : String(count);
  const perhaps = lost === 0 ? '' : `, and perhaps ${lost} that its journal can't compare any more`;
  return [
    `Expected ${describeTimes(expectation)}, but sandbox ${sandbox} received ${received}${perhaps}:`,
    `  ${describeMatch(match)}`,
    ...(lost === 0 ? [] : [...describeDropped(found), adviceOnLost]),
    ...(requests.length > 0
      ? ['Received:', ...requests.slice(0, mostShown).map(numbered((entry) => describeRequest(entry)))]
      : []),
    ...(requests.length > mostShown ? [`  and ${requests.length - mostShown} more`] : []),
    ...(count < rangeOf(expectation).min ? describeNearMisses(nearMisses, count > 0) : []),
  ].join('\n');
}

/** Without a maximum there may be any number. */
function rangeOf({ times = { min: 1 } }: Expectation): { readonly min: number; readonly max?: number } {
  return typeof times === 'number' ? { min: times, max: times } : { min: 0, ...times };
}

function describeNearMisses(nearMisses: readonly NearMiss[], hasMatches: boolean): string[] {
  if (nearMisses.length === 0) return [hasMatches ? 'Its journal has no other request.' : 'Its journal is empty.'];
  return [
    hasMatches ? 'It also received:' : 'It received instead:',
    ...nearMisses.map(
      numbered(({ request, differs }) => `${describeRequest(request)}\n       ${describeDifference(differs)}`),
    ),
  ];
}

const numbered =
  <T>(text: (value: T) => string) =>
  (value: T, index: number): string =>
    `  ${index + 1}. ${text(value)}`;

function describeTimes(expectation: Expectation): string {
  const { within } = expectation;
  const { min, max } = rangeOf(expectation);
  const wait = within === undefined ? '' : ` within ${typeof within === 'number' ? `${within}ms` : within}`;
  if (max === 0) return `no request${wait}`;
  if (max === undefined) return `at least ${countRequests(min)}${wait}`;
  if (min === max) return `exactly ${countRequests(min)}${wait}`;
  return min === 0 ? `at most ${countRequests(max)}${wait}` : `${min} to ${countRequests(max)}${wait}`;
}

/** One line: `POST /api/users/** as alice with body {"scope":10}` */
function describeMatch({ method, path, user, query, body, status, unmatched, fault }: RequestMatch): string {
  const words = [
    method?.toUpperCase(),
    path ?? (method === undefined ? 'any request' : 'any path'),
    user === null ? 'without a token' : user === undefined ? undefined : `as ${user}`,
    query && `with query ${shown(query)}`,
    body === undefined ? undefined : `with body ${shown(body)}`,
    status === undefined ? undefined : `with status ${status}`,
    unmatched === undefined ? undefined : `to a path that ${unmatched ? "isn't" : 'is'} served`,
    fault && `struck by fault ${fault}`,
  ];
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}

function describeDifference(difference: RequestDifference): string {
  const { field, expected, reason } = difference;
  const received = 'received' in difference ? shown(difference.received) : 'none';
  const why = reason === undefined ? '' : ` (${reason})`;
  return `${field}: expected ${shown(expected)}, received ${received}${why}`;
}

const shown = (value: unknown): string => shorten(JSON.stringify(value), mostCharacters);
