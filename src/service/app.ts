// The Fastify app: what all requests meet, and a plugin for each prefix. Listens to nothing.
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

// A client that is too slow gets 408 if an answer can still be sent, and loses its connection.
const clientTimeouts = {
  // For the whole request, its body included.
  requestTimeout: 60_000,
  // Longer than common balancers keep an idle connection, so that the balancer closes it first.
  keepAliveTimeout: 75_000,
  // Without a byte in either direction: the client has stopped reading its answer.
  connectionTimeout: 150_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 1000 },
};

// For every request except those to the control API.
const bodyLimitBytes = 65_536;

// For all bodies on their way together, unless the longest ones need more.
const maxBodyBytes = 67_108_864;

// The connections of a client's pool are mostly idle.
const connectionsPerRequest = 8;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { database, trustProxy } = options;
  const load = createLoad(options.maxRequests, Math.max(maxBodyBytes, 2 * options.adminBodyLimitBytes));
  const metrics = createMetrics(database, load.inUse, () => options.logTo?.lost?.() ?? 0);
  const app = Fastify({
    logger: loggerOptions(options.logLevel, options.logTo),
    logController: new RequestLog(metrics.observe),
    genReqId: requestIdOf,
    bodyLimit: bodyLimitBytes,
    exposeHeadRoutes: false,
    // A request that came before the end is still answered, or a rolling restart would lose it.
    return503OnClosing: false,
    // With a number, Fastify 5.12 trusts no address at all.
    trustProxy: trustProxy > 0 && ((_address, hop) => hop < trustProxy),
    ...clientTimeouts,
    // Ajv and the serializers of Fastify take long to load, and nothing here uses them.
    schemaController: { compilersFactory: { buildValidator: loadNone, buildSerializer: loadNone } },
    rewriteUrl: (request) => escapeBrokenPath(withoutSandbox(toOriginForm(request))),
    clientErrorHandler: answerClientError,
    routerOptions: {
      querystringParser: parseQuery,
      // Longer than any request line that Node takes: a long name is then unknown, and not a URL that is too long.
      maxParamLength: 65_536,
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  app.server.maxConnections = options.maxRequests * connectionsPerRequest;
  await app.register(sensible);
  // Fastify routes eight methods; the others are answered 405 like any that a path doesn't have.
  for (const method of METHODS)
    if (!['CONNECT', ...app.supportedMethods].includes(method)) app.addHttpMethod(method, { hasBody: true });
  // Handlers decode bodies after they checked the permission (transcript order__body): here they stay bytes.
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
