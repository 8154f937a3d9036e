// What a browsable page is made from.
import type { AnonymousAccess } from '../../access/permissions.ts';
import type { ErrorLine } from '../../base/errors.ts';
import type { FieldMetadata } from '../../http/options.ts';
import type { KnownOperation, PathTable } from '../../http/path-table.ts';
import type { Exchange } from '../../http/send.ts';
import type { Journal } from '../../traffic/journal/journal.ts';
import type { FindLink } from '../links.ts';

export interface PageOptions {
  /** What requests without a token may do. */
  readonly anonymous: AnonymousAccess;
  readonly paths: PathTable;
  readonly journal: Pick<Journal, 'find'>;
}

export interface PageLink {
  readonly label: string;
  /** Absolute. Becomes a link only under `baseUrl`. */
  readonly href: string;
}

export interface FormField {
  /** With those of the objects around it: `profile.language`. */
  readonly name: string;
  readonly metadata: FieldMetadata;
  /** Undefined: the body has none. */
  readonly value: unknown;
  /** What the label says of it: `required`. */
  readonly required: string | undefined;
  readonly isNullable: boolean;
  /** Those of an object that can be written. */
  readonly fields?: readonly FormField[] | undefined;
}

/** A request that the page sends, with the body as it is shown. */
export interface FormRequest {
  readonly operation: KnownOperation;
  /** Undefined: the request has no body. */
  readonly body: string | undefined;
}

/** Fields that write the bodies of one request, or of two: PUT and PATCH have the same fields. */
export interface Form {
  readonly requests: readonly FormRequest[];
  readonly fields: readonly FormField[];
  /** The journal's entry whose body the form begins with. */
  readonly from?: string;
  /** Of the form that the page answers: the lines of the error by the names of their fields, empty for no field. */
  readonly faults?: ReadonlyMap<string, readonly ErrorLine[]>;
}

/** A request of the journal that the page was asked to show in a form, or why it can't. */
export type Opened =
  | { readonly id: string; readonly method: string; readonly body: string }
  | { readonly id: string; readonly refusal: string; readonly sender?: string };

/** A request and its answer, with what several parts of the page read from them. */
export interface BrowsablePage extends Exchange, PageOptions {
  /** The request's, without its query. */
  readonly url: string;
  readonly findLink: FindLink;
  readonly known: readonly KnownOperation[];
  /** What is at the path: "Subscription 12 of alice". */
  readonly name: string;
  readonly opened: Opened | undefined;
  readonly allow: readonly string[];
  /** A JSON value; undefined: the answer has no body. */
  readonly body: unknown;
  readonly breadcrumbs: readonly PageLink[];
  readonly forms: readonly Form[];
}
