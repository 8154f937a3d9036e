// Sends writes through a few connections, the lanes. A sandbox uses one lane at a time, and shares it
// with no other sandbox: a write that waits for a lock delays only writes to its sandbox.
import type { Handle, NamedQuery } from './prepare.ts';
import { DatabaseUnavailable, isLockTimeout } from './sqlstates.ts';
import { watchOldest } from './watch-oldest.ts';

interface Lane {
  readonly client: Handle;
  inFlight: number;
}

interface Waiting extends PromiseWithResolvers<Lane> {
  readonly sandbox: string;
  readonly sinceMs: number;
}

/**
 * Returns a function from a sandbox's name to its handle.
 * @param maxWaitMs a statement that waited this long for its turn is refused, unsent
 */
export function shareLanes(clients: readonly Handle[], maxWaitMs: number) {
  // The last used lane is taken first: a single sandbox keeps to one open connection.
  const free = clients.map((client): Lane => ({ client, inFlight: 0 })).toReversed();
  const inUse = new Map<string, Lane>();
  let queue: Waiting[] = [];

  const refuseOldest = () =>
    queue.shift()?.reject(new DatabaseUnavailable(`no connection became free for ${maxWaitMs} ms`));
  const watch = watchOldest(maxWaitMs, () => queue[0], refuseOldest);

  // First come, first served: while the first statement waits for a lane, no later one is sent.
  function admit() {
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const lane = inUse.get(first.sandbox) ?? free.pop();
      if (lane === undefined) return;
      lane.inFlight++;
      inUse.set(first.sandbox, lane);
      first.resolve(lane);
      queue.shift();
    }
  }

  async function execute<R>(sandbox: string, query: NamedQuery<R>) {
    const waiting = { sandbox, sinceMs: performance.now(), ...Promise.withResolvers<Lane>() };
    queue.push(waiting);
    admit();
    watch();
    const lane = await waiting.promise;
    try {
      return await lane.client.executeQuery(query);
    } catch (error) {
      if (isLockTimeout(error)) refuseAll(sandbox);
      throw error;
    } finally {
      if (--lane.inFlight === 0) {
        inUse.delete(sandbox);
        free.push(lane);
      }
      admit();
    }
  }

  // The sandbox's queued statements would wait as long for the same lock.
  function refuseAll(sandbox: string) {
    for (const waiting of queue)
      if (waiting.sandbox === sandbox) waiting.reject(new DatabaseUnavailable('the sandbox is locked'));
    queue = queue.filter((waiting) => waiting.sandbox !== sandbox);
  }

  return (sandbox: string): Handle => ({ executeQuery: (query) => execute(sandbox, query) });
}
