// Work on many requests gives way to other work of the process after some time: paths, patterns and bodies may
// be long, and many searches may run at once.
import { setImmediate } from 'node:timers/promises';

/** The most of a turn of the event loop that this work may take, all searches together. */
const maxMs = 5;
let begun: number | undefined;
let queue: Promise<void> = Promise.resolve();

/** To be awaited between two steps. Resolves at once while there is time, then for one waiter per turn. */
export async function giveWay() {
  while (isOver()) await (queue = queue.then(() => setImmediate()));
}

function isOver() {
  if (begun !== undefined) return performance.now() - begun > maxMs;
  begun = performance.now();
  void setImmediate().then(() => (begun = undefined));
  return false;
}
