// Requests that wait at the same moment share a statement. While two statements are in flight, requests
// form the next batch (docs/decisions/0001). A request that waits too long is refused.
import { DatabaseUnavailable, isDataError } from './sqlstates.ts';
import { watchOldest } from './watch-oldest.ts';

export interface BatchOptions<Request, Result> extends Partial<typeof defaults> {
  /** Returns the requests' results, in the same order. */
  readonly send: (requests: Request[]) => Promise<Result[]>;
  /** The rows that a request reads. A batch limits their sum: small requests don't wait for large ones. */
  readonly weigh: (request: Request) => number;
}

interface Waiting<Request, Result> extends Omit<PromiseWithResolvers<Result>, 'promise'> {
  readonly request: Request;
  readonly sinceMs: number;
}

/**
 * Measured (docs/decisions/0001). With larger batches, 32 clients fall into step: all wait for
 * the database, then all for the program. A hundred clients keep both busy: if three batches wait, the
 * next may be twice as large. Under bearable load, a request waits 1 % of `maxWaitMs`.
 */
const defaults = { maxInFlight: 2, maxRequests: 12, maxWeight: 1600, maxWaitMs: 2000 };

export function shareStatements<Request, Result>(
  options: BatchOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  const { maxInFlight, maxRequests, maxWeight, maxWaitMs } = { ...defaults, ...options };
  const queue: Waiting<Request, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;
  // Whether the last batch had one request: a lone client needn't wait for others.
  let wasAlone = true;

  // The first request is taken, whatever its weight.
  function takeBatch() {
    let weight = 0;
    let length = 0;
    const mostRequests = queue.length < 3 * maxRequests ? maxRequests : 2 * maxRequests;
    while (length < Math.min(queue.length, mostRequests)) {
      weight += options.weigh(queue[length]!.request);
      if (length > 0 && weight > maxWeight) break;
      length++;
    }
    return queue.splice(0, length);
  }

  function pump() {
    scheduled = false;
    while (inFlight < maxInFlight && queue.length > 0) {
      inFlight++;
      const batch = takeBatch();
      wasAlone = batch.length === 1;
      // The next batch is sent before this batch's answers are written.
      void answer(batch, () => {
        inFlight--;
        pump();
      });
    }
  }

  async function answer(batch: Waiting<Request, Result>[], whenSent?: () => void) {
    try {
      const results = await options.send(batch.map((waiting) => waiting.request)).finally(whenSent);
      for (const [i, waiting] of batch.entries()) waiting.resolve(results[i] as Result);
    } catch (error) {
      // If one request's values may be at fault, each request is sent again by itself.
      if (batch.length === 1 || !isDataError(error)) for (const waiting of batch) waiting.reject(error);
      else await Promise.all(batch.map((waiting) => answer([waiting])));
    }
  }

  const refuseOldest = () =>
    queue.shift()?.reject(new DatabaseUnavailable(`a request waited for more than ${maxWaitMs} ms`));
  const watch = watchOldest(maxWaitMs, () => queue[0], refuseOldest);

  return (request) =>
    new Promise((resolve, reject) => {
      queue.push({ request, sinceMs: performance.now(), resolve, reject });
      if (!scheduled && inFlight === 0 && wasAlone) pump();
      else if (!scheduled && inFlight < maxInFlight) {
        // Requests of the same turn of the event loop join the batch.
        scheduled = true;
        setImmediate(pump);
      }
      watch();
    });
}
