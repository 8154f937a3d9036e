// Single-statement writes on a few pipelined connections, the lanes. While a sandbox has a statement in flight on a lane, the lane is
// that sandbox's alone: a write that waits for a lock delays writes to its own sandbox and no others.
import type { Result, Statement } from './dialect/connection.ts';
import type { SharedClient } from './dialect/pipelined-driver.ts';
import { isLockTimeout, Overloaded } from './errors.ts';

interface Lane {
  readonly client: SharedClient;
  inFlight: number;
}

interface Waiting {
  readonly statement: Statement;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (result: Promise<Result>) => void;
  readonly reject: (error: Overloaded) => void;
}

export class Lanes {
  readonly #clients: readonly SharedClient[];
  /** Last used on top, so that a single sandbox keeps to one open connection. */
  readonly #free: Lane[];
  readonly #taken = new Map<string, Lane>();
  /** Statements without a lane, by sandbox. The sandbox that has waited longest comes first, and its first statement is its oldest. */
  readonly #line = new Map<string, Waiting[]>();
  readonly #waitMs: number;

  /** @param waitMs how long a statement waits for a lane before it throws Overloaded, unsent */
  constructor(clients: readonly SharedClient[], waitMs: number) {
    this.#clients = clients;
    this.#free = clients.map((client) => ({ client, inFlight: 0 })).toReversed();
    this.#waitMs = waitMs;
  }

  /** Throws what the client throws, and Overloaded where the statement was not sent. */
  query(sandbox: string, statement: Statement): Promise<Result> {
    const lane = this.#laneOf(sandbox);
    return lane === undefined ? this.#wait(sandbox, statement) : this.#send(lane, sandbox, statement);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  #laneOf(sandbox: string): Lane | undefined {
    const taken = this.#taken.get(sandbox);
    // Where others wait, a sandbox that has a lane waits with them, or a busy one would never give its lane back.
    if (taken !== undefined) return this.#line.size === 0 ? taken : undefined;
    return this.#line.has(sandbox) ? undefined : this.#take(sandbox);
  }

  #take(sandbox: string): Lane | undefined {
    const lane = this.#free.pop();
    if (lane !== undefined) this.#taken.set(sandbox, lane);
    return lane;
  }

  #wait(sandbox: string, statement: Statement): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const giveUp = () => this.#refuse(sandbox, `no connection became free for ${this.#waitMs} ms`);
    const waiting = { statement, timer: setTimeout(giveUp, this.#waitMs).unref(), resolve, reject };
    const others = this.#line.get(sandbox);
    if (others === undefined) this.#line.set(sandbox, [waiting]);
    else others.push(waiting);
    return promise;
  }

  async #send(lane: Lane, sandbox: string, statement: Statement): Promise<Result> {
    lane.inFlight++;
    try {
      return await lane.client.query(statement);
    } catch (error) {
      // Whatever waits for the same lock would wait as long again.
      if (isLockTimeout(error)) this.#refuse(sandbox, 'the sandbox is locked');
      throw error;
    } finally {
      if (--lane.inFlight === 0) this.#release(lane, sandbox);
    }
  }

  #release(lane: Lane, former: string): void {
    this.#taken.delete(former);
    this.#free.push(lane);
    for (const [sandbox, waiting] of this.#line) {
      // A sandbox has one lane at most.
      if (this.#taken.has(sandbox)) continue;
      const next = this.#take(sandbox);
      if (next === undefined) return;
      this.#line.delete(sandbox);
      for (const { statement, timer, resolve } of waiting) {
        clearTimeout(timer);
        resolve(this.#send(next, sandbox, statement));
      }
    }
  }

  #refuse(sandbox: string, reason: string): void {
    const refused = this.#line.get(sandbox) ?? [];
    this.#line.delete(sandbox);
    for (const { timer, reject } of refused) {
      clearTimeout(timer);
      reject(new Overloaded(reason));
    }
  }
}
