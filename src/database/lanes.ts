// Single-statement writes on a few pipelined connections, the lanes. While a sandbox has a statement in flight on a
// lane, the lane is that sandbox's alone: a write that waits for a lock delays writes to its own sandbox and no
// others.
import { WaitQueue } from './wait-queue.ts';
import type { PipelinedClient } from './pipelined-client.ts';
import type { Handle, NamedQuery } from './prepare.ts';
import { isLockTimeout } from './sqlstates.ts';

interface Lane {
  readonly client: PipelinedClient;
  inFlight: number;
}

export class Lanes {
  /** Last used on top, so that a single sandbox keeps to one open connection. */
  readonly #free: Lane[];
  /** By sandbox, which has one lane at most. */
  readonly #inUse = new Map<string | undefined, Lane>();
  readonly #queue: WaitQueue;

  /** @param maxWaitMs how long a statement waits for a lane before it is refused, unsent */
  constructor(clients: readonly PipelinedClient[], maxWaitMs: number) {
    this.#free = clients.map((client) => ({ client, inFlight: 0 })).toReversed();
    this.#queue = new WaitQueue(maxWaitMs);
  }

  of(sandbox: string): Handle {
    return { executeQuery: (query) => this.#execute(sandbox, query) };
  }

  async #execute<R>(sandbox: string, query: NamedQuery<R>): Promise<{ rows: R[] }> {
    const lane = await this.#enter(sandbox);
    try {
      return await lane.client.executeQuery(query);
    } catch (error) {
      if (isLockTimeout(error)) this.#queue.refuseLocked(sandbox);
      throw error;
    } finally {
      if (--lane.inFlight === 0) this.#release(lane, sandbox);
    }
  }

  async #enter(sandbox: string): Promise<Lane> {
    // If others wait, a sandbox that has a lane waits with them, or a busy one would never give its lane back.
    const mustWait = this.#inUse.has(sandbox) ? this.#queue.length > 0 : this.#queue.has(sandbox);
    const lane = mustWait ? undefined : this.#take(sandbox);
    if (lane === undefined) await this.#queue.wait(sandbox);
    return this.#inUse.get(sandbox) as Lane;
  }

  #take(sandbox: string | undefined): Lane | undefined {
    const lane = this.#inUse.get(sandbox) ?? this.#free.pop();
    if (lane === undefined) return undefined;
    lane.inFlight++;
    this.#inUse.set(sandbox, lane);
    return lane;
  }

  #release(lane: Lane, former: string): void {
    this.#inUse.delete(former);
    this.#free.push(lane);
    const busy = new Set(this.#inUse.keys());
    this.#queue.admit((sandbox) => !busy.has(sandbox) && this.#take(sandbox) !== undefined);
  }
}
