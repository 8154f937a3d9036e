// Python's str.strip() and rstrip(), by which Weblate trims texts: unlike JavaScript's trim() they take the separators
// U+001C to U+001F and U+0085 for white space, and not U+FEFF.

const isSpace = (c: string): boolean => '\x1C\x1D\x1E\x1F\x85'.includes(c) || (c !== '\uFEFF' && c.trim() === '');

export function strip(text: string): string {
  const kept = stripEnd(text);
  let start = 0;
  while (start < kept.length && isSpace(kept.charAt(start))) start++;
  return kept.slice(start);
}

// A loop, because a pattern for white space at the end takes quadratic time.
export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
