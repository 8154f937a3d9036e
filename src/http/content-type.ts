// A Content-Type that is no media type: Fastify rejects such a request before any handler, Weblate only after it checked
// the permission, and not at all without a body (transcript wire__content-type).
import type { IncomingMessage } from 'node:http';

const given = Symbol('Content-Type');
type KeptRequest = IncomingMessage & { [given]?: string };

const token = "[!#$%&'*+.^`|~\\w-]+";
const mediaType = new RegExp(`^${token}/${token}[ \\t]*(?:;|$)`);

/** Replaces it by one that Fastify accepts. To be called before the request is routed. */
export function hideOddContentType(request: KeptRequest): void {
  const type = request.headers['content-type'];
  // A request of method QUERY must have one for Fastify.
  if (type === undefined ? request.method !== 'QUERY' : mediaType.test(type)) return;
  request[given] = type ?? '';
  request.headers['content-type'] = 'application/octet-stream';
}

export const contentTypeOf = (request: KeptRequest): string | undefined =>
  request[given] ?? request.headers['content-type'];
