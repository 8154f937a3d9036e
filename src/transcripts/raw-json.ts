// JSON whose numbers keep the text they were written with. `JSON.parse` alone turns 1.0 into 1 and 10^30 into 1e+30, and Weblate
// distinguishes 1.0 from 1.

export interface RawNumber {
  readonly rawJSON: string;
}

export type Json = null | boolean | string | RawNumber | Json[] | { [key: string]: Json };

declare global {
  /** The slice of Node 26 that TypeScript's library does not declare yet. */
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** Parses `text`; every number becomes a RawNumber. Throws SyntaxError. */
export function parseRawJson(text: string): Json {
  const parsed: Json = JSON.parse(text, (...[, value, context]: unknown[]) =>
    typeof value === 'number' ? JSON.rawJSON(getSource(context)) : value,
  );
  return parsed;
}

/** The text that a number was parsed from. */
function getSource(context: unknown): string {
  if (typeof context === 'object' && context !== null && 'source' in context && typeof context.source === 'string')
    return context.source;
  throw new TypeError('this JavaScript engine does not keep how a number was written');
}

export function isRawNumber(value: unknown): value is RawNumber {
  return JSON.isRawJSON(value);
}

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** The same value with every string in it changed, keys included. */
export function mapStrings<T>(value: T, change: (text: string) => string): T;
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings<unknown>(item, change)]),
  );
}
