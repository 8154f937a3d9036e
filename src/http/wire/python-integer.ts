// Integers as Python's int() reads them: surrounding white space, a sign, digits of any script, single underscores
// between them. Its white space includes U+0085 and not U+FEFF, unlike JavaScript's; nor, unlike str.strip()'s, U+001C.

const integer = /^[\s\x85]*([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)[\s\x85]*$/u;
// Longer texts are no integers.
const maxDigits = 4300;

/** Undefined for a text that is no integer. */
export function pythonInteger(text: string): number | undefined {
  const [, sign = '', written] = (text.includes('\uFEFF') ? null : integer.exec(text)) ?? [];
  if (written === undefined) return undefined;
  const digits = asciiDigits(written.replaceAll('_', ''));
  return digits.length > maxDigits ? undefined : Number(sign + digits);
}

/** The text with the digits of every script as ASCII ones. */
export const asciiDigits = (text: string): string => text.replace(/(?!\d)\p{Nd}/gu, (digit) => String(valueOf(digit)));

// Unicode has the digits of every script in runs of ten from its zero; adjoining runs keep that alignment.
function valueOf(digit: string): number {
  const point = digit.codePointAt(0) as number;
  let first = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return (point - first) % 10;
}
