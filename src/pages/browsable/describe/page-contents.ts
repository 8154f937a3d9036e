// What a browsable page is made from.
import type { AnonymousAccess } from '../../../access/permissions.ts';
import type { ErrorLine } from '../../../base/errors.ts';
import { safeMethods } from '../../../base/http-names.ts';
import type { FieldMetadata } from '../../../http/options.ts';
import type { KnownOperation, PathTable } from '../../../http/path-table.ts';
import type { Exchange } from '../../../http/send.ts';
import type { Journal } from '../../../traffic/journal/journal.ts';
import { absoluteUrl, linksUnder } from '../../links.ts';
import { breadcrumbs, namePath } from './name-path.ts';
import { openEntry } from './open-entry.ts';

export interface PageOptions {
  /** What requests without a token may do. */
  readonly anonymous: AnonymousAccess;
  readonly paths: PathTable;
  readonly journal: Pick<Journal, 'find'>;
}

export interface FormField {
  /** With those of the objects around it: `profile.language`. */
  readonly name: string;
  readonly metadata: FieldMetadata;
  /** Undefined: the body has none. */
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Those of an object that can be written. */
  readonly fields?: readonly FormField[] | undefined;
}

/** Fields that write the bodies of one request, or of two: PUT and PATCH have the same fields. */
export interface Form {
  /** What the ids of its fields begin with: the same whether the form is for PUT and PATCH or for one of them. */
  readonly id: string;
  /** The requests that it sends, with their bodies as they are shown; undefined for a request without a body. */
  readonly requests: readonly { readonly operation: KnownOperation; readonly body: string | undefined }[];
  readonly fields: readonly FormField[];
  /** What the label of a required field says. */
  readonly required: string | undefined;
  /** The journal's entry whose body the form begins with. */
  readonly from?: string | undefined;
  /** Of the form that the page answers: what is wrong with the request. */
  readonly faults?: readonly ErrorLine[];
}

/** A request and its answer, with what several parts of the page read from them. */
export function describeExchange(exchange: Exchange, options: PageOptions) {
  const { baseUrl, path, json, headers } = exchange;
  const { paths, anonymous } = options;
  const known = paths.find(path) ?? [];
  return {
    ...exchange,
    ...options,
    ...openEntry(exchange, options.journal),
    /** The request's, without its query. */
    url: absoluteUrl(baseUrl, path),
    findLink: linksUnder(baseUrl),
    known,
    /** Whether a request without a token may be admitted. */
    admitsAnonymous: (method: string) => (safeMethods.has(method) ? anonymous !== 'strict' : anonymous === 'write'),
    /** What is at the path: "Subscription 12 of alice". */
    name: namePath(known[0], path),
    allow: headers['allow']?.split(', ') ?? [],
    /** A JSON value; undefined: the answer has no body. */
    body: json === null ? undefined : (JSON.parse(json) as unknown),
    breadcrumbs: breadcrumbs(baseUrl, path, paths),
  };
}

export type Described = ReturnType<typeof describeExchange>;

export interface BrowsablePage extends Described {
  readonly forms: readonly Form[];
}
