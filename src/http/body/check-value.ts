// Checks what a client sends to our own API against a TypeBox schema. Reports every fault at once, unknown keys
// included.
import type { Static, TArray, TObject, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type ErrorLine, validationError } from '../../base/errors.ts';
import { findNearest } from '../../base/nearest.ts';
import { isObject } from '../../base/json-object.ts';

/** In a schema: the end of the message "Must …". As a symbol, it stays out of the documents. */
export const must = Symbol('must');
/**
 * In an object's schema: finds the faults that concern several fields. Each `attr` is a field, or null for the object.
 */
export const across = Symbol('across');

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [must]?: string;
    [across]?: (value: Readonly<Record<string, unknown>>) => ErrorLine[];
  }
}

// Beyond, unknown keys are only counted.
const maxUnknown = 100;

/** Returns the value. @throws ApiError 400 with all faults */
export function checkValue<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const faults = findFaults(schema, value, '');
  if (faults.length > 0) throw validationError(faults);
  return value;
}

/** @param at such as `rules[0].status`; empty for the whole value */
function findFaults(schema: TSchema, value: unknown, at: string): ErrorLine[] {
  if ('properties' in schema && isObject(value)) return findObjectFaults(schema as TObject, value, at);
  if ('items' in schema && isArrayOf(schema as TArray, value))
    return value.flatMap((item, index) => findFaults(schema['items'] as TSchema, item, `${at}[${index}]`));
  return Value.Check(schema, value) ? [] : [fault(at, 'invalid', `Must ${schema[must] ?? 'be an object'}.`)];
}

// The items of a list that is too long are not worth a look.
const isArrayOf = ({ maxItems = Infinity }: TArray, value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length <= maxItems;

function findObjectFaults(schema: TObject, value: Readonly<Record<string, unknown>>, at: string): ErrorLine[] {
  const known = Object.keys(schema.properties);
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  const under = (key: string) => (at === '' ? key : `${at}.${key}`);
  return [
    ...unknown.slice(0, maxUnknown).map((key) => fault(under(key), 'unknown', explainUnknown(key, schema))),
    ...(unknown.length > maxUnknown
      ? [fault(at, 'unknown', `and ${unknown.length - maxUnknown} more unknown keys`)]
      : []),
    ...Object.entries(schema.properties).flatMap(([key, property]) => {
      if (value[key] !== undefined) return findFaults(property, value[key], under(key));
      return schema.required?.includes(key) === true ? [fault(under(key), 'required', 'This field is required.')] : [];
    }),
    ...(schema[across]?.(value) ?? []).map((line) => ({ ...line, attr: line.attr === null ? at : under(line.attr) })),
  ];
}

function explainUnknown(key: string, { properties }: TObject): string {
  const known = Object.keys(properties);
  // One that belongs into another: path into match.
  const holder = known.find((name) => Object.hasOwn(properties[name]?.['properties'] ?? {}, key));
  const nearest = holder === undefined ? findNearest(key, known) : `${holder}.${key}`;
  return `Not a known key; ${nearest === undefined ? `known keys: ${known.join(', ')}` : `did you mean ${nearest}?`}`;
}

const fault = (at: string, code: string, detail: string): ErrorLine => ({ code, detail, attr: at === '' ? null : at });
