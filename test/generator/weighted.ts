import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** One of the arbitraries, each as often as its weight says. */
export const weighted = <T extends readonly unknown[]>(
  ...choices: { readonly [K in keyof T]: readonly [weight: number, arbitrary: Arbitrary<T[K]>] }
): Arbitrary<T[number]> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary: arbitrary as Arbitrary<T[number]> })));
