// Work on many requests gives way to other work of the process after some time, because paths, patterns and bodies may
// be long, and many searches may run at the same moment.
import { setImmediate } from 'node:timers/promises';

/** How much of a turn of the event loop all such work together may take. */
const maxMs = 5;
let begun: number | undefined;
let queue: Promise<void> = Promise.resolve();

/** To be awaited between two steps. Resolves at once while there is time; after that, one waiter goes on per turn. */
export async function giveWay() {
  while (isOver()) await (queue = queue.then(() => setImmediate()));
}

function isOver() {
  if (begun !== undefined) return performance.now() - begun > maxMs;
  begun = performance.now();
  void setImmediate().then(() => (begun = undefined));
  return false;
}
