// The Fastify app: composes everything, listens to nothing. The process and the tests use the same options.
import { METHODS } from 'node:http';
import sensible from '@fastify/sensible';
import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyInstance } from 'fastify';
import { createGate } from './access/gate.ts';
import { type AdminSettings, registerOwnApi } from './own-api.ts';
import { describeOwn } from './openapi/own-document.ts';
import { registerHealth } from './monitoring/health.ts';
import { createMetrics, registerMetrics } from './monitoring/metrics.ts';
import type { AnonymousAccess } from './access/permissions.ts';
import type { SampleUser } from './pages/home.ts';
import type { Database } from './database/database.ts';
import { toOriginForm } from './edge/absolute-form.ts';
import { hostAndPort, trustedHops } from './api/base-url.ts';
import { answerClientError } from './edge/client-error.ts';
import { escapeBrokenPath } from './edge/broken-path.ts';
import { shareConnections } from './edge/connections.ts';
import { type Limits, registerResources } from './api/dispatch.ts';
import { registerDrain } from './edge/drain.ts';
import { refuseForeignPages } from './edge/foreign-pages.ts';
import { registerHome } from './resources/root/home-route.ts';
import { plainJson } from './api/wire/negotiate.ts';
import { pathTable } from './api/paths.ts';
import { clientPatience, connectionsPerRequest } from './edge/timeouts.ts';
import { loadLimits, shedLoad } from './edge/overload.ts';
import { parseQuery } from './api/wire/query-string.ts';
import { createRateLimiter, readRateLimit } from './api/rate-limit.ts';
import { createReplier } from './api/send.ts';
import { createRequestIds } from './edge/request-id.ts';
import { RequestLog } from './edge/request-log.ts';
import { withoutSandbox } from './access/which-sandbox.ts';
import { loggerOptions, type LogStream } from './edge/log.ts';
import { describeMirrored } from './openapi/mirrored.ts';
import { documentPaths, registerDocument } from './openapi/serve-document.ts';
import { groups } from './resources/groups/routes.ts';
import { notifications } from './resources/notifications/routes.ts';
import { root } from './resources/root/routes.ts';
import { targets } from './resources/targets/routes.ts';
import { users } from './resources/users/routes.ts';

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
  readonly admin: AdminSettings;
  /** Users with public tokens, shown on the page at `/`. */
  readonly samples: readonly SampleUser[];
  /** One of pino's levels; `silent` for no log. */
  readonly logLevel: string;
  /** Where the log goes; standard output if left out. */
  readonly logTo?: LogStream;
}

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const metrics = createMetrics(options.database);
  const app = Fastify({
    logger: loggerOptions(options.logLevel, options.logTo),
    logController: new RequestLog(metrics.observe, options.logLevel),
    genReqId: createRequestIds(),
    bodyLimit: options.bodyLimitBytes,
    exposeHeadRoutes: false,
    // A request that came before the end is still answered, or a rolling restart would lose it.
    return503OnClosing: false,
    trustProxy: trustedHops(options.trustProxy),
    ...clientPatience,
    rewriteUrl: (request) => escapeBrokenPath(withoutSandbox(toOriginForm(request))),
    clientErrorHandler: answerClientError,
    routerOptions: {
      querystringParser: parseQuery,
      // Longer than any request line that Node takes: a long name is an unknown one and not a long URL.
      maxParamLength: 65_536,
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  const maxConnections = options.maxRequests * connectionsPerRequest;
  app.server.maxConnections = maxConnections;
  if (options.trustProxy === 0) shareConnections(app.server, maxConnections);
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  await app.register(sensible);
  addEveryMethod(app);
  takeBodiesAsTheyAre(app);

  const { database, anonymous, pageSize, maxFields } = options;
  const services = { database, anonymous, pageSize, maxFields };
  const served = [users(services), notifications(services), groups(services), targets(services)];
  const resources = [root(services, served), ...served];
  const paths = pathTable([
    ...resources.flatMap((resource) =>
      Object.entries(resource.paths).map(([pattern, description]) => ({ pattern, description })),
    ),
    ...documentPaths('/api'),
  ]);
  const replier = createReplier(app, { ...options, paths, listeningOn: () => addressOf(app) });

  // What doesn't fit a path's schema is a path that isn't served.
  app.setErrorHandler((error, request, reply) => {
    const isPath = (error as { validationContext?: string }).validationContext === 'params';
    if (isPath) replier.sendUnknownPath(request, reply);
    else replier.sendError(request, reply, plainJson, error);
  });
  app.setNotFoundHandler((request, reply) => replier.sendUnknownPath(request, reply));
  registerDrain(app);
  const gate = createGate(options.admin.access);
  if (anonymous === 'write') {
    const { allowedHosts } = options.admin.access;
    const ofPages = createGate({ mode: 'on', token: undefined, allowedHosts, isLocal: true });
    refuseForeignPages(app, replier, ofPages);
  }
  shedLoad(
    app,
    replier,
    loadLimits(options.maxRequests, Math.max(options.bodyLimitBytes, options.adminBodyLimitBytes)),
  );
  const limits = createLimits(options.rateLimits);
  const dispatch = { services, replier, limits, noteAnonymousRead: sayOnce(app) };
  registerHome(app, { ...options, listeningOn: () => addressOf(app) });
  registerOwnApi(app, { ...options, replier, listeningOn: () => addressOf(app) });
  registerHealth(app, database);
  registerMetrics(app, metrics, gate);
  const mirrored = {
    at: '/api',
    document: describeMirrored(resources, anonymous),
    replier,
    samples: options.samples,
  };
  registerResources(app, resources, dispatch);
  registerDocument(app, mirrored);
  registerDocument(app, {
    at: '/_understudy',
    document: describeOwn(),
    replier,
    gate,
    samples: [],
  });
  return app;
}

// Whoever tests a client should know where the stand-in is kinder than the original.
function sayOnce(app: FastifyInstance): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid)
      app.log.info(
        'answered a request without a token; the real system says 404 there, and so does UNDERSTUDY_ANONYMOUS=strict',
      );
    isSaid = true;
  };
}

function createLimits({ anonymous, user }: AppOptions['rateLimits']): Limits {
  const limiter = (text: string) => {
    const limit = readRateLimit(text);
    return limit && createRateLimiter(limit);
  };
  return { anonymous: limiter(anonymous), user: limiter(user) };
}

// Fastify routes eight methods; the others are answered 405 like any that a path lacks.
function addEveryMethod(app: FastifyInstance): void {
  const known = new Set<string>(app.supportedMethods);
  for (const method of METHODS)
    if (!known.has(method) && method !== 'CONNECT') app.addHttpMethod(method, { hasBody: true });
}

// Bodies are read after the permission is known (transcript order__body), so here they stay bytes of whatever type.
function takeBodiesAsTheyAre(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function addressOf(app: FastifyInstance): string {
  const address = app.server.address();
  return address === null || typeof address === 'string' ? 'localhost' : hostAndPort(address.address, address.port);
}
