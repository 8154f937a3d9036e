// The Fastify app: composes everything, listens to nothing. The process and the tests use the same options.
import type { IncomingMessage } from 'node:http';
import { METHODS } from '../base/http-names.ts';
import sensible from '@fastify/sensible';
import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyInstance } from 'fastify';
import { createGate } from '../access/gate.ts';
import { readPublicSamples } from '../seeds/load/named-seed.ts';
import { type AdminSettings, registerOwnApi } from './own-api.ts';
import { createMetrics } from './monitoring/metrics.ts';
import type { AnonymousAccess } from '../access/permissions.ts';
import type { Database } from '../database/database.ts';
import { escapeBrokenPath, toOriginForm } from '../http/edge/repair-url.ts';
import { pageAround } from '../pages/browsable/browsable-page.ts';
import { findOrigin, hostAndPort, trustedHops } from '../http/base-url.ts';
import { allowOrigins, type CorsOrigins } from '../http/edge/cors.ts';
import { answerClientError } from '../http/edge/client-error.ts';
import { hideOddContentType } from '../http/content-type.ts';
import { registerOperations } from '../http/dispatch.ts';
import { mirroredSurface } from '../http/mirrored.ts';
import { ownSurface } from '../http/own.ts';
import { keepTokenHashes } from '../access/credentials.ts';
import { registerDrain } from '../http/edge/drain.ts';
import { refuseForeignPages } from '../http/edge/foreign-pages.ts';
import { registerHome } from '../pages/home/home-route.ts';
import { registerAssets } from '../pages/frame/assets.ts';
import { createSamples } from '../pages/session/public-users.ts';
import { registerSessions } from '../pages/session/session-route.ts';
import { createSessions } from '../pages/session/sessions.ts';
import { registerVisitors } from '../pages/session/visitors.ts';
import { createPathTable } from '../http/path-table.ts';
import { clientTimeouts, connectionsPerRequest } from '../http/edge/timeouts.ts';
import { createLoad, shedLoad } from '../http/edge/overload.ts';
import { parseQuery } from '../http/wire/query-string.ts';
import { createLimits } from '../access/rate-limit.ts';
import { createSender } from '../http/send.ts';
import { createRequestIds, RequestLog } from '../http/edge/request-log.ts';
import { keepPlaces, withoutSandbox } from '../access/which-sandbox.ts';
import { loggerOptions, type LogStream } from '../http/edge/log.ts';
import { resources } from '../weblate/resources.ts';
import { describeMirrored } from '../openapi/documents.ts';
import { serveDocument } from '../pages/documentation/serve-document.ts';

