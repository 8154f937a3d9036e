// Options that a function doesn't have. Ignored, a misspelt one would let a test pass that tests something else.
import { findNearest } from '../../base/nearest.ts';

/** @throws TypeError with the nearest name */
export function refuseUnknown(name: string, options: object, known: readonly string[]): void {
  for (const given of Object.keys(options).filter((key) => !known.includes(key))) {
    const nearest = findNearest(given, known);
    const hint = nearest === undefined ? `it has ${known.join(', ')}` : `did you mean ${nearest}?`;
    throw new TypeError(`${name} has no option ${given}; ${hint}`);
  }
}
