// Pseudo-random numbers: the same seed gives the same ones on every machine.

export interface Random {
  /** A whole number from 0 to below `limit`, which is at most 2^32. */
  readonly below: (limit: number) => number;
}

/** Restarts for each `n`, so that the numbers of one thing don't depend on how many were drawn for another. */
export interface RandomOf {
  readonly random: Random;
  readonly startFor: (n: number) => void;
}

/** @param seed any text */
export function randomOf(seed: string): RandomOf {
  const start = mix(hashText(seed));
  let state = start;
  function next(): number {
    state = (state + 0x9e3779b9) | 0;
    return mix(state);
  }
  return {
    // The product stays below 2^64 and is only rounded by the division: exact enough, and the same everywhere.
    random: { below: (limit) => Math.floor((next() / 0x1_0000_0000) * limit) },
    startFor: (n) => {
      state = mix(start ^ Math.imul(n, 0x85ebca6b));
    },
  };
}

// The finisher of MurmurHash3 with the constants of lowbias32: every bit of the input affects every bit of the output.
function mix(value: number): number {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

// FNV-1a over the UTF-16 units.
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
