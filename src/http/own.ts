// Our own API as it meets requests: the gate and the body's type before the body is read, then the handler, JSON with
// indentation.
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, type Call, callOf, noContent } from './call.ts';
import { whenClosed } from './connection.ts';
import type { Handler, Surface } from './dispatch.ts';
import type { Access } from './operation.ts';
import type { Sender } from './send.ts';
import type { StatusErrors } from './status-error.ts';
import { plainJson } from './wire/negotiate.ts';

/** What clients of our own API are told beside a status. */
export const ownErrors: StatusErrors = { 413: 'upload_too_large', 415: 'unsupported_admin_type' };

export interface OwnOptions<S> {
  readonly services: S;
  readonly bodyLimitBytes: number;
  readonly sender: Sender;
  /** Throws 403 for a request that may not use `/_understudy/`. */
  readonly gate: (request: FastifyRequest) => void;
}

/** Its refusals name a status, for which the error handler of the prefix has the words. */
export function ownSurface<S>(app: FastifyInstance, options: OwnOptions<S>): Surface<S> {
  const { services, bodyLimitBytes: bodyLimit, sender, gate } = options;

  async function respond(request: FastifyRequest, reply: FastifyReply, handler: Handler, access?: Access) {
    const { context } = request;
    // Health checks may send any Host.
    const origin = access === 'open' ? '' : context.origin;
    const call = { ...callOf(request, null, origin), idle: () => becomeIdle(reply), visitor: context.visitor };
    const answered = await handler(call as Call<never, never>);
    const { content, ...head } = answered;
    if (!(content instanceof Readable)) sender.send(request, reply, plainJson, answered);
    else await sendStream(reply, content, (some) => sender.send(request, reply, plainJson, { ...head, ...some }));
  }

  return {
    services,
    bodyLimit,
    enter(request, access) {
      if (access === 'open') return;
      gate(request);
      if (access !== undefined) app.assert(hasOwnType(request), 415);
    },
    answer: respond,
    methods: usualMethods,
    describe: async () => noContent,
    refuseMethod: async () => {
      throw app.httpErrors.methodNotAllowed();
    },
  };
}

/**
 * Sends a stream, and resolves at its end, whether it succeeds or not: Fastify sends an empty body when a handler resolves
 * before the first piece is sent.
 * @param send gets no content for HEAD
 */
export async function sendStream(
  { request, raw }: FastifyReply,
  content: Readable,
  send: (sent: { content?: Readable }) => void,
): Promise<void> {
  if (request.method === 'HEAD') {
    content.destroy();
    return send({});
  }
  // A client that speaks HTTP/1.0, as many proxies do, takes the end of the connection for the end of the text. It has
  // to fail instead.
  content.once('error', () => {
    if (raw.headersSent) request.raw.socket.resetAndDestroy();
  });
  const end = finished(content).catch(() => undefined);
  send({ content });
  await end;
}

/** Each route of a method stays in memory: our own paths know those that clients use. */
export const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The types of bodies; a form on a web page can send none of them. */
const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

/** Gives the request's slot back while it waits. The signal aborts when the client disconnects. */
export function becomeIdle(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  whenClosed(reply, () => left.abort());
  reply.request.context.slot?.giveBack();
  return left.signal;
}

function hasOwnType(request: FastifyRequest): boolean {
  const { 'content-type': type, 'content-length': length } = request.headers;
  const isEmpty = type === undefined && length === '0';
  return isEmpty || request.is(['application/json', ...yamlTypes]) !== false;
}

/** A JSON answer, indented for people. */
export const shown = (value: unknown, status = 200): Answer => ({
  status,
  json: `${JSON.stringify(value, null, 2)}\n`,
});
