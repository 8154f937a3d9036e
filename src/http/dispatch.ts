// From declared operations to Fastify's routes: for every path its methods, OPTIONS, and 405 for all others.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Call } from './call.ts';
import { type Access, allowHeader, type Operation, type Resource } from './operation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The value of Allow on the route's answers. */
    readonly allow?: string;
  }
}

type Handler = (call: Call<never, never>) => Promise<Answer>;

/** What the mirrored API and our own do differently with a request. */
export interface Surface<S> {
  readonly services: S;
  readonly bodyLimit: number;
  /**
   * Before the body is read; throws for a request that may go no further. `access` is undefined for a method that the
   * path doesn't have.
   */
  readonly enter?: (request: FastifyRequest, access: Access | undefined) => void;
  /** Calls the handler and sends its answer, or the error that was thrown. */
  readonly answer: (request: FastifyRequest, reply: FastifyReply, handler: Handler, access?: Access) => Promise<void>;
  readonly describe: (call: Call, operations: readonly Operation<S>[]) => Promise<Answer>;
  /** The methods that get 405 where a path doesn't have them; any other is 404. Default: every one. */
  readonly methods?: readonly string[];
  readonly refuseMethod: (call: Call) => Promise<never>;
}

export function registerOperations<S>(
  app: FastifyInstance,
  resources: readonly Resource<S>[],
  surface: Surface<S>,
): void {
  const operations = resources.flatMap((resource) => resource.operations);
  for (const [url, ofPath] of Map.groupBy(operations, (operation) => operation.url)) registerPath(url, ofPath);

  function registerPath(url: string, ofPath: readonly Operation<S>[]): void {
    const config = { allow: allowHeader(ofPath.map(({ method }) => method)) };
    const { params } = ofPath[0]?.schema ?? {};
    const add = (method: string | string[], handler: Handler, access?: Access) =>
      app.route({
        method,
        // Below the app's prefix: a final slash of the declared url counts.
        url: url.slice(app.prefix.length),
        prefixTrailingSlash: 'slash',
        config,
        schema: { ...(params && { params }) },
        bodyLimit: surface.bodyLimit,
        ...(surface.enter && { onRequest: async (request) => surface.enter?.(request, access) }),
        handler: (request, reply) => surface.answer(request, reply, handler, access),
      });
    for (const { method, config: declared, handler } of ofPath)
      add(method === 'GET' ? ['GET', 'HEAD'] : method, (call) => handler(call, surface.services), declared.access);
    add('OPTIONS', (call) => surface.describe(call, ofPath));
    const served = new Set(config.allow.split(', '));
    add(
      (surface.methods ?? app.supportedMethods).filter((method) => !served.has(method)),
      surface.refuseMethod,
    );
  }
}
