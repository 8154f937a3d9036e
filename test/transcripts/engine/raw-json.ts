// JSON whose numbers keep the text they were written with: Weblate distinguishes 1.0 from 1.

interface RawNumber {
  readonly rawJSON: string;
}

export type Json = null | boolean | string | number | RawNumber | Json[] | { [key: string]: Json };

export const isMembers = (value: unknown): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

declare global {
  /** The part of Node 26's `JSON` that TypeScript does not declare yet. */
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** A number that JavaScript would write differently becomes a RawNumber. */
export function parseRawJson(text: string): Json {
  return JSON.parse(text, (_key, value: unknown, { source = '' }: { source?: string }) =>
    typeof value === 'number' && String(value) !== source ? JSON.rawJSON(source) : value,
  ) as Json;
}

export function mapStrings<T>(value: T, change: (text: string) => string): T;
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings<unknown>(item, change)]),
  );
}
