// Load shedding: beyond its limits the service rejects a request before it does any work, so that accepted requests
// stay fast and memory bounded. Bodies on their way count by their bytes, requests once their body is complete.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasBody, leaveBody, whenClosed } from '../connection.ts';
import { apiError } from '../../base/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What it takes of the limits. A request that only waits gives it back for good. Undefined for rejected requests. */
    slot: { readonly take: () => boolean; readonly giveBack: () => void } | undefined;
  }
}

// Monitoring needs an answer most when the process is busy. Exact paths and methods: others may carry bodies.
const alwaysAnswered = /^\/(?:_understudy\/(?:health\/(?:live|ready)|metrics)|healthz\/)(?:\?|$)/;
const isWatching = ({ method, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && alwaysAnswered.test(url);

/** @param maxBody in bytes; a body of unknown length counts as one */
export function createLoad(maxRequests: number, maxBody: number, maxBytes = Math.max(2 ** 26, 2 * maxBody)) {
  const inUse = { requests: 0, bodyBytes: 0 };

  /** Undefined if there is no room. */
  function openSlot(request: FastifyRequest): FastifyRequest['slot'] {
    const bytes = hasBody(request) ? Math.min(Number(request.headers['content-length'] ?? maxBody), maxBody) : 0;
    // A lone body always fits, whatever UNDERSTUDY_BODY_LIMIT is.
    const fits = bytes === 0 || inUse.bodyBytes === 0 || inUse.bodyBytes + bytes <= maxBytes;
    if (!fits || inUse.requests >= maxRequests) return undefined;
    inUse.bodyBytes += bytes;
    let state: 'reading' | 'counted' | 'over' = 'reading';
    const take = (): boolean => {
      if (state !== 'reading') return true;
      if (inUse.requests >= maxRequests) return false;
      inUse.requests++;
      state = 'counted';
      return true;
    };
    const giveBack = (): void => {
      if (state === 'counted') inUse.requests--;
      if (state !== 'over') inUse.bodyBytes -= bytes;
      state = 'over';
    };
    if (!hasBody(request)) take();
    return { take, giveBack };
  }

  return { inUse, openSlot };
}

/** To be called before the routes are registered. */
export function shedLoad(app: FastifyInstance, load: ReturnType<typeof createLoad>): void {
  app.decorateRequest('slot', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    if (!isWatching(request)) request.slot = load.openSlot(request);
    if (request.slot === undefined) leaveBody(request, reply);
    else whenClosed(reply, request.slot.giveBack);
    if (request.slot !== undefined || isWatching(request)) done();
    else done(apiError('service_unavailable'));
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.slot?.take() !== false) done();
    else done(apiError('service_unavailable'));
  });
}
