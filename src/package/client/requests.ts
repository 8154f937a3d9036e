// The journal of a sandbox: what its clients sent, and assertions on it.
import { type Duration, readDuration } from '../../base/duration.ts';
import { type Expectation, RequestMismatchError } from './request-mismatch.ts';
import { refuseUnknown } from '../../base/nearest.ts';
import { jsonBody, pathOf, type Transport } from './transport.ts';
import type { JournalEntry, RequestMatch, RequestsFound } from './wire-types.ts';

/**
 * What the sandbox received since it was made, reset or restored, or the journal cleared, oldest first. The journal drops the
 * oldest requests where it gets too long: `find` tells how many.
 */
export interface Requests {
  /** Those that match; all if `match` is left out. */
  list(match?: RequestMatch): Promise<JournalEntry[]>;
  /**
   * Those that match, whether they are as many as expected, and where too few match, others with what differs. `dropped` and
   * `dropped_bodies` are what the journal doesn't have any more: 0 if it is complete.
   */
  find(match: RequestMatch, expectation?: Expectation): Promise<RequestsFound>;
  /** How many match. */
  count(match?: RequestMatch): Promise<number>;
  /**
   * Resolves with the requests that match.
   *
   * @throws RequestMismatchError unless they are certainly as many as expected; its message has what the sandbox received
   *   instead, and what the journal dropped
   * @throws UnderstudyError `refused` with all faults of `match`; status 409 if the sandbox is reset meanwhile
   * @throws TypeError for a `within` that is no duration
   */
  expect(match: RequestMatch, expectation?: Expectation): Promise<JournalEntry[]>;
  /** Empties the journal. */
  clear(): Promise<void>;
}

export function openRequests({ read, act }: Transport, sandbox: string): Requests {
  const path = `/sandboxes${pathOf(sandbox, 'requests')}`;
  async function find(match: RequestMatch = {}, expectation: Expectation = {}): Promise<RequestsFound> {
    refuseUnknown('an expectation', expectation, ['times', 'within']);
    const { times, within = 0 } = expectation;
    return read('POST', `${path}/find`, jsonBody({ ...match, times, within_ms: millisecondsOf(within) }));
  }
  return {
    list: async (match) => [...(await find(match)).requests],
    find,
    count: async (match) => (await find(match)).count,
    async expect(match, expectation = {}) {
      const found = await find(match, expectation);
      if (!found.matched) throw new RequestMismatchError(sandbox, match, expectation, found);
      return [...found.requests];
    },
    clear: () => act('DELETE', path),
  };
}

function millisecondsOf(within: Duration): number {
  const milliseconds = typeof within === 'number' ? within : readDuration(within);
  if (milliseconds !== undefined) return milliseconds;
  throw new TypeError(`within must be milliseconds, or a text such as '5s', not '${within}'`);
}
