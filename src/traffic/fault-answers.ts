// What a client gets from a fault: a delay, a made-up answer, or a connection that breaks.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenClosed } from '../http/connection.ts';
import type { Sender } from '../http/send.ts';
import { errorOfStatus } from '../http/status-error.ts';
import type { Strike } from './faults.ts';
import { createHolds } from './journal/waits.ts';

/** Delayed requests. Each counts until its response is closed. */
export const maxDelayed = { ofSandbox: 250, inAll: 1000 };

export function createDelay() {
  const hold = createHolds(maxDelayed, 'requests are delayed');

  /** Resolves to false if the client disconnects. Throws 503 if too many requests are delayed. */
  return async (reply: FastifyReply, sandbox: string, ms: number): Promise<boolean> => {
    whenClosed(reply, hold(sandbox));
    const signal = reply.request.context.becomeIdle();
    // Unreferenced: a delay must not keep a process alive.
    return sleep(ms, true, { ref: false, signal }).catch(() => false);
  };
}

/**
 * A person gets the answer in a page, which names the rule and leads on. Browsers follow a redirect by themselves.
 * @throws ApiError for a rule with an error's status and no body: the error handler sends Weblate's words
 */
export function sendFault(
  request: FastifyRequest,
  reply: FastifyReply,
  { rule, body, isText }: Strike,
  sender: Pick<Sender, 'send'>,
): void {
  const { status = 500 } = rule;
  const isPage = request.context.negotiated.format === 'api' && (status < 300 || status >= 400);
  const ofPage = isPage ? withoutContent(rule.headers) : undefined;
  const headers = ofPage ?? rule.headers ?? {};
  if (body === undefined && status >= 400) throw errorOfStatus(request, status, headers);
  if (ofPage !== undefined) {
    const json = isText ? JSON.stringify(String(body)) : (body?.toString() ?? null);
    return sender.send(request, reply, { status, json, headers: ofPage });
  }
  reply.code(status);
  // A body that isn't a string is sent as JSON.
  if (body !== undefined) reply.header('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json');
  reply.headers(headers);
  // As bytes, or Fastify would add a charset to the type.
  reply.send(body);
}

/** In lower case. Those of the content don't hold for the page around it. */
const withoutContent = (headers: Readonly<Record<string, string | number>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      /^content-/i.test(name) ? [] : [[name.toLowerCase(), String(value)]],
    ),
  );

export function dropConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

/** Sends the status, the headers and half of the body, then breaks the connection. */
export function cutAnswer(reply: FastifyReply, payload: unknown): void {
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(typeof payload === 'string' ? payload : '');
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(reply.statusCode, { 'content-length': Math.max(body.length, 2) });
  // Even an answer without a body announces one, or there would be nothing to cut.
  raw.write(body.length === 0 ? ' ' : body.subarray(0, Math.floor(body.length / 2)), () => raw.destroy());
}
