// From tables of routes of our own API to Fastify: the gate, the body's type, errors in the documented form, 405 for other methods.
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BaseUrlOptions, findOrigin } from './base-url.ts';
import { apiError } from '../errors.ts';
import { plainJson } from './wire/negotiate.ts';
import type { Replier } from './send.ts';
import { type AdminBody, checkType, readBody } from './body/own-body.ts';

export interface AdminCall {
  /** The path's parts. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string | undefined;
  readonly body: AdminBody;
  /** `http://host:port`, as the request came. */
  readonly origin: string;
}

/** An answer as JSON; as a stream, whose type the headers say; empty without both. */
export interface AdminAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly stream?: Readable;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One line of a table. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Under `/_understudy`. */
  readonly path: string;
  readonly handler: (call: AdminCall) => Promise<AdminAnswer>;
}

export interface AdminOptions extends BaseUrlOptions {
  readonly gate: (request: FastifyRequest) => void;
  readonly replier: Replier;
  readonly adminBodyLimitBytes: number;
}

/** The sandbox that the path names. Throws 404 for what no sandbox is called. */
export function nameOf(call: AdminCall): string {
  const { name = '' } = call.params;
  if (!/^[a-z0-9-]{1,63}$/.test(name)) throw apiError('sandbox_not_found', name.slice(0, 63));
  return name;
}

// As the mirrored API has it: a name is literal, so a path with an escape up to its end names no sandbox.
function checkLiteral({ originalUrl }: FastifyRequest): void {
  const name = /^(?:[^/?#]*\/){3}([^/?#]*)/.exec(originalUrl);
  if (name?.[0].includes('%') === true) throw apiError('sandbox_not_found', name[1]?.slice(0, 63));
}

export const ok = (json: unknown): AdminAnswer => ({ status: 200, json });
export const nothing: AdminAnswer = { status: 204 };

export function registerAdmin(app: FastifyInstance, routes: readonly AdminRoute[], options: AdminOptions): void {
  const { gate, replier, adminBodyLimitBytes: bodyLimit } = options;
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown) =>
    replier.sendError(request, reply, plainJson, error);

  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const url = `/_understudy${path}`;
    const allow = ofPath.map((route) => route.method).join(', ');
    // Before the body is read.
    const enter = async (request: FastifyRequest) => {
      gate(request);
      checkLiteral(request);
    };
    const onRequest = async (request: FastifyRequest) => {
      await enter(request);
      checkType(request);
    };
    const config = { allow };
    for (const { method, handler } of ofPath)
      app.route({
        method,
        url,
        config,
        bodyLimit,
        onRequest,
        handler: async (request, reply) => {
          try {
            await answer(request, reply, handler);
          } catch (error) {
            refuse(request, reply, error);
          }
          return reply;
        },
      });
    const others = app.supportedMethods.filter((method) => !ofPath.some((route) => route.method === method));
    app.route({
      method: others,
      url,
      config,
      onRequest: enter,
      handler: (request, reply) => refuse(request, reply, apiError('method_not_allowed', request.method)),
    });
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, handler: AdminRoute['handler']): Promise<void> {
    const { status, json, stream, headers } = await handler({
      params: request.params as Record<string, string>,
      query: request.query as Record<string, string>,
      accept: request.headers.accept,
      body: readBody(request),
      origin: findOrigin(request.raw, options),
    });
    if (stream === undefined) {
      const indented = json === undefined ? null : `${JSON.stringify(json, null, 2)}\n`;
      replier.send(request, reply, plainJson, { status, json: indented, ...(headers && { headers }) });
      return;
    }
    // A reader that speaks HTTP/1.0, as many a proxy does, takes the end of the connection for that of the text. It has to fail instead.
    stream.once('error', () => {
      if (reply.raw.headersSent) request.raw.socket.resetAndDestroy();
    });
    reply
      .code(status)
      .headers(headers ?? {})
      .send(stream);
  }
}
