// Draws for tests that send random requests from several workers at once.

export interface Random {
  /** From 0 to `limit`, exclusive. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** Each worker draws a sequence of its own, the same on every machine. */
export function makeRandom(seed: number, worker: number): Random {
  let state = mix(mix(seed) ^ worker);
  const below = (limit: number): number => {
    state = (state + 0x9e3779b9) | 0;
    return Math.floor((mix(state) / 0x1_0000_0000) * limit);
  };
  return { below, pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T };
}

// The last step of SplitMix32: every bit of the input affects every bit of the output.
function mix(value: number): number {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
