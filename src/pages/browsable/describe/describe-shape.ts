// What the page knows of an answer's fields, from the schema of the answer: the names of codes above all.
import type { TObject, TSchema } from '@sinclair/typebox';
import type { BrowsablePage } from '../page-contents.ts';
import { describeFields } from '../../../http/options.ts';
import type { KnownOperation } from '../../../http/path-table.ts';
import type { Exchange } from './page-exchange.ts';

/** Of a list, the fields of its entries. */
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

/** The one that describes most, of those that callers get by their rights: the first. */
function firstObject(schema: TSchema): TObject | undefined {
  if (schema.type === 'object') return schema as TObject;
  for (const member of (schema['anyOf'] ?? []) as TSchema[]) {
    const found = firstObject(member);
    if (found !== undefined) return found;
  }
  return undefined;
}
