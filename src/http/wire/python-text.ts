// JSON values as Python spells them: Weblate's errors quote them (transcript create__types).

import { maxDescribedLength, refuseJson } from './json-error.ts';
import { maxDigits, pythonInteger } from './python-input.ts';

/** A number whose source text says more than its value: 1.0, 1e3, or more digits than a double has. */
export class JsonNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

// Weblate fails with 500 from about a thousand levels on.
const maxDepth = 1000;

/**
 * Whole numbers that a double holds exactly stay numbers; others become JsonNumber. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  // Later steps recurse into the values, so their depth is limited.
  if (text.length > maxDepth && depthOf(text) > maxDepth)
    throw new SyntaxError(`more than ${maxDepth} levels of nesting`);
  // TypeScript doesn't know the reviver's third argument, with the source text.
  const revive = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && !isPlain(value, context.source)
      ? exactNumber(context.source)
      : value;
  try {
    return JSON.parse(text, revive);
  } catch (error) {
    // `exactNumber` fails only on JSON longer than this (`maxDigits`).
    if (text.length > maxDescribedLength) throw error;
    return refuseJson(text);
  }
}

function exactNumber(source: string) {
  const digits = source.length - (source.startsWith('-') ? 1 : 0);
  if (digits > maxDigits && isWhole(source))
    throw new SyntaxError(
      `Exceeds the limit (${maxDigits} digits) for integer string conversion: value has ${digits} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  return new JsonNumber(source);
}

/** How deep brackets nest outside of strings. */
function depthOf(json: string) {
  let [depth, deepest] = [0, 0];
  for (const [token] of json.matchAll(/"(?:\\.|[^"\\])*"?|[[\]{}]/gs))
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  return deepest;
}

const isPlain = (value: number, source: string) => Number.isSafeInteger(value) && isWhole(source);

/** As Python's int(): 4.9 is 4, true is 1. Undefined for no integer (transcript membership__values). */
export function toInteger(value: unknown) {
  if (typeof value === 'string') return pythonInteger(value);
  const source = value instanceof JsonNumber ? value.source : undefined;
  if (value === null || (typeof value === 'object' && source === undefined)) return undefined;
  const number = Math.trunc(Number(source ?? value));
  // 1e400 is infinite, so undefined; Weblate fails with 500.
  return Number.isFinite(number) || (source !== undefined && isWhole(source)) ? number : undefined;
}

/** Python's str() of a value. */
export const pythonText = (value: unknown): string => (typeof value === 'string' ? value : represent(value));

export function pythonType(value: unknown): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'int';
  if (value instanceof JsonNumber) return isWhole(value.source) ? 'int' : 'float';
  return 'dict';
}

function represent(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quote(value);
  if (value instanceof JsonNumber)
    return isWhole(value.source) ? value.source.replace(/^-0$/, '0') : float(Number(value.source));
  if (Array.isArray(value)) return `[${value.map(represent).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, item]) => `${quote(key)}: ${represent(item)}`)
      .join(', ')}}`;
  // Python has no integer minus zero.
  return typeof value === 'number' && value !== 0 ? String(value) : '0';
}

const isWhole = (source: string) => /^-?\d+$/.test(source);

// Python writes an exponent (two or more digits) from 1e16 on and below 1e-4. To other whole values
// it adds `.0`.
function float(value: number) {
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits, exponent = '+0'] = value.toExponential().split('e');
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('.') ? text : `${text}.0`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// Single quotes, unless they need an escape and double quotes don't.
function quote(text: string) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replaceAll(/[\\']|(?! )[\p{C}\p{Z}]/gu, (c) => {
    if (c === "'") return mark === "'" ? "\\'" : c;
    return escapes[c] ?? escape(c.codePointAt(0)!);
  });
  return mark + body + mark;
}

// Unprintable characters: \x07, \u200b, \U000e0001.
function escape(point: number) {
  const [letter, digits] = point < 0x1_00 ? ['x', 2] : point < 0x1_00_00 ? ['u', 4] : ['U', 8];
  return `\\${letter}${point.toString(16).padStart(digits, '0')}`;
}
