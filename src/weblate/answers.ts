// What answers of all resources share.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { UrlContext } from '../http/call.ts';
import { link } from '../http/operation.ts';

/** Stands for a link below the entry's own address, named by its key. */
export const below = Symbol('below');

/** The kind of a usual value. */
export function schemaOf(value: unknown): TSchema {
  if (value === below) return link();
  if (Array.isArray(value)) return Type.Array(Type.String());
  if (value === null) return Type.Null();
  if (typeof value === 'object') return Type.Object(schemasOf(value));
  return { boolean: Type.Boolean(), number: Type.Integer() }[typeof value as string] ?? Type.String();
}

export const schemasOf = (values: object): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, schemaOf(value)]));

/** What the schema has, in its order; further values stay out. */
export const inOrderOf = ({ properties }: TObject, values: object): object =>
  Object.fromEntries(Object.keys(properties).map((key) => [key, values[key as keyof typeof values]]));

/** @param path below the root of the API, as `groups/1` */
export const linkTo = ({ baseUrl, urlQuery }: UrlContext, path: string): string => `${baseUrl}/api/${path}/${urlQuery}`;