export interface AppOptions {
  readonly database: Database;
  readonly anonymous: AnonymousAccess;
  readonly pageSize: number;
  readonly publicUrl: string | undefined;
  /** Number of proxies in front of the service. */
  readonly trustProxy: number;
  /** Of the mirrored API. */
  readonly bodyLimitBytes: number;
  /** Of what stands under `/_understudy/`. */
  readonly adminBodyLimitBytes: number;
  readonly maxFields: number;
  /** Requests that are answered at the same time; further ones are refused. */
  readonly maxRequests: number;
  /** `100/day` or `off` */
  readonly rateLimits: { readonly anonymous: string; readonly user: string };
  /** Origins whose web pages may use the mirrored API; undefined: none. */
  readonly corsOrigins: CorsOrigins | undefined;
  readonly admin: AdminSettings;
  /** One of pino's levels; `silent` for no log. */
  readonly logLevel: string;
  /** Where the log goes; standard output if left out. */
  readonly logTo?: LogStream;
}

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const load = createLoad(options.maxRequests, Math.max(options.bodyLimitBytes, options.adminBodyLimitBytes));
  const metrics = createMetrics(options.database, load.inUse);
  const app = Fastify({
    logger: loggerOptions(options.logLevel, options.logTo),
    logController: new RequestLog(metrics.observe, options.logLevel),
    genReqId: createRequestIds(),
    bodyLimit: options.bodyLimitBytes,
    exposeHeadRoutes: false,
    // A request that came before the end is still answered, or a rolling restart would lose it.
    return503OnClosing: false,
    trustProxy: trustedHops(options.trustProxy),
    ...clientTimeouts,
    // Ajv and the serializers of Fastify take long to load, and nothing here uses them.
    schemaController: { compilersFactory: { buildValidator: loadNone, buildSerializer: loadNone } },
    rewriteUrl: (request) => {
      hideOddContentType(request);
      return escapeBrokenPath(withoutSandbox(toOriginForm(request)));
    },
    clientErrorHandler: answerClientError,
    routerOptions: {
      querystringParser: parseQuery,
      // Longer than any request line that Node takes: a long name is an unknown one and not a long URL.
      maxParamLength: 65_536,
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  app.server.maxConnections = options.maxRequests * connectionsPerRequest;
  await app.register(sensible);
  addEveryMethod(app);
  takeBodiesAsTheyAre(app);

  const { anonymous, corsOrigins, pageSize } = options;
  const origin = { ...options, listeningOn: () => addressOf(app) };
  const documents = serveDocument({
    at: '/api',
    describe: () => describeMirrored(resources, anonymous),
  }).schemaAndPage;
  const mirrored = [...resources, documents].flatMap(({ operations }) => operations);
  const paths = createPathTable(mirrored);
  const sender = createSender(app, { ...origin, paths, renderPage: pageAround({ anonymous, pageSize, paths }) });
  keepTokenHashes(app);
  keepPlaces(app);

  registerDrain(app);
  if (corsOrigins !== undefined) allowOrigins(app, sender, corsOrigins);
  const originOf = (request: IncomingMessage) => findOrigin(request, origin);
  const gate = createGate(options.admin.access, originOf);
  if (anonymous === 'write') {
    const { allowedHosts } = options.admin.access;
    const origins = corsOrigins === '*' ? [] : corsOrigins;
    const access = { mode: 'on', token: undefined, allowedHosts, isLocal: true, origins } as const;
    refuseForeignPages(app, createGate(access, originOf));
  }
  shedLoad(app, load);
  const samples = createSamples(options.database, readPublicSamples);
  const sessions = createSessions(options.database, options.admin.access.token);
  const ofBrowsers = { ...origin, samples, sessions };
  registerVisitors(app, ofBrowsers);
  registerAssets(app);
  registerSessions(app, ofBrowsers);
  registerHome(app, { ...ofBrowsers, gate });
  const limits = createLimits(options.rateLimits);
  registerOwnApi(app, { ...ofBrowsers, sender, gate, metrics, limits });
  const { bodyLimitBytes } = options;
  registerOperations(
    app,
    resources,
    mirroredSurface({ ...origin, services: options, sender, limits, noteAnonymousRead: warnOnce(app) }),
  );
  const ofDocuments = { ...origin, services: undefined, sender, bodyLimitBytes };
  registerOperations(app, [documents], ownSurface({ ...ofDocuments, gate: () => undefined }));
  return app;
}

function loadNone(): never {
  throw new Error('Only paths are validated, by TypeBox, and nothing is serialized by a schema.');
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

// Fastify routes eight methods; the others are answered 405 like any that a path lacks.
function addEveryMethod(app: FastifyInstance): void {
  const known = new Set<string>(app.supportedMethods);
  for (const method of METHODS)
    if (!known.has(method) && method !== 'CONNECT') app.addHttpMethod(method, { hasBody: true });
}

// Handlers decode bodies after they checked the permission (transcript order__body), so here bodies stay bytes of
// whatever type.
function takeBodiesAsTheyAre(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function addressOf(app: FastifyInstance): string {
  const address = app.server.address();
  return address === null || typeof address === 'string' ? 'localhost' : hostAndPort(address.address, address.port);
}
