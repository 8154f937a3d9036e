// What a browsable page shows.
import type { Visitor } from '../frame/visitor.ts';

export interface PageLink {
  label: string;
  /** Absolute, or relative to the request's address. Becomes a link only under `baseUrl`. */
  href: string;
  current?: boolean;
}

export interface BrowsablePage {
  method: string;
  /** As requested: raw, with its query. */
  path: string;
  status: number;
  reason: string;
  /** The headers of the JSON answer, shown as they are. */
  headers: readonly (readonly [string, string])[];
  /** A JSON value; undefined: the answer has no body. */
  body: unknown;
  /** `http://127.0.0.1:8000`, or `…/sandboxes/x`. Only addresses under it become links. */
  baseUrl: string;
  /** What OPTIONS calls the resource. */
  name: string;
  breadcrumbs: readonly PageLink[];
  /** The methods allowed here. */
  allow: readonly string[];
  /** The formats; unless one is marked as current, it is `api`, the page itself. */
  formats: readonly PageLink[];
  pages?: { current: number; total: number; links: readonly PageLink[] };
  /** An example of a JSON body by method, for its curl line: `{ POST: { notification: … } }`. */
  examples?: Readonly<Record<string, unknown>>;
  sandbox?: string;
  visitor?: Visitor;
}

/**
 * The page numbers that a row of links shows if there are too many for all: first, last, and those around the current
 * one, ascending.
 */
export function pageNumbers(current: number, total: number): number[] {
  const around = [1, current - 1, current, current + 1, total];
  // A gap of a single page is filled: its number takes no more room than the ellipsis.
  if (current - 3 === 1) around.push(2);
  if (current + 3 === total) around.push(total - 1);
  return [...new Set(around)].filter((number) => number >= 1 && number <= total).toSorted((a, b) => a - b);
}
