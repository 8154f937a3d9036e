// Random mutations of bytes.
import type { Random } from './random.ts';
import { odd } from './words.ts';

/** Changes, drops, repeats or inserts some bytes, one to four times. */
export function mutate(random: Random, bytes: Buffer): Buffer {
  let mutated = bytes;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(mutated.length + 1);
    const length = random.below(12);
    const [before, after] = [mutated.subarray(0, at), mutated.subarray(at)];
    const insert = random.pick([
      Buffer.from([random.below(256)]),
      Buffer.from(random.pick(odd)),
      Buffer.from([random.pick([0, 13, 10, 9, 0xff, 0xc3])]),
      before.subarray(Math.max(0, at - length)),
    ]);
    mutated = random.oneIn(3)
      ? Buffer.concat([before, after.subarray(length)])
      : Buffer.concat([before, insert, after]);
  }
  return mutated;
}
