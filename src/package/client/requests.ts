// A sandbox's journal, and assertions. The service compares the requests and writes the messages.
import { type Duration, readDuration } from '../../base/duration.ts';
import { jsonBody, pathOf, type Transport } from './transport.ts';
import type { ExchangeMatch, JournalEntry, RequestsExpected, RequestsFound, RequestTimes } from './wire-types.ts';

export interface JournalSlice {
  /** The id of a request: only later requests match. */
  readonly since?: string | undefined;
  /** At most this many requests: the last ones. */
  readonly limit?: number | undefined;
}

export interface Wait extends Pick<JournalSlice, 'since'> {
  /**
   * How long to wait for requests, at most a minute: milliseconds, or a text such as `'500ms'` or `'5s'`. The
   * wait ends when enough have come. With `times: 0` or only a `max`, it ends early only if too many come.
   */
  readonly within?: Duration | undefined;
}

export interface Expectation extends Wait {
  /** How many requests: a number means exactly this many. Default: at least one. */
  readonly times?: RequestTimes | undefined;
}

/**
 * The requests that the sandbox received, oldest first. A reset, a restore and `clear()` empty this journal.
 * If the journal gets too long, it drops the oldest requests: `find` tells how many.
 */
export interface Requests extends Readonly<ReturnType<typeof openRequests>> {}

export type Expect = Requests['expect'];

/** Thrown if the requests are not as expected, or if dropped requests leave this unclear. */
export class RequestMismatchError extends Error {
  override readonly name = 'RequestMismatchError';
  /** The service's answer: the requests that match, and others with their differences. */
  readonly found: RequestsExpected;

  constructor(found: RequestsExpected) {
    super(found.message ?? '');
    this.found = found;
  }
}

// The largest `limit`; no journal has more.
export const mostKept = 10_000;

export function openRequests({ read, readText }: Transport, sandbox: string) {
  const path = `/sandboxes${pathOf(sandbox, 'requests')}`;
  const asserted = new Set<string>();

  async function find(match: ExchangeMatch = {}, expectation: Expectation & JournalSlice = {}): Promise<RequestsFound> {
    return read('POST', `${path}/find`, jsonBody({ ...match, ...bodyOf(expectation) }));
  }

  const list = async (match?: ExchangeMatch, slice?: JournalSlice) => [...(await find(match, slice)).requests];

  async function assert(wanted: object, expectation: Expectation = {}): Promise<JournalEntry[]> {
    const body = jsonBody({ ...wanted, ...bodyOf(expectation), limit: mostKept });
    const found = await read<RequestsExpected>('POST', `${path}/expect`, body);
    if (!found.matched) throw new RequestMismatchError(found);
    for (const { id } of found.requests) asserted.add(id);
    return [...found.requests];
  }

  const expect = (match: ExchangeMatch, expectation?: Expectation): Promise<JournalEntry[]> =>
    assert({ match }, expectation);
  /** Resolves with one request per match, in the matches' order. Other requests may come between. */
  expect.inOrder = (matches: readonly ExchangeMatch[], wait?: Wait): Promise<JournalEntry[]> =>
    assert({ in_order: matches }, wait);
  /** Resolves if `expect` and `expect.inOrder` of this object have matched all requests of the journal. */
  expect.nothingElse = async (wait?: Wait): Promise<void> => void (await assert({ except: [...asserted] }, wait));

  return {
    /** The requests that match; without `match`, all requests. */
    list,
    /**
     * The requests that match, and whether their number is as expected; if too few match, others with their
     * differences. `dropped` and `dropped_bodies` count what the journal has dropped.
     */
    find,
    /** A line per request, the same in each run, for snapshot tests: `GET /api/users/ as alice → 200`. */
    lines: async (match?: ExchangeMatch) => (await list(match)).map(({ line }) => line),
    count: async (match?: ExchangeMatch) => (await find(match, { limit: 0 })).count,
    /** A text for people: the last requests that match, with bodies of writes and failures. */
    report: (match?: ExchangeMatch, slice?: JournalSlice) =>
      readText('POST', `${path}/find`, jsonBody({ ...match, ...slice })),
    /**
     * Assertions. All throw:
     *
     * - RequestMismatchError unless the requests are certainly as expected; its message says what came
     * - UnderstudyError `refused` with all errors of match and options; status 409 if a reset ends the wait
     * - TypeError for a `within` that is no duration
     */
    expect,
    async clear() {
      await read('DELETE', path);
      asserted.clear();
    },
  };
}

function bodyOf({ within = 0, ...same }: Expectation & JournalSlice) {
  const milliseconds = typeof within === 'number' ? within : readDuration(within);
  if (milliseconds === undefined)
    throw new TypeError(`within must be milliseconds, or a text such as '5s', not '${within}'`);
  return { ...same, within_ms: milliseconds };
}
