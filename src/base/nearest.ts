// Suggestions for misspelt names.

// The most edits that can be a typing error. A higher limit would make comparisons slower.
const maxEdits = 5;

/** Undefined if no word is near enough. */
export function findNearest(word: string, known: readonly string[]) {
  const lower = word.toLowerCase();
  let nearest: string | undefined;
  let max = maxEdits;
  for (const candidate of known) {
    const name = candidate.toLowerCase();
    const limit = Math.min(max, editLimit(lower, name));
    const distance = editDistance(lower, name, limit);
    if (distance <= limit) [nearest, max] = [candidate, distance - 1];
  }
  return nearest;
}

export function didYouMean(word: string, known: readonly string[], otherwise = '') {
  const nearest = findNearest(word, known);
  return nearest === undefined ? otherwise : `; did you mean ${nearest}?`;
}

/** The most edits between near words: a third of the letters after a common prefix such as UNDERSTUDY_. */
function editLimit(word: string, name: string) {
  let compared = word.length;
  for (let i = 0; i < word.length && word[i] === name[i]; i++)
    if ('_-./'.includes(word.charAt(i))) compared = word.length - i - 1;
  return Math.max(1, Math.floor(compared / 3));
}

// The Damerau-Levenshtein distance; if it is above `max`, any number above `max`.
function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  if (same === a.length || same === b.length) return Math.max(a.length, b.length) - same;
  if (max === 0) return 1;
  const rest = (ofA: number, ofB: number) => editDistance(a.slice(same + ofA), b.slice(same + ofB), max - 1);
  const isExchanged = a[same] === b[same + 1] && a[same + 1] === b[same];
  return 1 + Math.min(rest(1, 1), rest(1, 0), rest(0, 1), isExchanged ? rest(2, 2) : max);
}

/** Throws TypeError for an unknown option: if it were ignored, a test might test nothing. */
export function refuseUnknown(name: string, options: object, known: readonly string[]) {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new TypeError(`${name} has no option ${unknown}${didYouMean(unknown, known, `; it has ${known.join(', ')}`)}`);
}
