// What this process takes on at once. Beyond that it refuses before it has done anything, so that whoever was let in is answered as
// fast as ever and memory has a bound. A refusal costs nearly as much as an answer, so nothing more is read from a connection that was
// refused until there is room, or until the time that Retry-After said: else those who ask again at once would leave no time for work.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiError } from './errors.ts';
import { plainJson } from './negotiate.ts';
import type { Replier } from './reply.ts';

export interface LoadLimits {
  /** Requests that are being answered at the same time. */
  readonly maxRequests: number;
  /** Bytes of all their bodies together, which lie in memory until they are read. */
  readonly maxBodyBytes: number;
  /** What a body counts for whose length isn't told. */
  readonly bodyLimitBytes: number;
}

/** For a process that may answer so many requests at once. */
export const loadLimits = (maxRequests: number, bodyLimitBytes: number): LoadLimits => ({
  maxRequests,
  bodyLimitBytes,
  maxBodyBytes: Math.max(64 * 1_048_576, 2 * bodyLimitBytes),
});

// Who watches the process wants to know most when it is busy.
const alwaysAnswered = /^\/(?:_understudy\/(?:health\/|metrics)|healthz\/)/;

// That of Retry-After.
const pauseMs = 1000;

/** To be called before the routes are there. */
export function shedLoad(app: FastifyInstance, replier: Replier, limits: LoadLimits): void {
  // Whoever was answered may ask again at once, and comes before those who wait.
  const roomy = limits.maxRequests * 0.9;
  let requests = 0;
  let bodyBytes = 0;
  const paused = new Map<Socket, NodeJS.Timeout>();

  function pause(socket: Socket): void {
    if (socket.destroyed || paused.has(socket)) return;
    socket.pause();
    paused.set(
      socket,
      setTimeout(() => resume(socket), pauseMs),
    );
  }

  function resume(socket: Socket): void {
    clearTimeout(paused.get(socket));
    paused.delete(socket);
    socket.resume();
  }

  app.addHook('onRequest', (request, reply, done) => {
    const bytes = bodyBytesOf(request, limits);
    const isTooMuch =
      requests >= limits.maxRequests || (bytes > 0 && bodyBytes > 0 && bodyBytes + bytes > limits.maxBodyBytes);
    if (isTooMuch && !alwaysAnswered.test(request.url)) {
      // Its body isn't read, so nothing can follow on this connection.
      if (bytes > 0) reply.raw.shouldKeepAlive = false;
      const { socket } = request.raw;
      reply.raw.once('finish', () => pause(socket));
      replier.sendError(request, reply, plainJson, apiError('service_unavailable'));
      return;
    }
    requests++;
    bodyBytes += bytes;
    // Also where the client went away meanwhile.
    reply.raw.once('close', () => {
      requests--;
      bodyBytes -= bytes;
      const [next] = requests < roomy ? paused.keys() : [];
      if (next !== undefined) resume(next);
    });
    done();
  });
}

// A body beyond the limit is refused before it is read.
function bodyBytesOf({ headers }: FastifyRequest, { bodyLimitBytes, maxBodyBytes }: LoadLimits): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimitBytes;
  const length = Number(headers['content-length'] ?? 0);
  return length > maxBodyBytes ? 0 : length;
}
