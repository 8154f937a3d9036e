// One request of the mirrored API as handlers see it, and the answer that they give. They know nothing of Fastify.
import type { AnonymousAccess, Asking } from '../access/permissions.ts';
import type { Credentials } from '../access/credentials.ts';
import type { Asked } from '../access/queries.ts';
import type { Database } from '../database/database.ts';

/** What a resource is made with; fixed for the life of the app. */
export interface Services {
  readonly database: Database;
  readonly anonymous: AnonymousAccess;
  /** Entries a page where the request names no size. */
  readonly pageSize: number;
  /** Most fields of a form. */
  readonly maxFields: number;
}

/** What the URLs in an answer begin and end with. Holds nothing that needs an escape in JSON. */
export interface UrlContext {
  /** Scheme, host and prefix, no slash at the end: what `{base_url}` stands for in the specification. */
  readonly baseUrl: string;
  /** `?format=json` where the request named a format: what is linked keeps it (transcript format__query). Else empty. */
  readonly urlQuery: string;
}

export interface Call<Params = unknown, Query = unknown> extends UrlContext {
  readonly method: string;
  /** The sandbox's name. */
  readonly sandbox: string;
  /** The path under the base as it was written, without the query. */
  readonly path: string;
  /** The raw query without `?`; empty where there is none. */
  readonly search: string;
  readonly params: Params;
  readonly query: Query;
  readonly credentials: Credentials | null;
  readonly body: Buffer | undefined;
  readonly contentType: string | undefined;
}

export interface Answer {
  readonly status: number;
  /** The body as JSON text, or null for none. */
  readonly json: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the 404 of a path that isn't served, which allows nothing. */
  readonly isUnknownPath?: boolean;
}

export const ok = (json: string): Answer => ({ status: 200, json });

/** What the call puts to the database. PostgreSQL takes no NUL, and no user's name holds one. */
export const askedOf = (call: Call, username = ''): Asked => ({
  sandbox: call.sandbox,
  hash: call.credentials?.tokenHash ?? null,
  username: username.includes('\0') ? '' : username,
});

export const askingOf = (call: Call, anonymous: AnonymousAccess): Asking => ({
  sandbox: call.sandbox,
  hasToken: call.credentials !== null,
  anonymous,
});
