// The context of a request: its Call, made by the app's first hook.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { BaseUrlOptions } from './base-url.ts';
import { Call } from './call.ts';

declare module 'fastify' {
  interface FastifyRequest {
    context: Call;
  }
}

/** To be called before all hooks that use the context. */
export function keepContexts(app: FastifyInstance, ofUrls: BaseUrlOptions): void {
  app.decorateRequest('context');
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request;
    request.context = new Call(request, (raw as KeptRequest)[given] ?? headers['content-type'], ofUrls);
    done();
  });
}

const given = Symbol('Content-Type');
type KeptRequest = IncomingMessage & { [given]?: string };

const token = "[!#$%&'*+.^`|~\\w-]+";
const mediaType = new RegExp(`^${token}/${token}[ \\t]*(?:;|$)`);

/**
 * Replaces a Content-Type that is no media type by one that Fastify accepts. To be called before the request is
 * routed: Fastify rejects it before any handler, Weblate only after it checked the permission, and not at all
 * without a body (transcript wire__content-type).
 */
export function hideOddContentType(request: KeptRequest): void {
  const type = request.headers['content-type'];
  // A request of method QUERY must have one for Fastify.
  if (type === undefined ? request.method !== 'QUERY' : mediaType.test(type)) return;
  request[given] = type ?? '';
  request.headers['content-type'] = 'application/octet-stream';
}
