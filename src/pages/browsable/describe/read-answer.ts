// What the page knows of an answer's body: the lines of an error, the entries of a list, and the names of fields and codes.
import type { TObject, TSchema } from '@sinclair/typebox';
import type { BrowsablePage, Exchange } from '../page-contents.ts';
import type { ErrorLine } from '../../../base/errors.ts';
import { isObject } from '../../../base/json-object.ts';
import { describeFields } from '../../../http/options.ts';
import type { KnownOperation } from '../../../http/path-table.ts';

/** The lines of an error's body; none for any other. */
export const errorLines = (body: unknown): readonly ErrorLine[] =>
  isObject(body) && Array.isArray(body['errors']) && typeof body['type'] === 'string'
    ? (body['errors'] as ErrorLine[])
    : [];

/** The entries of a list's page; undefined for what is no list. */
export const entriesIn = (body: unknown): readonly unknown[] | undefined =>
  isObject(body) && 'count' in body && Array.isArray(body['results']) ? body['results'] : undefined;

/** The fields of an answer, from its schema; of a list, those of its entries. */
export function describeShape(
  { method, status }: Pick<Exchange, 'method' | 'status'>,
  known: readonly KnownOperation[],
): BrowsablePage['shape'] {
  const answer = known.find((operation) => operation.method === method)?.schema.response[status];
  const object = answer && !('content' in answer) ? firstObject(answer) : undefined;
  if (object === undefined) return undefined;
  const { count, results } = object.properties;
  const item = count && results?.['items'] !== undefined ? firstObject(results['items']) : object;
  return item && describeFields(item);
}

/** The first, which describes most, of those that callers get by their rights. */
function firstObject(schema: TSchema): TObject | undefined {
  if (schema.type === 'object') return schema as TObject;
  for (const member of (schema['anyOf'] ?? []) as TSchema[]) {
    const found = firstObject(member);
    if (found !== undefined) return found;
  }
  return undefined;
}
