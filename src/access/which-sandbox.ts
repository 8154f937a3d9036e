// Finds the sandbox that a request addresses, and the path below the sandbox's base URL.
import type { FastifyRequest } from 'fastify';

export const defaultSandbox = 'default';

export interface Place {
  /** The name in the request. It may be invalid or unknown. */
  readonly sandbox: string;
  /** `/sandboxes/<name>`, or empty. */
  readonly prefix: string;
  /** The path after the prefix, without the query. Only an escaped `/api` is decoded. */
  readonly path: string;
  /** The raw query without `?`; empty if there is none. */
  readonly search: string;
}

const validName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
export const isSandboxName = (text: string) => validName.test(text);

/** The base URL for clients of a sandbox. @param origin the service's, without a final slash */
export const baseUrlOf = (origin: string, sandbox: string) =>
  sandbox === defaultSandbox ? origin : `${origin}/sandboxes/${sandbox}`;

// Names need no escapes, and none is decoded.
// A sandbox has an API, a home page, and a page to choose a user.
const inPath = /^\/sandboxes\/([^/?]+)(?=\/(?:api\/|session\/|\?|$))/;
// A new sandbox's tokens hold its name, for clients that can set neither a path nor a header
// (docs/decisions/0003).
const inToken = /^[ \t]*(?:[Tt][Oo][Kk][Ee][Nn]|[Bb][Ee][Aa][Rr][Ee][Rr])[ \t]+wlu_sandbox_([a-z0-9-]{1,63})_/;
export const sandboxOfToken = (authorization = '') => inToken.exec(authorization)?.[1];

// `/api` with escaped letters. The router decodes them, as Weblate does.
const escapedApi = /^\/(?:a|%61)(?:p|%70)(?:i|%69)(?=\/)/;

export const withoutSandbox = (url: string) => url.replace(inPath, '');

/** The sandbox that the path's prefix names, else the header, else the token, else `default`. */
export function findPlace({ originalUrl: url, headers }: Pick<FastifyRequest, 'originalUrl' | 'headers'>): Place {
  const end = url.indexOf('?');
  const [full, search] = end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)];
  const [prefix = '', ofPath] = inPath.exec(full) ?? [];
  const ofHeader = headers['x-understudy-sandbox']?.toString();
  const sandbox = ofPath ?? ofHeader ?? sandboxOfToken(headers.authorization) ?? defaultSandbox;
  return { sandbox, prefix, path: full.slice(prefix.length).replace(escapedApi, '/api'), search };
}
