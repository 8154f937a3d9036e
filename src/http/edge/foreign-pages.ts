// If anonymous requests may write, a web page open on the same machine could write too: by a form, or under a host name
// of its own that resolves to this machine. Such writes have to pass the gate of our own API.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findToken } from '../../access/credentials.ts';
import { safeMethods } from '../../base/http-names.ts';

/**
 * To be called before the routes are registered, if UNDERSTUDY_ANONYMOUS is `write`.
 * @param gate throws for a request from a foreign page
 */
export function refuseForeignPages(app: FastifyInstance, gate: (request: FastifyRequest) => void): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // A browser never adds a token by itself. The header alone proves nothing: a page can send one without a token.
    if (!safeMethods.has(request.method) && findToken(request.headers.authorization) === null) gate(request);
    done();
  });
}
