// Ends what waits too long for the database's answer, or to be sent.

// The shortest time between looks. While a connection opens, `onLate` can't end a wait: without this limit,
// the timer would fire all the time.
const minLookMs = 50;

/**
 * One timer serves a queue. With a timer each, requests would outlive the young generation's
 * collection, which doubles p99.
 * @returns a function to call when something begins to wait; the timer keeps no process alive
 */
export function watchOldest<W extends { readonly sinceMs: number }>(
  limitMs: number,
  oldest: () => W | undefined,
  onLate: (late: W) => void,
) {
  let timer: NodeJS.Timeout | undefined;
  const leftMs = ({ sinceMs }: W) => sinceMs + limitMs - performance.now();
  function watch() {
    const first = timer === undefined ? oldest() : undefined;
    if (first !== undefined) timer = setTimeout(look, Math.max(minLookMs, leftMs(first))).unref();
  }
  function look() {
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
