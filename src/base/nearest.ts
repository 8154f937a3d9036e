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

// Damerau-Levenshtein distance within a band around the diagonal; any number above `most` stands for more.
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const far = most + 1;
  const width = b.length + 1;
  let before = new Uint8Array(width).fill(far);
  let row = Uint8Array.from({ length: width }, (_, i) => Math.min(i, far));
  let next = new Uint8Array(width);
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    next[from - 1] = from === 1 ? Math.min(i, far) : far;
    for (let j = from; j <= to; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? at(before, j - 2) + 1 : replaced;
      const added = j === i + most ? far : at(row, j) + 1;
      next[j] = Math.min(replaced, exchanged, added, at(next, j - 1) + 1, far);
    }
    [before, row, next] = [row, next, before];
  }
  return at(row, b.length);
}

const at = (row: Uint8Array, i: number): number => row[i] as number;
