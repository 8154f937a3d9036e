// The known name that somebody who wrote an unknown one most likely meant.

/** The nearest of `known`, or undefined where none is near enough to be a slip of the hand. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

// Letters replaced, added, left out, or exchanged with their neighbour.
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : replaced;
      next.push(Math.min(replaced, exchanged, at(row, j) + 1, at(next, j - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

const at = (row: readonly number[], i: number): number => row[i] ?? 0;
