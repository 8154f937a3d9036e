// Texts and numbers of clients, as Python reads them.

// The white space of str.strip() and rstrip(), with which Weblate trims texts: unlike JavaScript's it includes the
// separators U+001C to U+001F and U+0085, and not U+FEFF.
const space = String.raw`[\t-\r\x1C- \x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]`;
const atStart = new RegExp(`^${space}+`);
// Without the lookbehind it would take quadratic time.
const atEnd = new RegExp(`(?<!${space})${space}+$`);

export const stripEnd = (text: string) => text.replace(atEnd, '');

export const strip = (text: string) => stripEnd(text).replace(atStart, '');

// As int() takes it: a sign, digits of any script, single underscores between them, and around it white space, but no
// U+001C.
const integer = /^[\s\x85]*([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)[\s\x85]*$/u;
/** The limit of int(): longer texts are no integers. */
export const maxDigits = 4300;

/** Undefined for a text that is no integer. */
export function pythonInteger(text: string) {
  const [, sign = '', written] = (text.includes('\uFEFF') ? null : integer.exec(text)) ?? [];
  if (written === undefined) return undefined;
  const digits = asciiDigits(written.replaceAll('_', ''));
  return digits.length > maxDigits ? undefined : Number(sign + digits);
}

/** The text with the digits of every script as ASCII ones. */
export const asciiDigits = (text: string) => text.replace(/(?!\d)\p{Nd}/gu, (digit) => String(valueOf(digit)));

// Unicode has the digits of every script in runs of ten from its zero; adjoining runs keep that alignment.
function valueOf(digit: string) {
  const point = digit.codePointAt(0) as number;
  let first = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return (point - first) % 10;
}

/** PostgreSQL's largest integer. */
export const maxId = 2_147_483_647;

/** The id as a statement's parameter; 0, which no row has, for an invalid one. */
export function toId(written: string | number) {
  const id = Number(written);
  return Number.isInteger(id) && id > 0 && id <= maxId ? id : 0;
}
