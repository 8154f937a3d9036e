// Suggestions for misspelt names.

// More edits are no typing error. The time to compare two words grows with this limit too.
const mostSlips = 5;

/** The nearest of `known`, or undefined if none is near enough for a typing error. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const written = word.toLowerCase();
  let best: string | undefined;
  let most = mostSlips;
  for (const candidate of known) {
    const name = candidate.toLowerCase();
    const allowed = Math.min(most, countSlips(written, name));
    const distance = editDistance(written, name, allowed);
    if (distance <= allowed) [best, most] = [candidate, distance - 1];
  }
  return best;
}

/** How many slips a typing error has. What both begin with is no evidence of one: UNDERSTUDY_FOO doesn't mean UNDERSTUDY_HOST. */
function countSlips(word: string, name: string): number {
  let compared = word.length;
  for (let i = 0; i < word.length && word[i] === name[i]; i++)
    if ('_-./'.includes(word.charAt(i))) compared = word.length - i - 1;
  return Math.max(1, Math.floor(compared / 3));
}

// The Damerau-Levenshtein distance; any number above `most` stands for more.
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  if (same === a.length || same === b.length) return Math.max(a.length, b.length) - same;
  if (most === 0) return 1;
  const rest = (ofA: number, ofB: number) => editDistance(a.slice(same + ofA), b.slice(same + ofB), most - 1);
  const isExchanged = a[same] === b[same + 1] && a[same + 1] === b[same];
  return 1 + Math.min(rest(1, 1), rest(1, 0), rest(0, 1), isExchanged ? rest(2, 2) : most);
}

/**
 * For options that a function doesn't have. Ignored, a misspelt one would let a test pass that tests something else.
 * @throws TypeError with the nearest name
 */
export function refuseUnknown(name: string, options: object, known: readonly string[]): void {
  for (const given of Object.keys(options).filter((key) => !known.includes(key))) {
    const nearest = findNearest(given, known);
    const hint = nearest === undefined ? `it has ${known.join(', ')}` : `did you mean ${nearest}?`;
    throw new TypeError(`${name} has no option ${given}; ${hint}`);
  }
}
