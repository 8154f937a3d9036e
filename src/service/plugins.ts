// The plugins of the prefixes: what each serves, behind its hooks.
import type { FastifyInstance } from 'fastify';
import { createGate } from '../access/gate.ts';
import { safeMethods } from '../base/http-names.ts';
import { leaveBody } from '../http/connection.ts';
import { registerOperations } from '../http/dispatch.ts';
import { allowOrigins } from '../http/edge/cors.ts';
import { shedLoad } from '../http/edge/overload.ts';
import { weblateSurface } from '../http/weblate.ts';
import { controlSurface } from '../http/control.ts';
import { hintHeaders } from '../http/path-table.ts';
import { describeControl } from '../openapi/documents.ts';
import { get } from '../pages/console/console-page.ts';
import { registerConsole } from '../pages/console/register-console.ts';
import { serveDocument } from '../pages/documentation/documentation.ts';
import { registerAssets } from '../pages/frame/assets.ts';
import { registerHome } from '../pages/home/home.ts';
import { registerSessions } from '../pages/session/session-route.ts';
import { noteUses } from '../sandboxes/expiry.ts';
import { sandboxes } from '../sandboxes/operations.ts';
import { traffic } from '../traffic/operations.ts';
import type { Parts } from './app-parts.ts';
import { monitoring } from './monitoring/operations.ts';

export function registerWeblateApi(app: FastifyInstance, parts: Parts) {
  const { options, operations, documents, paths, sender } = parts;
  const { anonymous, corsOrigins } = options;
  if (corsOrigins !== undefined) allowOrigins(app, sender, corsOrigins);
  if (anonymous === 'write') refuseForeignPages(app, options);
  shedLoad(app, parts.load);
  app.addHook('onRequest', parts.visitors());
  parts.traffic.watch(app, new Set(documents.map(({ url }) => url)));
  app.setNotFoundHandler((request, reply) =>
    sender.sendUnknownPath(request, reply, hintHeaders(request.context.place.path, paths)),
  );
  registerOperations(app, operations, weblateSurface(options, sender, parts.limits));
  registerOperations(app, documents, controlSurface(undefined, sender, { admit: () => undefined }));
}

// If anonymous requests may write, a web page in a browser on this machine could write too: with a form, or
// under a host name that resolves to this machine. Such writes must pass a gate like the control API's.
function refuseForeignPages(app: FastifyInstance, { admin, corsOrigins }: Parts['options']) {
  const { allowedHosts } = admin.access;
  const origins = corsOrigins === '*' ? [] : corsOrigins;
  const gate = createGate({ mode: 'on', token: undefined, allowedHosts, isLocal: true, origins });
  app.addHook('onRequest', async (request) => {
    // A browser adds no token by itself. But a page can send the header Authorization without a token.
    if (!safeMethods.has(request.method) && request.context.findTokenHash() === null) gate.admit(request);
  });
}

export async function registerControlApi(app: FastifyInstance, parts: Parts) {
  const { options, services, gate, sender } = parts;
  shedLoad(app, parts.load);
  noteUses(app, services.expiry, services.database.read);
  parts.traffic.watchStrays(app);
  const document = serveDocument(app.prefix, () => describeControl([sandboxes, traffic, monitoring]));
  const surface = controlSurface(services, sender, gate, options.adminBodyLimitBytes);
  registerOperations(app, [...sandboxes.operations, ...traffic.operations, document.schema], surface);
  const documentation = get('docs/', async ({ origin, visitor }) => document.page({ baseUrl: origin, visitor }));
  await app.register(async (console) => registerConsole(console, [documentation], parts));
}

// A GET's body stays unread. Other bodies must be small: load shedding doesn't count them here.
const bodyLimit = 1024;

/** Health and metrics. No load shedding: they matter most when the process is busy. */
export function registerProbes(app: FastifyInstance, { services, gate, sender }: Parts) {
  app.addHook('onRequest', async (request, reply) => leaveBody(request, reply));
  registerOperations(app, monitoring.operations, controlSurface(services, sender, gate, bodyLimit));
}

export async function registerOpenPages(app: FastifyInstance, parts: Parts) {
  const { services, sender } = parts;
  shedLoad(app, parts.load);
  noteUses(app, services.expiry, services.database.read);
  // These pages are registered before the hooks below, and so don't get them.
  await app.register(async (pages) => {
    pages.addHook('onRequest', parts.visitors(true));
    registerSessions(pages, parts);
    registerHome(pages, parts);
  });
  registerAssets(app);
  app.addHook('onRequest', parts.visitors());
  parts.traffic.watchStrays(app);
  app.setNotFoundHandler((request, reply) => sender.sendUnknownPath(request, reply));
}
