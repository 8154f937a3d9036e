// Asks a server many requests of the grammar, some at a time, and tells what is wrong with the answers.
import { type FuzzRequest, makeRequest } from './grammar.ts';
import { findFault } from './verdict.ts';
import { sendBytes } from './wire.ts';

export interface FuzzOptions {
  /** `http://127.0.0.1:8000` */
  readonly url: string;
  readonly seed: number;
  /** Numbers of the requests: the same seed and number make the same request. */
  readonly first: number;
  readonly count: number;
  readonly atOnce?: number;
}

export interface FuzzFault {
  readonly number: number;
  readonly fault: string;
  readonly request: FuzzRequest;
}

export interface FuzzResult {
  readonly faults: readonly FuzzFault[];
  /** How often each status was answered; `none` for a closed connection. */
  readonly statuses: ReadonlyMap<string, number>;
}

/** How long a server may be silent about a whole request. */
const timeoutMs = 20_000;
/** And about what may be none. */
const endAfterMs = 400;

export async function fuzz({ url, seed, first, count, atOnce = 8 }: FuzzOptions): Promise<FuzzResult> {
  const { hostname: host, port } = new URL(url);
  const faults: FuzzFault[] = [];
  const statuses = new Map<string, number>();
  let next = first;
  const work = async () => {
    while (next < first + count) {
      const number = next++;
      const request = makeRequest(seed, number);
      const patience = request.isMutated ? { timeoutMs, endAfterMs } : { timeoutMs };
      const outcome = await sendBytes(request.bytes, { host, port: Number(port), ...patience });
      const status = String(outcome.answer?.status ?? 'none');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const fault = findFault(request, outcome);
      if (fault !== undefined) faults.push({ number, fault, request });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { faults: faults.toSorted((a, b) => a.number - b.number), statuses };
}

export const describeFault = ({ number, fault, request }: FuzzFault): string =>
  `#${number}: ${fault}\n${JSON.stringify(request.bytes.toString('latin1').slice(0, 1500))}`;
