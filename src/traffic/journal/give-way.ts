// A search of the journal gives way to other work after some time: entries may be large, and many
// searches may run at once.
import { setImmediate } from 'node:timers/promises';

/** The time that all searches together may take in a turn of the event loop. */
const maxMs = 5;
let begun: number | undefined;
let queue: Promise<void> = Promise.resolve();

/** To be awaited between two steps. When the time is used up, each turn lets one waiter go on. */
export async function giveWay() {
  while (isOver()) await (queue = queue.then(() => setImmediate()));
}

function isOver() {
  if (begun !== undefined) return performance.now() - begun > maxMs;
  begun = performance.now();
  void setImmediate().then(() => (begun = undefined));
  return false;
}
