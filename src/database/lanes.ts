// Sends statements that write on a few connections (the lanes). A sandbox has one lane at most, and shares it with no
// other sandbox meanwhile: a write that waits for a lock delays writes to its own sandbox and no others.
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

export class Lanes {
  /** Last used on top, so that a single sandbox keeps to one open connection. */
  readonly #free: Lane[];
  readonly #inUse = new Map<string, Lane>();
  /** Oldest first. */
  #waiting: Waiting[] = [];
  readonly #watch: () => void;

  /** @param maxWaitMs how long a statement waits for its turn before it is refused, unsent */
  constructor(clients: readonly Handle[], maxWaitMs: number) {
    this.#free = clients.map((client) => ({ client, inFlight: 0 })).toReversed();
    const refuse = (late: Waiting) =>
      this.#refuse((waiting) => waiting === late, `no connection became free for ${maxWaitMs} ms`);
    this.#watch = watchOldest(maxWaitMs, () => this.#waiting[0], refuse);
  }

  of(sandbox: string): Handle {
    return { executeQuery: (query) => this.#execute(sandbox, query) };
  }

  async #execute<R>(sandbox: string, query: NamedQuery<R>) {
    const waiting = { sandbox, sinceMs: performance.now(), ...Promise.withResolvers<Lane>() };
    this.#waiting.push(waiting);
    this.#admit();
    this.#watch();
    const lane = await waiting.promise;
    try {
      return await lane.client.executeQuery(query);
    } catch (error) {
      // Whatever waits for the same lock would wait as long again.
      if (isLockTimeout(error)) this.#refuse((other) => other.sandbox === sandbox, 'the sandbox is locked');
      throw error;
    } finally {
      if (--lane.inFlight === 0) {
        this.#inUse.delete(sandbox);
        this.#free.push(lane);
      }
      this.#admit();
    }
  }

  // First come, first served: while a sandbox waits for a lane, busy sandboxes send nothing more on theirs.
  #admit() {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const lane = this.#inUse.get(first.sandbox) ?? this.#free.pop();
      if (lane === undefined) return;
      lane.inFlight++;
      this.#inUse.set(first.sandbox, lane);
      first.resolve(lane);
      this.#waiting.shift();
    }
  }

  #refuse(isRefused: (waiting: Waiting) => boolean, reason: string) {
    for (const { reject } of this.#waiting.filter(isRefused)) reject(new DatabaseUnavailable(reason));
    this.#waiting = this.#waiting.filter((waiting) => !isRefused(waiting));
  }
}
