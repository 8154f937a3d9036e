// What is wrong with invalid JSON, in the words of Python's parser (transcript wire__json-faults).

/** Longer texts get JavaScript's message: broken JSON must not keep the process busy. */
export const maxDescribedLength = 4096;

// These patterns match only at `lastIndex` (flag `y`), and move it past the match.
const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /null|true|false/y;
const constant = /NaN|-?Infinity/y;
const escape = /["\\/bfnrt]|u[0-9A-Fa-f]{4}/y;

/** Throws what is wrong with a text that JSON.parse rejected. */
export function refuseJson(chars: string): never {
  const at = (message: string, index: number) => {
    // Python counts characters, not UTF-16 units.
    const before = Array.from(chars.slice(0, index));
    const line = before.filter((c) => c === '\n').length + 1;
    const column = before.length - before.lastIndexOf('\n');
    return new SyntaxError(`${message}: line ${line} column ${column} (char ${before.length})`);
  };

  // The functions below read from an index on, and return the index behind what they read, or throw.

  /** The index behind the pattern's match at `i`; undefined for no match. */
  function past(pattern: RegExp, i: number) {
    pattern.lastIndex = i;
    return pattern.test(chars) ? pattern.lastIndex : undefined;
  }

  const skip = (i: number) => past(space, i)!;

  function value(i: number) {
    const c = chars[i];
    if (c === '"') return text(i);
    if (c === '{') return members(i, '}', 'object', pair);
    if (c === '[') return members(i, ']', 'array', value);
    const end = past(constant, i);
    if (end !== undefined)
      throw new SyntaxError(`Out of range float values are not JSON compliant: '${chars.slice(i, end)}'`);
    const behind = past(word, i) ?? past(number, i);
    if (behind === undefined) throw at('Expecting value', i);
    return behind;
  }

  function text(start: number) {
    for (let i = start + 1; i < chars.length; i++) {
      const c = chars[i]!;
      if (c === '"') return i + 1;
      if (c < ' ') throw at('Invalid control character at', i);
      if (c !== '\\') continue;
      const end = past(escape, i + 1);
      if (end !== undefined) i = end - 1;
      else if (chars[i + 1] === 'u') throw at('Invalid \\uXXXX escape', i + 1);
      else if (i + 1 < chars.length) throw at('Invalid \\escape', i);
    }
    throw at('Unterminated string starting at', start);
  }

  function pair(i: number) {
    if (chars[i] !== '"') throw at('Expecting property name enclosed in double quotes', i);
    const colon = skip(text(i));
    if (chars[colon] !== ':') throw at("Expecting ':' delimiter", colon);
    return value(skip(colon + 1));
  }

  function members(start: number, close: string, kind: string, member: (i: number) => number) {
    let i = skip(start + 1);
    if (chars[i] === close) return i + 1;
    for (;;) {
      i = skip(member(i));
      if (chars[i] === close) return i + 1;
      if (chars[i] !== ',') throw at("Expecting ',' delimiter", i);
      const comma = i;
      i = skip(i + 1);
      if (chars[i] === close) throw at(`Illegal trailing comma before end of ${kind}`, comma);
    }
  }

  if (chars[0] === '\uFEFF') throw at('Unexpected UTF-8 BOM (decode using utf-8-sig)', 0);
  const end = skip(value(skip(0)));
  throw at(end < chars.length ? 'Extra data' : 'Expecting value', end);
}
