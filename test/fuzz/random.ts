// A pseudo-random generator with a seed.

export interface Random {
  /** From 0 to `limit`, exclusive. */
  below(limit: number): number;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** @param seed the run's seed combined with the request's number */
export function makeRandom(seed: number, number: number): Random {
  let state = (Math.imul(seed, 0x9e37_79b1) ^ Math.imul(number + 1, 0x85eb_ca6b)) >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_00_00_00_00;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick<T>(choices: readonly T[]): T {
      return choices[below(choices.length)] as T;
    },
  };
}
