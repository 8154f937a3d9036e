// The plugin of /api/: the mirrored API in every sandbox, with its documents.
import type { FastifyInstance } from 'fastify';
import { createGate } from '../access/gate.ts';
import { registerOperations } from '../http/dispatch.ts';
import { allowOrigins } from '../http/edge/cors.ts';
import { refuseForeignPages } from '../http/edge/foreign-pages.ts';
import { shedLoad } from '../http/edge/overload.ts';
import { mirroredSurface } from '../http/mirrored.ts';
import { ownSurface } from '../http/own.ts';
import { hintHeaders } from '../http/path-table.ts';
import { asksForPage } from '../pages/session/visitors.ts';
import { resources } from '../weblate/resources.ts';
import type { Parts } from './app-parts.ts';

export function registerMirroredApi(
  app: FastifyInstance,
  { options, load, documents, paths, sender, limits, visitors, traffic }: Parts,
): void {
  const { anonymous, bodyLimitBytes, corsOrigins, admin } = options;
  if (corsOrigins !== undefined) allowOrigins(app, sender, corsOrigins);
  if (anonymous === 'write') {
    const { allowedHosts } = admin.access;
    const origins = corsOrigins === '*' ? [] : corsOrigins;
    refuseForeignPages(app, createGate({ mode: 'on', token: undefined, allowedHosts, isLocal: true, origins }));
  }
  shedLoad(app, load);
  app.addHook('onRequest', visitors(asksForPage));
  traffic.watch(app);
  app.setNotFoundHandler((request, reply) =>
    sender.sendUnknownPath(request, reply, hintHeaders(request.context.place.path, paths)),
  );
  const noteAnonymousRead = warnOnce(app);
  const surface = mirroredSurface({ services: options, bodyLimitBytes, sender, limits, noteAnonymousRead });
  registerOperations(app, resources, surface);
  const open = { services: undefined, bodyLimitBytes, sender, gate: () => undefined };
  registerOperations(app, [documents], ownSurface(app, open));
}

// A client's developer should know where Understudy allows more than Weblate.
function warnOnce(app: FastifyInstance): () => void {
  let hasWarned = false;
  return () => {
    if (!hasWarned)
      app.log.info('Served an anonymous read; Weblate returns 404 (UNDERSTUDY_ANONYMOUS=strict matches it).');
    hasWarned = true;
  };
}
