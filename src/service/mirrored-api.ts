// The plugin of /api/: the mirrored API in every sandbox, with its documents.
import type { FastifyInstance } from 'fastify';
import { findTokenHash } from '../access/credentials.ts';
import { createGate } from '../access/gate.ts';
import { safeMethods } from '../base/http-names.ts';
import { registerOperations } from '../http/dispatch.ts';
import { allowOrigins } from '../http/edge/cors.ts';
import { shedLoad } from '../http/edge/overload.ts';
import { mirroredSurface } from '../http/mirrored.ts';
import { ownSurface } from '../http/own.ts';
import { hintHeaders } from '../http/path-table.ts';
import { resources } from '../weblate/resources.ts';
import type { Parts } from './app-parts.ts';

export function registerMirroredApi(
  app: FastifyInstance,
  { options, load, documents, paths, sender, limits, visitors, traffic }: Parts,
): void {
  const { anonymous, bodyLimitBytes, corsOrigins } = options;
  if (corsOrigins !== undefined) allowOrigins(app, sender, corsOrigins);
  if (anonymous === 'write') refuseForeignPages(app, options);
  shedLoad(app, load);
  app.addHook('onRequest', visitors());
  traffic.watch(app, new Set(documents.map(({ url }) => url)));
  app.setNotFoundHandler((request, reply) =>
    sender.sendUnknownPath(request, reply, hintHeaders(request.context.place.path, paths)),
  );
  const surface = mirroredSurface({ services: options, bodyLimitBytes, sender, limits });
  registerOperations(
    app,
    resources.flatMap(({ operations }) => operations),
    surface,
  );
  const open = { services: undefined, bodyLimitBytes, sender, gate: { admit: () => undefined } };
  registerOperations(app, documents, ownSurface(open));
}

// If anonymous requests may write, a web page open on the same machine could write too: by a form, or under a host name
// of its own that resolves to this machine. Such writes have to pass the gate of our own API.
function refuseForeignPages(app: FastifyInstance, { admin, corsOrigins }: Parts['options']): void {
  const { allowedHosts } = admin.access;
  const origins = corsOrigins === '*' ? [] : corsOrigins;
  const gate = createGate({ mode: 'on', token: undefined, allowedHosts, isLocal: true, origins });
  app.addHook('onRequest', (request, _reply, done) => {
    // A browser never adds a token by itself. The header alone proves nothing: a page can send one without a token.
    if (!safeMethods.has(request.method) && findTokenHash(request.headers.authorization) === null) gate.admit(request);
    done();
  });
}
