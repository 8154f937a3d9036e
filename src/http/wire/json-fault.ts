// What is wrong with a text that is no JSON, in the words and with the position of Python's parser, which Weblate hands
// on (transcript wire__json-faults). Only for texts that JSON.parse rejected.

class Fault extends Error {}

/** Longer texts would let a client keep the process busy with broken JSON: JavaScript's own message does for them. */
export const maxDescribedLength = 4096;

export function describeJsonFault(text: string): string {
  // Python counts characters and not UTF-16 units.
  const at = (message: string, index: number) => {
    const before = Array.from(text.slice(0, index));
    const line = before.filter((c) => c === '\n').length + 1;
    return new Fault(
      `${message}: line ${line} column ${before.length - before.lastIndexOf('\n')} (char ${before.length})`,
    );
  };
  try {
    if (text[0] === '\uFEFF') throw at('Unexpected UTF-8 BOM (decode using utf-8-sig)', 0);
    const scanner = createScanner(text, at);
    const end = scanner.skip(scanner.value(scanner.skip(0)));
    throw at(end < text.length ? 'Extra data' : 'Expecting value', end);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

const escaped = new Set(['"', '\\', '/', 'b', 'f', 'n', 'r', 't']);
const isHex = (c: string | undefined) => c !== undefined && /^[0-9A-Fa-f]$/.test(c);
const isDigit = (c: string | undefined) => c !== undefined && c >= '0' && c <= '9';
const words = ['null', 'true', 'false'];
const constants = ['NaN', 'Infinity', '-Infinity'];

/** Functions that take the index where something begins, and return the one behind it or throw. */
function createScanner(chars: string, at: (message: string, index: number) => Fault) {
  function skip(i: number): number {
    let end = i;
    while (end < chars.length && ' \t\n\r'.includes(chars[end] as string)) end++;
    return end;
  }

  function value(i: number): number {
    const c = chars[i];
    if (c === '"') return text(i);
    if (c === '{') return object(i);
    if (c === '[') return array(i);
    const word = words.find((one) => chars.startsWith(one, i));
    if (word !== undefined) return i + word.length;
    const constant = constants.find((one) => chars.startsWith(one, i));
    if (constant !== undefined) throw new Fault(`Out of range float values are not JSON compliant: '${constant}'`);
    return number(i);
  }

  function number(i: number): number {
    let end = chars[i] === '-' ? i + 1 : i;
    if (!isDigit(chars[end])) throw at('Expecting value', i);
    if (chars[end] === '0') end++;
    else end = digits(end);
    if (chars[end] === '.' && isDigit(chars[end + 1])) end = digits(end + 1);
    const exponent = end + (chars[end + 1] === '+' || chars[end + 1] === '-' ? 2 : 1);
    return (chars[end] === 'e' || chars[end] === 'E') && isDigit(chars[exponent]) ? digits(exponent) : end;
  }

  function digits(i: number): number {
    let end = i;
    while (isDigit(chars[end])) end++;
    return end;
  }

  function text(start: number): number {
    for (let i = start + 1; i < chars.length; i++) {
      const c = chars[i] as string;
      if (c === '"') return i + 1;
      if (c < ' ') throw at('Invalid control character at', i);
      if (c !== '\\') continue;
      const escape = chars[++i];
      if (escape === undefined) break;
      if (escape === 'u') {
        for (let k = 1; k <= 4; k++) if (!isHex(chars[i + k])) throw at('Invalid \\uXXXX escape', i);
        i += 4;
      } else if (!escaped.has(escape)) throw at('Invalid \\escape', i - 1);
    }
    throw at('Unterminated string starting at', start);
  }

  function object(start: number): number {
    let i = skip(start + 1);
    if (chars[i] === '}') return i + 1;
    if (chars[i] !== '"') throw at('Expecting property name enclosed in double quotes', i);
    for (;;) {
      i = skip(text(i));
      if (chars[i] !== ':') throw at("Expecting ':' delimiter", i);
      i = skip(value(skip(i + 1)));
      if (chars[i] === '}') return i + 1;
      if (chars[i] !== ',') throw at("Expecting ',' delimiter", i);
      const comma = i;
      i = skip(i + 1);
      if (chars[i] === '}') throw at('Illegal trailing comma before end of object', comma);
      if (chars[i] !== '"') throw at('Expecting property name enclosed in double quotes', i);
    }
  }

  function array(start: number): number {
    let i = skip(start + 1);
    if (chars[i] === ']') return i + 1;
    for (;;) {
      i = skip(value(i));
      if (chars[i] === ']') return i + 1;
      if (chars[i] !== ',') throw at("Expecting ',' delimiter", i);
      const comma = i;
      i = skip(i + 1);
      if (chars[i] === ']') throw at('Illegal trailing comma before end of array', comma);
    }
  }

  return { skip, value };
}
