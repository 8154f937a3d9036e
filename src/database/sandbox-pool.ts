// The pool's connections, shared out among sandboxes: one sandbox takes at most half of them, so that transactions of others go on
// while its own wait for a lock.
import type { Pool, PoolClient } from './dialect/pooled-driver.ts';
import { isLockTimeout, Overloaded } from './errors.ts';

interface Waiting {
  /** Undefined for work of no sandbox in particular, which may take the whole pool. */
  readonly sandbox: string | undefined;
  readonly timer: NodeJS.Timeout;
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
  readonly #waitMs: number;

  /** @param waitMs how long one waits for a connection before Overloaded is thrown */
  constructor(pool: Pool, size: number, waitMs: number) {
    this.#pool = pool;
    this.#size = size;
    this.#share = Math.max(1, Math.floor(size / 2));
    this.#waitMs = waitMs;
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
        const giveUp = () =>
          this.#refuse((waiting) => waiting.timer === timer, `no connection became free for ${this.#waitMs} ms`);
        const timer = setTimeout(giveUp, this.#waitMs).unref();
        this.#line.push({ sandbox, timer, resolve, reject });
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
    clearTimeout(waiting.timer);
    this.#take(waiting.sandbox);
    waiting.resolve();
  }

  #refuse(isRefused: (waiting: Waiting) => boolean, reason: string): void {
    const refused = this.#line.filter(isRefused);
    this.#line = this.#line.filter((waiting) => !isRefused(waiting));
    for (const { timer, reject } of refused) {
      clearTimeout(timer);
      reject(new Overloaded(reason));
    }
  }
}
