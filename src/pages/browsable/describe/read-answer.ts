// What the page knows of an answer's body: the lines of an error, the entries of a list, and the names of fields and codes.
import type { TObject, TSchema } from '@sinclair/typebox';
import type { ErrorLine } from '../../../base/errors.ts';
import { isObject, type JsonObject } from '../../../base/json-object.ts';
import { membersOf } from '../../../http/operation.ts';
import { describeFields, type FieldMetadata } from '../../../http/options.ts';
import type { Described } from './page-contents.ts';
import type { PageLink } from './name-path.ts';

export const errorLines = (body: unknown): readonly ErrorLine[] =>
  isObject(body) && Array.isArray(body['errors']) && typeof body['type'] === 'string'
    ? (body['errors'] as ErrorLine[])
    : [];

export const entriesIn = (body: unknown): readonly unknown[] | undefined =>
  isObject(body) && 'count' in body && Array.isArray(body['results']) ? body['results'] : undefined;

/** Makes the link to an entry of the path's list, named by its key: the entry's own URL, or the list's with the key. */
export function linksToEntries({ paths, path, url, findLink }: Described) {
  const key = paths.findEntryKey(path) ?? '';
  return ({ [key]: name, url: own }: JsonObject): PageLink | undefined => {
    const part = /^(?:string|number)$/.test(typeof name) ? encodeURIComponent(String(name).toWellFormed()) : '';
    // Browsers take dots alone for a step within the path.
    const ofList = /^\.{0,2}$/.test(part) ? '' : `${url}${part}/`;
    const href = findLink(typeof own === 'string' ? own : ofList);
    return href === undefined ? undefined : { label: `${key} ${String(name)}`, href };
  };
}

export type Shape = Readonly<Record<string, FieldMetadata>>;

/** The fields of an answer, from its schema; of a list, those of its entries. */
export function describeShape({ method, status, known }: Described): Shape | undefined {
  const answer = known.find((operation) => operation.method === method)?.response[status];
  const object = answer && !('content' in answer) ? firstObject(answer) : undefined;
  const { count, results } = object?.properties ?? {};
  const item = count && results?.['items'] !== undefined ? firstObject(results['items']) : object;
  return item && describeFields(item);
}

/** The first, which describes most, of those that callers get by their rights. */
const firstObject = (schema: TSchema): TObject | undefined =>
  [schema, ...membersOf(schema)].find((member): member is TObject => member.type === 'object');
