// Makes Fastify's routes from operations: for each path its methods, OPTIONS, and 405 for other methods.
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Operation } from './operation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's header Allow. */
    readonly allow?: string;
  }
}

/** A route's declaration: an API's operation, or a page of the console. */
type Declared = Pick<Operation<never>, 'method' | 'url' | 'params'> & {
  readonly handler: (...given: never[]) => Promise<unknown>;
};

/** What the Weblate API, the control API and the console do differently. */
export interface Surface<Op extends Declared> {
  /** The largest body, in bytes; by default the app's limit. */
  readonly bodyLimit?: number | undefined;
  /** Hooks that may refuse a request before its body is read. OPTIONS and a 405 have no operation. */
  readonly enter?: (operation: Op | undefined) => onRequestHookHandler[];
  readonly answer: (request: FastifyRequest, reply: FastifyReply, handler: Op['handler'], of?: Op) => Promise<void>;
  /** The handler of OPTIONS. */
  readonly describe: (operations: readonly Op[]) => Op['handler'];
  /** Refuses the methods that a path lacks. By default, only usual methods get 405; others get 404. */
  readonly refuseMethod?: Op['handler'];
}

// In Weblate's order.
export const usualMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function registerOperations<Op extends Declared>(
  app: FastifyInstance,
  operations: readonly NoInfer<Op>[],
  { bodyLimit, enter, answer, describe, refuseMethod }: Surface<Op>,
) {
  const refuse = () => Promise.reject(app.httpErrors.methodNotAllowed());
  for (const [url, ofPath] of Map.groupBy(operations, (operation) => operation.url)) {
    const declared: ReadonlySet<string> = new Set(ofPath.map(({ method }) => method));
    const served = usualMethods.filter((each) => each === 'OPTIONS' || declared.has(each === 'HEAD' ? 'GET' : each));
    const allow = served.join(', ');
    const params = ofPath[0]?.params;
    const add = (method: string | string[], handler: Op['handler'], operation?: Op) =>
      app.route({
        method,
        // Relative to the app's prefix.
        url: url.slice(app.prefix.length),
        prefixTrailingSlash: 'slash',
        config: { allow },
        schema: { ...(params && { params }) },
        ...(bodyLimit !== undefined && { bodyLimit }),
        onRequest: enter?.(operation) ?? [],
        handler: (request, reply) => answer(request, reply, handler, operation),
      });
    for (const one of ofPath) add(one.method === 'GET' ? ['GET', 'HEAD'] : one.method, one.handler, one);
    add('OPTIONS', describe(ofPath));
    const known = refuseMethod === undefined ? usualMethods : app.supportedMethods;
    const others = known.filter((method) => !served.includes(method));
    add(others, refuseMethod ?? refuse);
  }
}
