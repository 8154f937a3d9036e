// The journal of a sandbox, and assertions on it. The service compares, and words what differs.
import { type Duration, readDuration } from '../../base/duration.ts';
import { jsonBody, pathOf, type Transport } from './transport.ts';
import type { ExchangeMatch, JournalEntry, RequestsExpected, RequestsFound, RequestTimes } from './wire-types.ts';

export interface Part {
  /** The id of a request: only later ones. */
  readonly since?: string | undefined;
  /** At most so many, the last ones. */
  readonly limit?: number | undefined;
}

export interface Wait extends Pick<Part, 'since'> {
  /**
   * How long the service waits for them, at most a minute: milliseconds, or a text such as `'500ms'` or `'5s'`. It
   * answers as soon as they have come. If none has to come (`times: 0`, or only a `max`), it watches the whole time,
   * and answers as soon as there are too many.
   */
  readonly within?: Duration | undefined;
}

export interface Expectation extends Wait {
  /** How many requests; at least one if left out. A number stands for exactly so many. */
  readonly times?: RequestTimes | undefined;
}

/**
 * What the sandbox received since it was made, reset or restored, or the journal cleared, oldest first. The journal
 * drops the oldest requests where it gets too long: `find` tells how many.
 */
export interface Requests extends Readonly<ReturnType<typeof openRequests>> {}

export type Expect = Requests['expect'];

/** Thrown if the requests are not as expected, or dropped requests could decide it. */
export class RequestMismatchError extends Error {
  override readonly name = 'RequestMismatchError';
  /** All that the service answered: the requests that match, and others with what differs. */
  readonly found: RequestsExpected;

  constructor(found: RequestsExpected) {
    super(found.message ?? '');
    this.found = found;
  }
}

// No journal keeps so many requests.
export const mostKept = 10_000;

export function openRequests({ read, readText }: Transport, sandbox: string) {
  const path = `/sandboxes${pathOf(sandbox, 'requests')}`;
  const asserted = new Set<string>();

  async function find(match: ExchangeMatch = {}, expectation: Expectation & Part = {}): Promise<RequestsFound> {
    return read('POST', `${path}/find`, jsonBody({ ...match, ...bodyOf(expectation) }));
  }

  const list = async (match?: ExchangeMatch, part?: Part): Promise<JournalEntry[]> => [
    ...(await find(match, part)).requests,
  ];

  async function assert(wanted: object, expectation: Expectation = {}): Promise<JournalEntry[]> {
    const body = jsonBody({ ...wanted, ...bodyOf(expectation), limit: mostKept });
    const found = await read<RequestsExpected>('POST', `${path}/expect`, body);
    if (!found.matched) throw new RequestMismatchError(found);
    for (const { id } of found.requests) asserted.add(id);
    return [...found.requests];
  }

  const expect = (match: ExchangeMatch, expectation?: Expectation): Promise<JournalEntry[]> =>
    assert({ match }, expectation);
  /** Resolves with one request per match, in that order of arrival. Others may come between them. */
  expect.inOrder = (matches: readonly ExchangeMatch[], wait?: Wait): Promise<JournalEntry[]> =>
    assert({ in_order: matches }, wait);
  /** Resolves if the journal has only requests that `expect` and `expect.inOrder` of this object have matched. */
  expect.nothingElse = async (wait?: Wait): Promise<void> => void (await assert({ except: [...asserted] }, wait));

  return {
    /** Those that match; all if `match` is left out. */
    list,
    /**
     * The requests that match, whether they are as many as expected, and if too few match, others with the
     * differences. `dropped` and `dropped_bodies` are what the journal doesn't have any more: 0 if it is complete.
     */
    find,
    /** A line for each, the same in each run, for a snapshot: `GET /api/users/ as alice → 200`. */
    lines: async (match?: ExchangeMatch) => (await list(match)).map(({ line }) => line),
    count: async (match?: ExchangeMatch) => (await find(match, { limit: 0 })).count,
    /** The last requests that match as text for people, with their bodies: what is printed of a test that fails. */
    report: (match?: ExchangeMatch, part?: Part): Promise<string> =>
      readText('POST', `${path}/find`, jsonBody({ ...match, ...part })),
    /**
     * Assertions. All throw:
     *
     * - RequestMismatchError unless the requests are certainly as expected; its message has what the sandbox received instead, and what the journal dropped
     * - UnderstudyError `refused` with all faults of match and options, or status 409 if the sandbox is reset meanwhile
     * - TypeError for a `within` that is no duration
     */
    expect,
    async clear(): Promise<void> {
      await read('DELETE', path);
      asserted.clear();
    },
  };
}

function bodyOf({ within = 0, ...same }: Expectation & Part) {
  const milliseconds = typeof within === 'number' ? within : readDuration(within);
  if (milliseconds === undefined)
    throw new TypeError(`within must be milliseconds, or a text such as '5s', not '${within}'`);
  return { ...same, within_ms: milliseconds };
}
