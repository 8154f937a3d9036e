// A request and its answer, as the page around the answer is made from them.
import type { AnonymousAccess } from '../../access/permissions.ts';
import type { Place } from '../../access/which-sandbox.ts';
import type { ErrorLine } from '../../errors.ts';
import type { Visitor } from '../../pages/frame/visitor.ts';
import { isObject } from '../../pages/json.ts';

export interface Exchange extends Place {
  readonly method: string;
  readonly baseUrl: string;
  readonly status: number;
  /** The headers of the JSON answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string | null;
  /** The request's body, if it was sent as JSON. */
  readonly sent: string | undefined;
  readonly pageSize: number;
  readonly anonymous: AnonymousAccess;
  readonly visitor: Visitor | undefined;
}

/** The lines of an error's body; none for any other. */
export const errorLines = (body: unknown): readonly ErrorLine[] =>
  isObject(body) && Array.isArray(body['errors']) && typeof body['type'] === 'string'
    ? (body['errors'] as ErrorLine[])
    : [];

/** The entries of a list's page; undefined for what is no list. */
export const entriesIn = (body: unknown): readonly unknown[] | undefined =>
  isObject(body) && 'count' in body && Array.isArray(body['results']) ? body['results'] : undefined;
