// Statements that wait, oldest first. One that waits too long is refused: a queue that only grows serves no client.
import { Overloaded } from './sqlstates.ts';

// Retry interval for a statement that `onLate` can't end yet, such as one whose connection is opening.
const retryMs = 100;

/**
 * One timer for a whole queue. With a timer each, requests outlive the young generation's collection: that doubles p99.
 * @returns to be called after something began to wait; keeps no process alive
 */
export function watchOldest<W extends { readonly sinceMs: number }>(
  limitMs: number,
  oldest: () => W | undefined,
  onLate: (late: W) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const isLate = (waiting: W | undefined) => waiting !== undefined && performance.now() - waiting.sinceMs >= limitMs;
  function watch(): void {
    const first = timer === undefined ? oldest() : undefined;
    if (first === undefined) return;
    timer = setTimeout(look, Math.max(1, first.sinceMs + limitMs - performance.now())).unref();
  }
  function look(): void {
    timer = undefined;
    let late = oldest();
    while (late !== undefined && isLate(late)) {
      onLate(late);
      const next = oldest();
      if (next === late) {
        timer = setTimeout(look, retryMs).unref();
        return;
      }
      late = next;
    }
    watch();
  }
  return watch;
}

interface Waiting extends PromiseWithResolvers<void> {
  /** Undefined for work of no sandbox in particular. */
  readonly sandbox: string | undefined;
  readonly sinceMs: number;
}

export class WaitQueue {
  #waiting: Waiting[] = [];
  readonly #watch: () => void;

  constructor(maxWaitMs: number) {
    const giveUp = (late: Waiting) =>
      this.#refuse((waiting) => waiting === late, `no connection became free for ${maxWaitMs} ms`);
    this.#watch = watchOldest(maxWaitMs, () => this.#waiting[0], giveUp);
  }

  get length(): number {
    return this.#waiting.length;
  }

  has(sandbox: string): boolean {
    return this.#waiting.some((waiting) => waiting.sandbox === sandbox);
  }

  /** Resolves once `admit` lets it go. Throws Overloaded after too long, or if the sandbox is refused. */
  wait(sandbox: string | undefined): Promise<void> {
    const waiting = { sandbox, sinceMs: performance.now(), ...Promise.withResolvers<void>() };
    this.#waiting.push(waiting);
    this.#watch();
    return waiting.promise;
  }

  /** @param mayGo takes the connection where it returns true */
  admit(mayGo: (sandbox: string | undefined) => boolean): void {
    for (const { resolve } of this.#remove(({ sandbox }) => mayGo(sandbox))) resolve();
  }

  /** Whatever waits for the same lock would wait as long again. */
  refuseLocked(sandbox: string | undefined): void {
    this.#refuse((waiting) => waiting.sandbox === sandbox, 'the sandbox is locked');
  }

  #refuse(isRefused: (waiting: Waiting) => boolean, reason: string): void {
    for (const { reject } of this.#remove(isRefused)) reject(new Overloaded(reason));
  }

  #remove(isRemoved: (waiting: Waiting) => boolean): Waiting[] {
    const { removed = [], remaining = [] } = Object.groupBy(this.#waiting, (waiting) =>
      isRemoved(waiting) ? 'removed' : 'remaining',
    );
    this.#waiting = remaining;
    return removed;
  }
}
