// A request and its answer, as the page around the answer is made from them.
import type { AnonymousAccess } from '../../../access/permissions.ts';
import type { ErrorLine } from '../../../base/errors.ts';
import type { Exchange as AnyExchange } from '../../../http/send.ts';
import { isObject } from '../../../base/json-object.ts';

export interface Exchange extends AnyExchange {
  readonly pageSize: number;
  readonly anonymous: AnonymousAccess;
}

/** The lines of an error's body; none for any other. */
export const errorLines = (body: unknown): readonly ErrorLine[] =>
  isObject(body) && Array.isArray(body['errors']) && typeof body['type'] === 'string'
    ? (body['errors'] as ErrorLine[])
    : [];

/** The entries of a list's page; undefined for what is no list. */
export const entriesIn = (body: unknown): readonly unknown[] | undefined =>
  isObject(body) && 'count' in body && Array.isArray(body['results']) ? body['results'] : undefined;
