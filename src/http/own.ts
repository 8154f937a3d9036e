// Our own API as it meets requests: the gate and the body's type before the body is read, then the handler, JSON with
// indentation.
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '../base/errors.ts';
import { type BaseUrlOptions, findOrigin } from './base-url.ts';
import { type Answer, type Call, callOf, noContent } from './call.ts';
import { whenClosed } from './connection.ts';
import { contentTypeOf } from './content-type.ts';
import type { Handler, Surface } from './dispatch.ts';
import type { Access } from './operation.ts';
import type { Sender } from './send.ts';
import { plainJson } from './wire/negotiate.ts';

export interface OwnOptions<S> extends BaseUrlOptions {
  readonly services: S;
  readonly bodyLimitBytes: number;
  readonly sender: Sender;
  /** Throws 403 for a request that may not use `/_understudy/`. */
  readonly gate: (request: FastifyRequest) => void;
}

export function ownSurface<S>(options: OwnOptions<S>): Surface<S> {
  const { services, bodyLimitBytes: bodyLimit, sender, gate } = options;

  async function respond(request: FastifyRequest, reply: FastifyReply, handler: Handler, access?: Access) {
    // Health checks may send any Host.
    const origin = access === 'open' ? '' : findOrigin(request.raw, options);
    const call = {
      ...callOf(request, null, origin),
      idle: () => becomeIdle(reply),
      visitor: request.visitor,
    };
    const answered = await handler(call as Call<never, never>);
    if (answered.content instanceof Readable) await sendStream(request, reply, answered, answered.content);
    else sender.send(request, reply, plainJson, answered);
  }

  async function sendStream(request: FastifyRequest, reply: FastifyReply, answered: Answer, stream: Readable) {
    if (request.method === 'HEAD') {
      stream.destroy();
      const { content: _content, ...head } = answered;
      sender.send(request, reply, plainJson, head);
      return;
    }
    const end = untilSent(request, reply, stream);
    sender.send(request, reply, plainJson, answered);
    await end;
  }

  return {
    services,
    bodyLimit,
    enter(request, access) {
      if (access === 'open') return;
      gate(request);
      if (access !== undefined) checkType(request);
    },
    answer: respond,
    methods: usualMethods,
    describe: async () => noContent,
    refuseMethod: async (call) => {
      throw apiError('method_not_allowed', call.method);
    },
  };
}

/**
 * Resolves at the end of a stream that is about to be sent, whether it succeeds or not. Fastify sends an empty body when
 * a handler resolves before the first piece is sent.
 */
export function untilSent(request: FastifyRequest, reply: FastifyReply, stream: Readable): Promise<void> {
  // A client that speaks HTTP/1.0, as many proxies do, takes the end of the connection for the end of the text. It has
  // to fail instead.
  stream.once('error', () => {
    if (reply.raw.headersSent) request.raw.socket.resetAndDestroy();
  });
  return finished(stream).catch(() => undefined);
}

/** Each route of a method stays in memory: our own paths know those that clients use. */
export const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The types of bodies; a form on a web page can send none of them. */
const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

/** Gives the request's slot back while it waits. The signal aborts when the client disconnects. */
export function becomeIdle(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  whenClosed(reply, () => left.abort());
  reply.request.slot?.giveBack();
  return left.signal;
}

function checkType(request: FastifyRequest): void {
  const { 'content-type': type, 'content-length': length } = request.headers;
  const isEmpty = type === undefined && length === '0';
  if (!isEmpty && request.is(['application/json', ...yamlTypes]) === false)
    throw apiError('unsupported_admin_type', contentTypeOf(request.raw) ?? '');
}

/** A JSON answer, indented for people. */
export const shown = (value: unknown, status = 200): Answer => ({
  status,
  json: `${JSON.stringify(value, null, 2)}\n`,
});
