// Python's str.strip() and rstrip(), by which Weblate trims texts: unlike JavaScript's trim() they take the separators
// U+001C to U+001F and U+0085 for white space, and not U+FEFF.

export function strip(text: string): string {
  const kept = stripEnd(text);
  let start = 0;
  while (start < kept.length && isSpace(kept.charCodeAt(start))) start++;
  return kept.slice(start);
}

// A loop, because a pattern for white space at the end takes quadratic time.
export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

const isSpace = (unit: number): boolean =>
  unit <= 0x20
    ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit >= 0x1c
    : unit >= 0x85 && (unit === 0x85 || (unit !== 0xfe_ff && /\s/.test(String.fromCharCode(unit))));
