// The journal of a sandbox: what its clients sent, and assertions on it.
import { type Duration, readDuration } from '../../base/duration.ts';
import {
  describeDisorder,
  describeMismatch,
  describeOthers,
  type Expectation,
  RequestMismatchError,
} from './request-mismatch.ts';
import { refuseUnknown } from '../../base/nearest.ts';
import { jsonBody, pathOf, type Transport } from './transport.ts';
import type { ExchangeMatch, JournalEntry, RequestsFound } from './wire-types.ts';

/**
 * What the sandbox received since it was made, reset or restored, or the journal cleared, oldest first. The journal
 * drops the oldest requests where it gets too long: `find` tells how many.
 */
export interface Requests {
  /** Those that match; all if `match` is left out. */
  list(match?: ExchangeMatch): Promise<JournalEntry[]>;
  /**
   * The requests that match, whether they are as many as expected, and if too few match, others with the
   * differences. `dropped` and `dropped_bodies` are what the journal doesn't have any more: 0 if it is complete.
   */
  find(match: ExchangeMatch, expectation?: Expectation): Promise<RequestsFound>;
  /** A line for each, the same in each run, for a snapshot: `POST /api/users/alice/notifications/ as alice {"scope":10} → 201`. */
  lines(match?: ExchangeMatch): Promise<string[]>;
  count(match?: ExchangeMatch): Promise<number>;
  readonly expect: Expect;
  clear(): Promise<void>;
}

/**
 * Assertions. All throw:
 *
 * - RequestMismatchError unless the requests are certainly as expected; its message has what the sandbox received
 *   instead, and what the journal dropped
 * - UnderstudyError `refused` with all faults of a match; status 409 if the sandbox is reset meanwhile
 * - TypeError for a `within` that is no duration
 */
export interface Expect {
  /** Resolves with the requests that match. */
  (match: ExchangeMatch, expectation?: Expectation): Promise<JournalEntry[]>;
  /** Resolves with one request per match, in that order of arrival. Others may come between them. */
  readonly inOrder: (matches: readonly ExchangeMatch[], expectation?: Wait) => Promise<JournalEntry[]>;
  /** Resolves if the journal has only requests that `expect` and `expect.inOrder` of this object have matched. */
  readonly nothingElse: (expectation?: Wait) => Promise<void>;
}

type Wait = Pick<Expectation, 'within'>;

export function openRequests({ read, act }: Transport, sandbox: string): Requests {
  const path = `/sandboxes${pathOf(sandbox, 'requests')}`;
  /** The ids of requests that an assertion matched. */
  const asserted = new Set<string>();

  async function find(match: ExchangeMatch = {}, expectation: Expectation = {}): Promise<RequestsFound> {
    refuseUnknown('an expectation', expectation, ['times', 'within']);
    const { times, within = 0 } = expectation;
    return read('POST', `${path}/find`, jsonBody({ ...match, times, within_ms: millisecondsOf(within) }));
  }

  function assert(requests: readonly JournalEntry[]): JournalEntry[] {
    for (const { id } of requests) asserted.add(id);
    return [...requests];
  }

  async function expect(match: ExchangeMatch, expectation: Expectation = {}): Promise<JournalEntry[]> {
    const found = await find(match, expectation);
    if (found.matched) return assert(found.requests);
    const text = describeMismatch(sandbox, match, expectation, found);
    throw new RequestMismatchError(text, match, expectation, found.requests, found.near_misses);
  }

  async function inOrder(matches: readonly ExchangeMatch[], expectation: Wait = {}): Promise<JournalEntry[]> {
    refuseUnknown('an expectation', expectation, ['within']);
    const end = performance.now() + millisecondsOf(expectation.within ?? 0);
    const requests: JournalEntry[] = [];
    for (const match of matches) {
      const next = await findNext(match, requests.at(-1), end);
      if (next === undefined) {
        const text = describeDisorder(sandbox, matches, expectation, requests.length, await find());
        throw new RequestMismatchError(text, match, expectation, requests);
      }
      requests.push(next);
    }
    return assert(requests);
  }

  /** The first match that arrived after another request; waits until the end. */
  async function findNext(match: ExchangeMatch, previous: JournalEntry | undefined, end: number) {
    for (let min = 1; ;) {
      const within = Math.max(0, Math.round(end - performance.now()));
      const { requests, matched } = await find(match, { times: { min }, within });
      const ids = (await find()).requests.map(({ id }) => id);
      // A dropped request is older than all others.
      const later = new Set(ids.slice(ids.indexOf(previous?.id ?? '') + 1));
      const next = requests.find(({ id }) => later.has(id));
      if (next !== undefined || !matched) return next;
      min = requests.length + 1;
    }
  }

  async function nothingElse(expectation: Wait = {}): Promise<void> {
    refuseUnknown('an expectation', expectation, ['within']);
    const found = await find({}, { ...expectation, times: { max: asserted.size } });
    const others = found.requests.filter(({ id }) => !asserted.has(id));
    if (others.length === 0 && found.dropped === 0) return;
    const text = describeOthers(sandbox, expectation, others, found);
    throw new RequestMismatchError(text, {}, expectation, others);
  }

  return {
    list: async (match) => [...(await find(match)).requests],
    find,
    lines: async (match) => (await find(match)).requests.map(({ line }) => line),
    count: async (match) => (await find(match)).count,
    expect: Object.assign(expect, { inOrder, nothingElse }),
    async clear() {
      await act('DELETE', path);
      asserted.clear();
    },
  };
}

function millisecondsOf(within: Duration): number {
  const milliseconds = typeof within === 'number' ? within : readDuration(within);
  if (milliseconds !== undefined) return milliseconds;
  throw new TypeError(`within must be milliseconds, or a text such as '5s', not '${within}'`);
}
