// Graceful shutdown. A balancer may be sending on an idle connection, so idle connections stay open at
// first. The port closes, which the balancer notices, and responses have `Connection: close`.
import { Server as NetServer } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Accepts no more connections. Resolves when all are closed, or after `graceMs`. */
    drain(graceMs: number): Promise<void>;
    /** Aborted when shutdown starts, to end requests that wait. */
    readonly ending: AbortSignal;
  }
}

/** Must come before the routes. */
export function registerDrain(app: FastifyInstance) {
  const ending = new AbortController();
  app.addHook('onRequest', (_request, reply, done) => {
    if (ending.signal.aborted) reply.raw.shouldKeepAlive = false;
    done();
  });
  app.decorate('ending', ending.signal);
  // An app may be closed without a drain.
  app.addHook('preClose', async () => ending.abort());
  app.decorate('drain', async (graceMs: number) => {
    // First accepts pending connections.
    await turn();
    // http's own close() would close idle connections too.
    const closed = new Promise((done) => NetServer.prototype.close.call(app.server, done));
    ending.abort();
    await Promise.race([closed, sleep(graceMs, undefined, { ref: false })]);
  });
}
