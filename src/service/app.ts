// The Fastify app: what all requests meet, and a plugin for each prefix. It doesn't listen by itself.
import { METHODS } from '../base/http-names.ts';
import sensible from '@fastify/sensible';
import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyInstance } from 'fastify';
import { createMetrics } from './monitoring/metrics.ts';
import { escapeBrokenPath, toOriginForm } from '../http/edge/repair-url.ts';
import { answerClientError } from '../http/send.ts';
import { keepContexts } from '../http/call.ts';
import { registerDrain } from '../http/edge/drain.ts';
import { createLoad } from '../http/edge/overload.ts';
import { parseQuery } from '../http/wire/query-string.ts';
import { withoutSandbox } from '../access/which-sandbox.ts';
import { loggerOptions, RequestLog, requestIdOf } from '../http/edge/log.ts';
import { startExpiry } from '../sandboxes/expiry.ts';
import { registerWeblateApi, registerOpenPages, registerControlApi, registerProbes } from './plugins.ts';
import { createParts } from './app-parts.ts';
import type { AppOptions } from './config/config.ts';

// A client that is too slow loses its connection. It gets 408 if an answer can still be sent.
const clientTimeouts = {
  // The time for the whole request, with its body.
  requestTimeout: 60_000,
  // Common balancers keep an idle connection for less time, and so close it first.
  keepAliveTimeout: 75_000,
  // The time without a byte in either direction: the client has stopped reading its answer.
  connectionTimeout: 150_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 1000 },
};

// The memory for all bodies that are on their way, unless two of the longest bodies need more.
const maxBodyBytes = 67_108_864;

// Most connections of a client's pool are idle.
const connectionsPerRequest = 8;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { database, trustProxy } = options;
  const load = createLoad(options.maxRequests, Math.max(maxBodyBytes, 2 * options.adminBodyLimitBytes));
  const metrics = createMetrics(database, load.inUse, () => options.logTo?.lost?.() ?? 0);
  const app = Fastify({
    logger: loggerOptions(options.logLevel, options.logTo),
    logController: new RequestLog(metrics.observe),
    genReqId: requestIdOf,
    // The control API and the probes have other limits.
    bodyLimit: 65_536,
    exposeHeadRoutes: false,
    // A rolling restart must not lose a request that came before the end.
    return503OnClosing: false,
    // With a number, Fastify 5.12 trusts no address at all.
    trustProxy: trustProxy > 0 && ((_address, hop) => hop < trustProxy),
    ...clientTimeouts,
    // Ajv and Fastify's serializers take long to load, and nothing here uses them.
    schemaController: { compilersFactory: { buildValidator: loadNone, buildSerializer: loadNone } },
    rewriteUrl: (request) => escapeBrokenPath(withoutSandbox(toOriginForm(request))),
    clientErrorHandler: answerClientError,
    routerOptions: {
      querystringParser: parseQuery,
      // No request line is this long. So a long name in a path gets 404, not 414.
      maxParamLength: 65_536,
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  app.server.maxConnections = options.maxRequests * connectionsPerRequest;
  await app.register(sensible);
  // Fastify knows nine methods. The others get 405, like any that a path lacks.
  for (const method of METHODS)
    if (!['CONNECT', ...app.supportedMethods].includes(method)) app.addHttpMethod(method, { hasBody: true });
  // Bodies stay bytes here. Handlers check the permission first (transcript order__body).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  keepContexts(app, options);
  registerDrain(app);

  const parts = createParts(app, options, load, metrics);
  app.setErrorHandler(parts.sender.handleErrors());
  app.addHook('onClose', startExpiry(parts.services.expiry, app.log));
  app.addHook('onClose', () => metrics.close());
  await app.register(async (weblate) => registerWeblateApi(weblate, parts), { prefix: '/api/' });
  await app.register((control) => registerControlApi(control, parts), { prefix: '/_understudy' });
  await app.register(async (probes) => registerProbes(probes, parts));
  await app.register((pages) => registerOpenPages(pages, parts));
  return app;
}

function loadNone(): never {
  throw new Error('Only paths are validated, by TypeBox, and nothing is serialized by a schema.');
}
