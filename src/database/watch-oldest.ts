// One timer for all who wait in a queue: the oldest is the first whose time is over.

interface Since {
  /** Of `performance.now()` */
  readonly sinceMs: number;
}

export interface Watch {
  readonly oldest: () => Since | undefined;
  /** How long one may wait. */
  readonly limitMs: number;
  /** Soonest that it looks again. */
  readonly leastMs: number;
  /** Told the moment: who waits since then or longer is late. */
  readonly onLate: (lateSinceMs: number) => void;
}

/** To be called whenever somebody begins to wait. The timer keeps no process alive. */
export function watchOldest({ oldest, limitMs, leastMs, onLate }: Watch): () => void {
  let timer: NodeJS.Timeout | undefined;
  return function watch(): void {
    const first = timer === undefined ? oldest() : undefined;
    if (first === undefined) return;
    const leftMs = Math.max(leastMs, first.sinceMs + limitMs - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      onLate(performance.now() - limitMs);
      watch();
    }, leftMs).unref();
  };
}
