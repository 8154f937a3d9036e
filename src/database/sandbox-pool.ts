// The pool's connections, shared out among sandboxes: one sandbox takes at most half of them, so that transactions of others go on
// while its own wait for a lock.
import type { Pool, PoolClient } from './dialect/pooled-driver.ts';
import { isLockTimeout, Overloaded } from './sqlstates.ts';
import { watchOldest } from './watch-oldest.ts';

interface Waiting {
  /** Undefined for work of no sandbox in particular, which may take the whole pool. */
  readonly sandbox: string | undefined;
  readonly sinceMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Overloaded) => void;
}

export class SandboxPool {
  readonly #pool: Pool;
  readonly #size: number;
  readonly #share: number;
  readonly #taken = new Map<string | undefined, number>();
  #inUse = 0;
  #line: Waiting[] = [];
  readonly #watch: () => void;

  /** @param waitMs how long one waits for a connection before Overloaded is thrown */
  constructor(pool: Pool, size: number, waitMs: number) {
    this.#pool = pool;
    this.#size = size;
    this.#share = Math.max(1, Math.floor(size / 2));
    this.#watch = watchOldest({
      oldest: () => this.#line[0],
      limitMs: waitMs,
      leastMs: 1,
      onLate: (lateSinceMs) =>
        this.#refuse(({ sinceMs }) => sinceMs <= lateSinceMs, `no connection became free for ${waitMs} ms`),
    });
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** The pool as one sandbox sees it. */
  of(sandbox: string | undefined): Pool {
    return { connect: () => this.#connect(sandbox), end: () => this.#pool.end() };
  }

  async #connect(sandbox: string | undefined): Promise<PoolClient> {
    if (this.#mayTake(sandbox)) this.#take(sandbox);
    else
      await new Promise<void>((resolve, reject) => {
        this.#line.push({ sandbox, sinceMs: performance.now(), resolve, reject });
        this.#watch();
      });
    try {
      const client = await this.#pool.connect();
      return {
        query: async (statement) => {
          try {
            return await client.query(statement);
          } catch (error) {
            // Whatever waits for the same lock would wait as long again.
            if (isLockTimeout(error)) this.#refuse((waiting) => waiting.sandbox === sandbox, 'the sandbox is locked');
            throw error;
          }
        },
        release: (error) => {
          client.release(error);
          this.#giveBack(sandbox);
        },
      };
    } catch (error) {
      this.#giveBack(sandbox);
      throw error;
    }
  }

  #mayTake(sandbox: string | undefined): boolean {
    return this.#inUse < this.#size && (sandbox === undefined || (this.#taken.get(sandbox) ?? 0) < this.#share);
  }

  #take(sandbox: string | undefined): void {
    this.#inUse++;
    this.#taken.set(sandbox, (this.#taken.get(sandbox) ?? 0) + 1);
  }

  #giveBack(sandbox: string | undefined): void {
    this.#inUse--;
    const left = (this.#taken.get(sandbox) ?? 0) - 1;
    if (left > 0) this.#taken.set(sandbox, left);
    else this.#taken.delete(sandbox);
    const next = this.#line.findIndex((waiting) => this.#mayTake(waiting.sandbox));
    const [waiting] = next === -1 ? [] : this.#line.splice(next, 1);
    if (waiting === undefined) return;
    this.#take(waiting.sandbox);
    waiting.resolve();
  }

  #refuse(isRefused: (waiting: Waiting) => boolean, reason: string): void {
    const refused = this.#line.filter(isRefused);
    this.#line = this.#line.filter((waiting) => !isRefused(waiting));
    for (const { reject } of refused) reject(new Overloaded(reason));
  }
}
