// Python's str.strip(), by which Weblate trims texts: unlike JavaScript's trim() it takes the separators U+001C to
// U+001F and U+0085 for white space, and not U+FEFF.

// Loops, because a pattern for white space at the end takes quadratic time.
export function strip(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isSpace = (unit: number): boolean =>
  unit <= 0x20
    ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit >= 0x1c
    : unit >= 0x85 && (unit === 0x85 || (unit !== 0xfe_ff && /\s/.test(String.fromCharCode(unit))));
