// What a browsable page is made from.
import type { AnonymousAccess } from '../../access/permissions.ts';
import type { KnownOperation, PathTable } from '../../http/path-table.ts';
import type { Exchange } from '../../http/send.ts';
import type { FindLink } from '../links.ts';
import type { Form } from './describe/describe-forms.ts';

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
