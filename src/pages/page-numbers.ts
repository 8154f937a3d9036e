// The page numbers that a row of links shows if there are too many for all.

/** First, last, and those around the current one, ascending. */
export function pageNumbers(current: number, total: number): number[] {
  const around = [1, current - 1, current, current + 1, total];
  // A gap of a single page is filled: its number takes no more room than the ellipsis.
  if (current - 3 === 1) around.push(2);
  if (current + 3 === total) around.push(total - 1);
  return [...new Set(around)].filter((number) => number >= 1 && number <= total).toSorted((a, b) => a - b);
}
