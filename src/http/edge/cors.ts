// CORS for the Weblate API: pages of the origins in UNDERSTUDY_CORS_ORIGINS may send requests and read
// all answers, even refusals and injected faults (docs/decisions/0020).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { leaveBody } from '../connection.ts';
import { usualMethods } from '../dispatch.ts';
import type { Sender } from '../send.ts';

export type CorsOrigins = '*' | readonly string[];

// Browsers notice a changed configuration within this time.
const maxAgeSeconds = 600;

/** Must come before the Weblate API's routes and all hooks that answer. */
export function allowOrigins(app: FastifyInstance, sender: Sender, origins: CorsOrigins) {
  const allowed = (origin: string) => (origins === '*' ? '*' : origins.includes(origin) ? origin : undefined);

  // A preflight takes no capacity, is in no journal, and meets no fault: the browser sends it, not the
  // tested client.
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': asked } = request.headers;
    if (origin === undefined || request.method !== 'OPTIONS' || asked === undefined) return done();
    leaveBody(request, reply);
    const headers = allowed(origin) === undefined ? notListed : permitted(request);
    sender.send(reply, { status: 204, json: null, headers });
  });

  // At the end, because answers set Vary and the headers to expose.
  app.addHook('onSend', ({ headers }, reply, payload, done) => {
    if (headers.origin !== undefined) addHeaders(reply, allowed(headers.origin));
    done(null, payload);
  });
}

const notListed = { 'x-understudy-hint': "UNDERSTUDY_CORS_ORIGINS doesn't list this Origin." };

function permitted({ headers, routeOptions }: FastifyRequest): Record<string, string> {
  const asked = headers['access-control-request-headers'];
  return {
    // A path that isn't served allows the usual methods, so that pages can read its 404.
    'access-control-allow-methods': routeOptions.config.allow ?? usualMethods.join(', '),
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    'access-control-max-age': String(maxAgeSeconds),
  };
}

// Headers to expose, besides those that pages can read anyway.
const forClients = /^(?:location|retry-after|x-ratelimit-.*|x-understudy.*)$/;

function addHeaders(reply: FastifyReply, allowedOrigin: string | undefined) {
  reply.header('vary', [reply.getHeader('vary') ?? [], 'Origin'].flat().join(', '));
  if (allowedOrigin === undefined) return;
  const exposed = Object.keys(reply.getHeaders()).filter((name) => forClients.test(name));
  reply.header('access-control-allow-origin', allowedOrigin);
  reply.header('access-control-expose-headers', exposed.join(', '));
}
