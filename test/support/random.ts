// Draws for tests that send random requests from several workers at once.
import { randomOf } from '../../src/generate/random.ts';

export interface Random {
  /** From 0 to `limit`, exclusive. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** Each worker draws a sequence of its own. */
export function makeRandom(seed: number, worker: number): Random {
  const below = randomOf(String(seed), worker);
  return { below, pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T };
}
