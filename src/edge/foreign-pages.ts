// Where everybody may write without a token, a page of the web that is open on the same machine could do so too: by a form, or under
// a name of its own that it made point here. Such writes pass the gate that our own API has.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findToken } from '../access/credentials.ts';
import { plainJson } from '../api/wire/negotiate.ts';
import type { Sender } from '../api/send.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * To be called before the routes are there, where UNDERSTUDY_ANONYMOUS is `write`.
 * @param gate throws for what comes from elsewhere
 */
export function refuseForeignPages(
  app: FastifyInstance,
  sender: Sender,
  gate: (request: FastifyRequest) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    // A browser never adds a token by itself. The header alone proves nothing: a page can send one that holds no token.
    if (safeMethods.has(request.method) || findToken(request.headers.authorization) !== null) {
      done();
      return;
    }
    try {
      gate(request);
    } catch (error) {
      sender.sendError(request, reply, plainJson, error);
      return;
    }
    done();
  });
}
