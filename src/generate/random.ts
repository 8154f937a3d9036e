// Pseudo-random numbers that are the same on every machine.

/** Draws a whole number from 0 to below `limit`, which is at most 2^32. */
export type Random = (limit: number) => number;

/**
 * Each `n` starts a sequence of its own, so that the numbers of one thing don't depend on how many were drawn for
 * another.
 */
export function randomOf(seed: string, n?: number): Random {
  let state = mix(hashText(seed));
  if (n !== undefined) state = mix(state ^ Math.imul(n, 0x85ebca6b));
  return (limit) => {
    state = (state + 0x9e3779b9) | 0;
    return Math.floor((mix(state) / 0x1_0000_0000) * limit);
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
