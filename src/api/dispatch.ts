// From a resource's table of routes to Fastify: for every path its methods, OPTIONS, and 405 for all others, in the recorded order
// of checks (transcripts order__*).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admitted, type UserAccess } from '../access/permissions.ts';
import { readCredentials } from '../access/credentials.ts';
import { findCaller } from '../access/queries.ts';
import { type Answer, askedOf, type Call, ok, type Services } from './call.ts';
import { apiError } from '../errors.ts';
import { negotiate, plainJson } from './wire/negotiate.ts';
import { describePath } from './options.ts';
import { rememberUsers, type TakeOne } from './rate-limit.ts';
import type { Replier } from './send.ts';
import { allowHeader, type Method, type PathDescription, type Resource, type Route } from './route.ts';

type Handler = (call: Call<never, never>) => Promise<Answer>;

/** Undefined where there is no limit. */
export interface Limits {
  readonly anonymous: TakeOne | undefined;
  readonly user: TakeOne | undefined;
}

export interface DispatchOptions {
  readonly services: Services;
  readonly replier: Replier;
  readonly limits: Limits;
  /** Told of every answer about a user that the real system gives to nobody without a token. */
  readonly noteAnonymousRead: () => void;
}

/** Registers the resources' paths in `app`. */
export function registerResources(
  app: FastifyInstance,
  resources: readonly Resource[],
  options: DispatchOptions,
): void {
  const { services } = options;
  const userOf = rememberUsers(async (call) => (await checkCaller(call, services)).principal_id);
  for (const resource of resources)
    for (const [path, routes] of Map.groupBy(resource.routes, (route) => route.path))
      registerPath(app, path, routes, resource.paths[path] as PathDescription, { ...options, userOf });
}

interface PathOptions extends DispatchOptions {
  /** Whose count a request with a token is of. */
  readonly userOf: (call: Call) => Promise<string>;
}

function registerPath(
  app: FastifyInstance,
  path: string,
  routes: readonly Route[],
  description: PathDescription,
  options: PathOptions,
): void {
  const { services } = options;
  const methods: readonly Method[] = routes.map((route) => route.method);
  const config = { allow: allowHeader(methods) };
  const schema = routes[0]?.schema ?? {};
  const add = (method: string | string[], handler: Handler, of = schema, url = path) =>
    app.route({
      method,
      url,
      config,
      schema: of,
      handler: (request, reply) => answer(request, reply, handler, options),
    });
  for (const route of routes) {
    const names = route.method === 'GET' ? ['GET', 'HEAD'] : route.method;
    add(names, route.handler, route.schema);
  }
  add('OPTIONS', async (call) => {
    const caller = await checkCaller(call, services);
    const fields = call.credentials === null ? undefined : description.fields?.(caller);
    return ok(JSON.stringify(describePath({ ...description, methods }, fields)));
  });
  const taken = new Set<string>([...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])]);
  const others = app.supportedMethods.filter((method) => !taken.has(method));
  add(others, (call) => refuseMethod(call, services));
  if (description.takesFormatSuffix === true)
    add(app.supportedMethods, refuseSuffix, schema, path.replace(/\/$/, '.:suffix'));
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  handler: Handler,
  { services, replier, limits, noteAnonymousRead, userOf }: PathOptions,
): Promise<void> {
  let negotiated = plainJson;
  let limitHeaders = noHeaders;
  try {
    negotiated = negotiate((request.query as { format?: string }).format, request.headers.accept);
    const call = replier.call(request, readCredentials(request.headers.authorization));
    const limit = call.credentials === null ? limits.anonymous : limits.user;
    if (limit !== undefined) limitHeaders = limit(call.credentials === null ? request.ip : await userOf(call));
    const answered = await handler(call as Call<never, never>);
    if (call.credentials === null && services.anonymous === 'read' && call.path.startsWith('/api/users/'))
      noteAnonymousRead();
    replier.send(request, reply, negotiated, withHeaders(answered, limitHeaders));
  } catch (error) {
    replier.sendError(request, reply, negotiated, error, limitHeaders);
  }
}

const noHeaders: Readonly<Record<string, string>> = {};

const withHeaders = (answered: Answer, headers: Readonly<Record<string, string>>): Answer =>
  headers === noHeaders ? answered : { ...answered, headers: { ...answered.headers, ...headers } };

/** Throws where the token is no good or the sandbox doesn't exist, before anything else of the request counts. */
async function checkCaller(call: Call, services: Services): Promise<UserAccess> {
  return admitted(await findCaller(services.database.reads, { ...askedOf(call), open: false }), call.sandbox);
}

const refuseSuffix = async (): Promise<never> => {
  throw apiError('not_found');
};

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

// Who has no token is told so first, where the method would write (transcript order__method).
async function refuseMethod(call: Call, services: Services): Promise<never> {
  await checkCaller(call, services);
  if (call.credentials === null && !safeMethods.has(call.method) && services.anonymous !== 'write')
    throw apiError('not_authenticated');
  throw apiError('method_not_allowed', call.method);
}
