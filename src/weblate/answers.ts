// The parts that the answers of all resources share.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { UrlContext } from '../http/call.ts';
import { link } from '../http/operation.ts';

/** A link below the entry's URL: as `labels_url`, the link to `labels/`. */
export const below = Symbol('below');

/** A schema of the value's type. */
export function schemaOf(value: unknown): TSchema {
  if (value === below) return link();
  if (Array.isArray(value)) return Type.Array(Type.String());
  if (value === null) return Type.Null();
  if (typeof value === 'object') return Type.Object(schemasOf(value));
  return { boolean: Type.Boolean(), number: Type.Integer() }[typeof value as string] ?? Type.String();
}

export const schemasOf = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, schemaOf(value)]));

/** The values of the schema's keys, in the schema's order. Further values stay out. */
export const inOrderOf = ({ properties }: TObject, values: object): object =>
  Object.fromEntries(Object.keys(properties).map((key) => [key, values[key as keyof typeof values]]));

/** @param path the path below the API's root, such as `groups/1` */
export const linkTo = ({ baseUrl, urlQuery }: UrlContext, path: string) => `${baseUrl}/api/${path}/${urlQuery}`;
