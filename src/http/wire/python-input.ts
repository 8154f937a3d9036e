// Texts and numbers of clients, as Python reads them.

// The white space of str.strip() and rstrip(), by which Weblate trims texts. Unlike JavaScript's, it
// has U+001C to U+001F and U+0085, but not U+FEFF.
const space = String.raw`[\t-\r\x1C- \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]`;
const atStart = new RegExp(`^${space}+`);
// Without the lookbehind, this would take quadratic time.
const atEnd = new RegExp(`(?<!${space})${space}+$`);

export const stripEnd = (text: string) => text.replace(atEnd, '');

export const strip = (text: string) => stripEnd(text).replace(atStart, '');

// int() reads a sign, digits of any script with single underscores between, and white space around, except
// U+001C to U+001F.
const integer = /^[\s\x85]*([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)[\s\x85]*$/u;
/** int()'s limit: longer texts are no integers. */
export const maxDigits = 4300;

/** Undefined for a text that is no integer. */
export function pythonInteger(text: string) {
  const [, sign = '', written] = (text.includes('\uFEFF') ? null : integer.exec(text)) ?? [];
  if (written === undefined) return undefined;
  const digits = asciiDigits(written.replaceAll('_', ''));
  return digits.length > maxDigits ? undefined : Number(sign + digits);
}

/** The text with all digits in ASCII. */
export const asciiDigits = (text: string) => text.replace(/(?!\d)\p{Nd}/gu, (digit) => String(valueOf(digit)));

// In Unicode, a script's digits stand in a row from 0 to 9. Rows may adjoin, hence the modulo.
function valueOf(digit: string) {
  const point = digit.codePointAt(0)!;
  let first = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return (point - first) % 10;
}

/** PostgreSQL's largest integer. */
export const maxId = 2_147_483_647;

/** The id for statements. An invalid id is 0, which no row has. */
export function toId(written: string | number) {
  const id = Number(written);
  return Number.isInteger(id) && id > 0 && id <= maxId ? id : 0;
}
