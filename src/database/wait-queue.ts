// Statements that wait, oldest first. One that waits too long is refused: a queue that only grows serves no client.
import { DatabaseUnavailable } from './sqlstates.ts';

// `onLate` can't end every statement at once, such as one whose connection is opening.
const minLookMs = 50;

/**
 * One timer for a whole queue. With a timer each, requests outlive the young generation's collection: that doubles
 * p99.
 * @returns to be called after something began to wait; keeps no process alive
 */
export function watchOldest<W extends { readonly sinceMs: number }>(
  limitMs: number,
  oldest: () => W | undefined,
  onLate: (late: W) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const leftMs = ({ sinceMs }: W) => sinceMs + limitMs - performance.now();
  function watch(): void {
    const first = timer === undefined ? oldest() : undefined;
    if (first !== undefined) timer = setTimeout(look, Math.max(minLookMs, leftMs(first))).unref();
  }
  function look(): void {
    timer = undefined;
    let last: W | undefined;
    for (let late = oldest(); late !== undefined && late !== last && leftMs(late) <= 0; late = oldest()) {
      onLate(late);
      last = late;
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

  /** Resolves once `admit` lets it go. Throws DatabaseUnavailable after too long, or if the sandbox is refused. */
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
    for (const { reject } of this.#remove(isRefused)) reject(new DatabaseUnavailable(reason));
  }

  #remove(isRemoved: (waiting: Waiting) => boolean): Waiting[] {
    const { removed = [], remaining = [] } = Object.groupBy(this.#waiting, (waiting) =>
      isRemoved(waiting) ? 'removed' : 'remaining',
    );
    this.#waiting = remaining;
    return removed;
  }
}
