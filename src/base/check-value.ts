// Checks seeds and the control API's input against TypeBox schemas: finds all errors at once.
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type ErrorLine, errorLine, validationError } from './errors.ts';
import { isObject, type JsonObject } from './json-object.ts';
import { didYouMean, findNearest } from './nearest.ts';

/** A schema's key for an error's words after "must". As a symbol, the key stays out of OpenAPI documents. */
export const must = Symbol('must');
/** An object schema's key for a check across fields. An error's `attr` is a field, or null for the object. */
export const across = Symbol('across');

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [must]?: string;
    [across]?: (value: JsonObject) => ErrorLine[];
  }
}

/** The keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** `users[3].email`; empty for the whole value. */
export const pathText = (path: Path) =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');

export interface ValueError {
  readonly path: Path;
  readonly code: string;
  /** The words after the value's place: `must be text, not 5`. Called only for errors that are shown. */
  readonly describe: () => string;
}

/** The most errors that are described. Further errors are only counted. */
export const maxErrors = 100;

export const describeRest = (more: number) => (more > 0 ? [`and ${more} more ${more === 1 ? 'error' : 'errors'}`] : []);

/** Throws ApiError 400 with the errors in what a client sent. */
export function checkValue<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const { errors, count } = findErrors(schema, value, maxErrors);
  if (count === 0) return value;
  const rest = describeRest(count - errors.length).map((detail) => errorLine(null, 'invalid', detail));
  throw validationError([...errors.map(lineOf), ...rest]);
}

/** The first `most` errors, and the number of all. */
export function findErrors(schema: TSchema, value: unknown, most = Infinity) {
  const errors: ValueError[] = [];
  let count = 0;
  collect(schema, value, [], (error) => {
    if (count++ < most) errors.push(error);
  });
  return { errors, count };
}

function lineOf({ path, code, describe }: ValueError): ErrorLine {
  const words = code === 'required' ? 'This field is required.' : describe().replace(/^is /, '');
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?]$/.test(words) ? '' : '.'}`;
  return errorLine(pathText(path) || null, code, sentence);
}

type Add = (error: ValueError) => void;

function collect(schema: TSchema, value: unknown, path: Path, add: Add) {
  if ('properties' in schema && isObject(value)) return collectOfObject(schema, value, path, add);
  const { items, anyOf = [], minItems = 0, maxItems = Infinity } = schema as Partial<Record<string, never>>;
  // A list of the wrong length is one error, whatever its items.
  if (items !== undefined && Array.isArray(value) && value.length >= minItems && value.length <= maxItems)
    return value.forEach((item, index) => collect(items, item, [...path, index], add));
  const variants = schema[must] === undefined ? (anyOf as TSchema[]) : [];
  const meant = variants.find((one) => Value.Check(one, value)) ?? variants.find((one) => isOfType(one, value));
  if (meant !== undefined) return collect(meant, value, path, add);
  if (!Value.Check(schema, value)) add({ path, code: 'invalid', describe: () => explain(schema, value) });
}

function collectOfObject(schema: TSchema, value: JsonObject, path: Path, add: Add) {
  const properties = schema['properties'] as Readonly<Record<string, TSchema>>;
  const required = new Set(schema['required'] as string[] | undefined);
  const keys = Object.keys(value);
  for (const key of keys)
    if (!Object.hasOwn(properties, key))
      add({ path: [...path, key], code: 'unknown', describe: () => explainKey(key, properties) });
  for (const [key, property] of Object.entries(properties))
    if (value[key] !== undefined) collect(property, value[key], [...path, key], add);
    else if (required.has(key)) add({ path: [...path, key], code: 'required', describe: () => 'is missing' });
  if (keys.length < (schema['minProperties'] ?? 0)) add({ path, code: 'invalid', describe: () => 'must not be empty' });
  for (const { attr, code, detail } of schema[across]?.(value) ?? [])
    add({ path: attr === null ? path : [...path, attr], code, describe: () => detail });
}

function explainKey(key: string, properties: Readonly<Record<string, TSchema>>) {
  const known = Object.keys(properties);
  // The key may belong inside another, as `path` inside `match`.
  const holder = known.find((name) => Object.hasOwn(properties[name]?.['properties'] ?? {}, key));
  const advice = didYouMean(key, known, `; known keys: ${known.join(', ')}`);
  return `is not a known key${holder === undefined ? advice : `; did you mean ${holder}.${key}?`}`;
}

function explain(schema: TSchema, value: unknown) {
  const { type, anyOf = [], minLength = 0, maxLength = Infinity, maxItems = Infinity, description = '' } = schema;
  if (schema[must] !== undefined) return `must ${schema[must]}`;
  if (type === 'object') return 'must be an object';
  if (type === 'array' && Array.isArray(value))
    return value.length > maxItems ? `must have at most ${maxItems} entries` : 'must not be empty';
  if (typeof value === 'string') {
    const nearest = findNearest(value, (anyOf as TSchema[]).map(nameType));
    if (nearest !== undefined) return `is not known; did you mean ${nearest}?`;
    if (type === 'string' && value.length < minLength) return 'must not be empty';
    if (type === 'string' && value.length > maxLength) return `must have at most ${maxLength} characters`;
    if (type === 'string') return `must be of this form: ${description.replace(/\.$/, '')}`;
  }
  const hint = type === 'string' && typeof value === 'number' ? ': put it in quotes' : '';
  return `must be ${nameType(schema)}, not ${describeValue(value)}${hint}`;
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  string: 'text',
};

function nameType(schema: TSchema): string {
  const { type, anyOf, minimum, maximum } = schema;
  if (anyOf !== undefined) {
    const names = (anyOf as TSchema[]).map(nameType).join(', ');
    return names.replace(/, (?=[^,]*$)/, ' or ');
  }
  if ('const' in schema) return String(schema['const']);
  return type === 'integer' ? `a whole number from ${minimum} to ${maximum}` : (typeNames[type] ?? type);
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const isOfType = (schema: TSchema, value: unknown) =>
  !('const' in schema) && (schema['type'] === 'integer' ? 'number' : schema['type']) === typeOf(value);

function describeValue(value: unknown) {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 40))}`;
  return typeof value === 'object' ? typeNames[typeOf(value)]! : JSON.stringify(value);
}
