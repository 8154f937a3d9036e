// How the control API handles a request: checks access and the body's type, then calls the
// handler. Most answers are indented JSON.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, type Call, noContent } from './call.ts';
import type { Surface } from './dispatch.ts';
import type { Operation } from './operation.ts';
import type { Sender } from './send.ts';

export function controlSurface<S>(
  services: S,
  sender: Sender,
  gate: { readonly admit: (request: FastifyRequest) => void },
  bodyLimit?: number,
): Surface<Operation<S>> {
  const isOpen = (operation?: Operation<S>) => operation?.access === 'open';

  return {
    bodyLimit,
    enter: (operation) => {
      const admit = async (request: FastifyRequest) => {
        gate.admit(request);
        if (operation !== undefined) request.server.assert(hasOwnType(request), 415);
      };
      return isOpen(operation) ? [] : [admit];
    },
    async answer(request, reply, handler, operation) {
      const { context } = request;
      // Health checks may send any Host.
      if (!isOpen(operation)) context.checkHost();
      const answered = await handler(context as Call<never, never>, services);
      const { content, ...head } = answered;
      if (!(content instanceof Readable)) sender.send(reply, answered);
      else await sendStream(reply, content, (some) => sender.send(reply, { ...head, ...some }));
    },
    describe: () => async () => noContent,
  };
}

/**
 * Sends a stream, and resolves at the answer's end: if a handler resolved before the first piece,
 * Fastify would send an empty body.
 */
export async function sendStream(reply: FastifyReply, content: Readable, send: (sent: { content?: Readable }) => void) {
  const { request, raw } = reply;
  if (request.method === 'HEAD') {
    content.destroy();
    return send({});
  }
  // In HTTP/1.0, which many proxies speak, the connection's end ends the body: a broken stream must reset
  // the connection.
  content.once('error', () => {
    if (raw.headersSent) request.raw.socket.resetAndDestroy();
  });
  send({ content });
  await reply;
}

/** The types of bodies. Forms on web pages can't send them. */
const ownTypes = ['application/json', 'application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

function hasOwnType(request: FastifyRequest) {
  const { 'content-type': type, 'content-length': length } = request.headers;
  return (type === undefined && length === '0') || request.is(ownTypes) !== false;
}

export const shown = (value: unknown, status = 200): Answer => ({
  status,
  json: `${JSON.stringify(value, null, 2)}\n`,
});
