// The end of a process that others still send to. A connection that idles may carry a request this very moment, so it isn't cut at
// once: no new ones are taken, which whoever balances notices and sends elsewhere; an answer on an old one says that it is the last.
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const pollMs = 10;

declare module 'fastify' {
  interface FastifyInstance {
    /** Closes the port; those who are connected notice nothing. */
    takeNoMore(): Promise<void>;
    /**
     * Takes no more connections; resolves when none is left, or after `graceMs`. What is being answered then is up to `close()`,
     * which waits for it.
     */
    drain(graceMs: number): Promise<void>;
  }
}

/** To be called before the routes are there. */
export function registerDrain(app: FastifyInstance): void {
  let isDraining = false;
  const connections = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining) reply.raw.shouldKeepAlive = false;
    done();
  });
  app.decorate('takeNoMore', async () => {
    // What waits to be accepted is, right before the port closes.
    await turn();
    stopListening(app.server);
  });
  app.decorate('drain', async (graceMs: number) => {
    await app.takeNoMore();
    isDraining = true;
    const untilMs = performance.now() + graceMs;
    while (connections.size > 0 && performance.now() < untilMs) await sleep(pollMs);
  });
}

// That of http would also close what idles.
function stopListening(server: Server): void {
  if (server.listening) NetServer.prototype.close.call(server);
}
