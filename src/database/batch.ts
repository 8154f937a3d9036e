// Requests that wait at the same moment share one statement. Fewer than two are in flight: what arrives meanwhile is the next one.
// A lone request goes out at once. Who waits too long for its turn is told so: a queue that only grows serves nobody.
import { Overloaded } from './errors.ts';

export interface BatchOptions<Request, Result> {
  /** Answers all requests, in their order. */
  readonly send: (requests: Request[]) => Promise<Result[]>;
  /** What a request may cost, so that a small one doesn't wait for another's thousand rows. */
  readonly weigh: (request: Request) => number;
  /** True for an error that one request's values may have caused, so that each is sent again by itself. */
  readonly isOneRequestsFault: (error: unknown) => boolean;
  readonly maxInFlight?: number;
  /** How many go together; twice as many where three times as many wait. */
  readonly maxRequests?: number;
  readonly maxWeight?: number;
  /** After so long in the queue a request is refused, and was not sent. */
  readonly maxWaitMs?: number;
}

interface Waiting<Request, Result> {
  readonly request: Request;
  /** Refuses it when it has waited too long. */
  readonly timer: NodeJS.Timeout;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Figures by measurement (docs/performance.md). With larger batches 32 clients fall into step with one another: all of them wait
 * for the database, then all for the program. Of a hundred clients enough are left to keep both busy.
 */
const measured = { maxInFlight: 2, maxRequests: 12, maxWeight: 1600 };
// A hundred times what a request waits under load that is borne.
const defaultWaitMs = 2000;

export function shareStatements<Request, Result>(
  options: BatchOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  const { maxInFlight, maxRequests, maxWeight, maxWaitMs } = { ...measured, maxWaitMs: defaultWaitMs, ...options };
  let queue: Waiting<Request, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;
  // Who comes alone once does so again: it needn't wait for others.
  let wasAlone = true;

  // First come, first served; the first is always admitted, whatever it weighs.
  function takeBatch(): Waiting<Request, Result>[] {
    let weight = 0;
    let length = 0;
    const mostRequests = queue.length < 3 * maxRequests ? maxRequests : 2 * maxRequests;
    while (length < Math.min(queue.length, mostRequests)) {
      weight += options.weigh((queue[length] as Waiting<Request, Result>).request);
      if (length > 0 && weight > maxWeight) break;
      length++;
    }
    const batch = queue.slice(0, length);
    queue = queue.slice(length);
    for (const { timer } of batch) clearTimeout(timer);
    return batch;
  }

  function pump(): void {
    scheduled = false;
    while (inFlight < maxInFlight && queue.length > 0) {
      inFlight++;
      const batch = takeBatch();
      wasAlone = batch.length === 1;
      void answer(batch);
    }
  }

  async function answer(batch: Waiting<Request, Result>[]): Promise<void> {
    try {
      const results = await options.send(batch.map((waiting) => waiting.request));
      finish();
      for (const [i, waiting] of batch.entries()) waiting.resolve(results[i] as Result);
    } catch (error) {
      finish();
      if (batch.length === 1 || !options.isOneRequestsFault(error)) for (const waiting of batch) waiting.reject(error);
      else await Promise.all(batch.map((waiting) => answerAlone(waiting)));
    }
  }

  // The next batch is on its way before this one's answers are written.
  function finish(): void {
    inFlight--;
    pump();
  }

  async function answerAlone(waiting: Waiting<Request, Result>): Promise<void> {
    try {
      waiting.resolve((await options.send([waiting.request]))[0] as Result);
    } catch (error) {
      waiting.reject(error);
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(
          queue.findIndex((waiting) => waiting.timer === timer),
          1,
        );
        reject(new Overloaded(`a request waited for more than ${maxWaitMs} ms`));
      }, maxWaitMs).unref();
      queue.push({ request, timer, resolve, reject });
      if (!scheduled && inFlight === 0 && wasAlone) pump();
      else if (!scheduled && inFlight < maxInFlight) {
        // What else arrives in this turn of the event loop comes along.
        scheduled = true;
        setImmediate(pump);
      }
    });
}
