// What a client sees of a fault: an answer that was made up, or a connection that ends.
import type { FastifyReply } from 'fastify';
import type { FaultRule } from './fault-rules.ts';

/** The status and body that the rule says; a body that is no text is JSON. */
export function sendFault(reply: FastifyReply, { status = 500, body, headers }: FaultRule): void {
  const isText = typeof body === 'string';
  reply.code(status);
  if (body !== undefined) reply.header('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json');
  reply.headers(headers);
  // As bytes, so that the type stays as it is.
  reply.send(body === undefined ? null : Buffer.from(isText ? body : JSON.stringify(body)));
}

/** No answer: the connection is closed. */
export function dropConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

/** Status, headers and half of the body; then the connection breaks. */
export function cutAnswer(reply: FastifyReply, payload: unknown): void {
  const body = Buffer.isBuffer(payload) || typeof payload === 'string' ? Buffer.from(payload) : Buffer.alloc(0);
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(reply.statusCode, { 'content-length': Math.max(body.length, 2) });
  // Even an answer without a body promises some, or there would be nothing to cut.
  raw.write(body.length === 0 ? ' ' : body.subarray(0, Math.floor(body.length / 2)), () => raw.destroy());
}
