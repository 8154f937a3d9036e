// The shape of a resource's table of routes, which shows its whole surface at a glance.
import type { TSchema } from '@sinclair/typebox';
import type { UserAccess } from '../access/permissions.ts';
import type { Answer, Call } from './call.ts';
import type { ResourceDocument } from './operation.ts';
import type { FieldMetadata } from './options.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One line of a table. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly schema: RouteSchema;
  readonly handler: (call: Call<never, never>) => Promise<Answer>;
}

export interface RouteSchema {
  /** Where the path's parts don't fit it, there is no such path. */
  readonly params?: TSchema;
  /** Describes the query; it never refuses one. */
  readonly querystring?: TSchema;
}

/** What a path is called in its OPTIONS answer and on its page, and the fields that it takes. */
export interface PathDescription {
  readonly name: string;
  readonly description: string;
  /** Those that this caller may say and would see. */
  readonly fields?: (caller: UserAccess) => Record<string, FieldMetadata>;
  /** Renderings beyond those that every path has, by their types. */
  readonly alsoRenders?: readonly string[];
  /** Whether the real system also knows the path with a format for its slash, where it then fails (differences). */
  readonly takesFormatSuffix?: boolean;
  /** An example of a body for each method that takes one, shown on the page. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** A folder of src/resources/ as the app sees it. */
export interface Resource {
  readonly routes: readonly Route[];
  readonly paths: Readonly<Record<string, PathDescription>>;
  /** What is said of each route in the API's document. */
  readonly document?: ResourceDocument;
}

// GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS: the order in which the real system lists them.
const order: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The value of Allow for a path with these methods. HEAD comes with GET, OPTIONS always. */
export function allowHeader(methods: readonly string[]): string {
  const listed = order.filter((method) => methods.includes(method));
  return [...listed, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
