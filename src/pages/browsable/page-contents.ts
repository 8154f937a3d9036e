// What a browsable page is made from.
import type { AnonymousAccess } from '../../access/permissions.ts';
import type { ErrorLine } from '../../base/errors.ts';
import type { FieldMetadata } from '../../http/options.ts';
import type { KnownOperation, PathTable } from '../../http/path-table.ts';
import type { Exchange } from '../../http/send.ts';
import type { FindLink } from '../links.ts';

export interface PageOptions {
  readonly pageSize: number;
  /** What requests without a token may do. */
  readonly anonymous: AnonymousAccess;
  readonly paths: PathTable;
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
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Those of an object that can be written. */
  readonly fields?: readonly FormField[] | undefined;
}

/** A request that the page sends: its fields write the body, which is sent as it is shown. */
export interface Form {
  readonly operation: KnownOperation;
  /** Undefined: the request has no body. */
  readonly body: string | undefined;
  readonly fields: readonly FormField[];
  /** Of the form that the page answers: the lines of the error by the names of their fields, empty for no field. */
  readonly faults?: ReadonlyMap<string, readonly ErrorLine[]>;
}

/** A request and its answer, with what several parts of the page read from them. */
export interface BrowsablePage extends Exchange, PageOptions {
  /** The request's, without its query. */
  readonly url: string;
  readonly findLink: FindLink;
  readonly known: readonly KnownOperation[];
  /** What OPTIONS calls the resource. */
  readonly name: string;
  readonly allow: readonly string[];
  /** A JSON value; undefined: the answer has no body. */
  readonly body: unknown;
  readonly breadcrumbs: readonly PageLink[];
  readonly forms: readonly Form[];
}
