// Load shedding: beyond its limits, the service rejects requests before any work, so that others stay fast
// and memory is bounded. A body's bytes count from its start, a request only when its body is complete.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasBody, leaveBody, whenClosed } from '../connection.ts';
import type { Call } from '../call.ts';
import { apiError } from '../../base/errors.ts';

/** @param maxBytes for all bodies; a body of unknown length counts as its route's longest */
export function createLoad(maxRequests: number, maxBytes: number) {
  const inUse = { requests: 0, bodyBytes: 0 };

  function openSlot(request: FastifyRequest): Call['slot'] {
    const { bodyLimit } = request.routeOptions;
    let bytes = hasBody(request) ? Math.min(Number(request.headers['content-length'] ?? bodyLimit), bodyLimit) : 0;
    // A lone body always fits.
    const fits = bytes === 0 || inUse.bodyBytes === 0 || inUse.bodyBytes + bytes <= maxBytes;
    if (!fits || inUse.requests >= maxRequests) return undefined;
    inUse.bodyBytes += bytes;
    let state: 'reading' | 'counted' | 'over' = 'reading';
    const take = (bodyBytes: number) => {
      if (state !== 'reading') return true;
      if (inUse.requests >= maxRequests) return false;
      inUse.bodyBytes += bodyBytes - bytes;
      bytes = bodyBytes;
      inUse.requests++;
      state = 'counted';
      return true;
    };
    const giveBack = () => {
      if (state === 'counted') inUse.requests--;
      if (state !== 'over') inUse.bodyBytes -= bytes;
      state = 'over';
    };
    if (!hasBody(request)) take(0);
    return { take, giveBack };
  }

  return { inUse, openSlot };
}

export type Load = ReturnType<typeof createLoad>;

const tooMany = () => apiError('service_unavailable', 'too many requests, or too large ones, are under way');

/** Must come before the routes. */
export function shedLoad(app: FastifyInstance, load: Load) {
  app.addHook('onRequest', (request, reply, done) => {
    const slot = load.openSlot(request);
    request.context.slot = slot;
    if (slot === undefined) {
      leaveBody(request, reply);
      return done(tooMany());
    }
    whenClosed(reply, slot.giveBack);
    done();
  });
  app.addHook('preValidation', ({ context }, _reply, done) => {
    const fits = context.slot?.take(context.body?.length ?? 0) !== false;
    done(fits ? undefined : tooMany());
  });
}
