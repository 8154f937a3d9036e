// Sends many generated requests, several at a time, and collects faulty answers.
import { type FuzzRequest, makeRequest } from './grammar.ts';
import { createLearned, type Learned } from './learned.ts';
import { count as countOutcome, createTally, maxFaults, type Tally } from './tally.ts';
import { findFault } from './verdict.ts';
import { sendBytes } from './wire.ts';

export interface FuzzOptions {
  /** `http://127.0.0.1:8000` */
  readonly url: string;
  readonly seed: number;
  /** Numbers of the requests: a seed and a number determine the request. */
  readonly first: number;
  readonly count: number;
  readonly atOnce?: number;
  /** Continues the tally of an earlier call, or fills one that the caller watches. */
  readonly tally?: Tally;
  /** What an earlier call learned from the server. */
  readonly learned?: Learned;
  /** Stops sending further requests. */
  readonly signal?: AbortSignal;
}

export interface FuzzFault {
  readonly number: number;
  readonly fault: string;
  readonly request: FuzzRequest;
}

/** The service's settings: few sandboxes reach the limit, and the log has the cause of a 500. */
export const settings = { LOG_LEVEL: 'error', UNDERSTUDY_MAX_SANDBOXES: '5' };

/** Time limit for an answer to a complete request. */
const timeoutMs = 20_000;
/** Time limit for bytes that may not be a complete request. */
const endAfterMs = 400;

export async function fuzz(options: FuzzOptions): Promise<Tally> {
  const { url, seed, first, count, atOnce = 32, tally = createTally(), learned = createLearned(), signal } = options;
  const { hostname: host, port } = new URL(url);
  let next = first;
  const isOver = () => signal?.aborted === true;
  const work = async () => {
    while (next < first + count && !isOver() && tally.faults.length < maxFaults) {
      const number = next++;
      const request = makeRequest(seed, number);
      const patience = request.isMutated ? { timeoutMs, endAfterMs } : { timeoutMs };
      const outcome = await sendBytes(learned.fill(request.bytes), { host, port: Number(port), ...patience });
      countOutcome(tally, request, outcome);
      const { status, body } = outcome.answer ?? {};
      if (body !== undefined && !request.isMutated && (status === 200 || status === 201)) learned.note(body);
      const fault = findFault(request, outcome);
      // Ctrl-C stops the service as well.
      if (fault !== undefined && !isOver()) tally.faults.push({ number, fault, request });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return tally;
}

/** @param log the service's log, in lines of JSON */
export function describeFault({ number, fault, request }: FuzzFault, log = ''): string {
  const cause = log.split('\n').find((line) => line.includes(`"fuzz-${number}"`));
  const sent = JSON.stringify(request.bytes.toString('latin1').slice(0, 1500));
  return `#${number}: ${fault}\n${sent}${cause === undefined ? '' : `\nlog: ${cause}`}`;
}
