// The effects of faults: a delay, a made-up answer, or a broken connection.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { STATUS_CODES } from '../base/http-names.ts';
import { errorOfStatus, type Sender } from '../http/send.ts';
import type { CompiledRule } from './faults.ts';

/** Limits of delayed requests. Each counts until its response is closed. */
export const maxDelayed = { ofSandbox: 250, inAll: 1000 };

/** Resolves to false if the client disconnects. Keeps no process alive. */
export const delay = (reply: FastifyReply, ms: number) =>
  sleep(ms, true, { ref: false, signal: reply.request.context.becomeIdle() }).catch(() => false);

// Browsers must not guess the answer's type, and must keep the answer apart from this origin's pages.
const apart = { 'x-content-type-options': 'nosniff', 'content-security-policy': 'sandbox' };

/**
 * Sends a rule's answer. A client that asks for HTML gets a page, except for a redirect.
 * @throws ApiError for an error's status without a body: the error handler sends Weblate's words
 */
export function sendFault(reply: FastifyReply, { rule, body, isText }: CompiledRule, sender: Pick<Sender, 'send'>) {
  const { request } = reply;
  const { status = 500 } = rule;
  const isPage = request.context.negotiated.format === 'api' && (status < 300 || status >= 400);
  // Headers about the rule's content don't describe the page around the content.
  const given = Object.entries(rule.headers ?? {}).filter(([name]) => !(isPage && /^content-/i.test(name)));
  const headers = {
    ...Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)])),
    ...apart,
  };
  if (body === undefined && status >= 400) throw errorOfStatus(request, status, headers);
  if (isPage) {
    const json = isText ? JSON.stringify(String(body)) : (body?.toString() ?? null);
    return sender.send(reply, { status, json, headers });
  }
  reply.code(status);
  // A body that isn't a string is sent as JSON.
  if (body !== undefined) reply.header('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json');
  reply.headers(headers);
  // The body is bytes, because Fastify would add a charset to a text's type.
  reply.send(body);
}

/** Breaks the connection after the head and half of the body, or, without a body, before the head's end. */
export function cutAnswer(reply: FastifyReply, payload: unknown) {
  // Otherwise Fastify would send another answer after the handler.
  reply.hijack();
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(typeof payload === 'string' ? payload : '');
  const hasBody = body.length > 0 && reply.request.method !== 'HEAD';
  const headers = { ...reply.getHeaders(), ...(hasBody && { 'content-length': body.length }) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const head = `HTTP/1.1 ${reply.statusCode} ${STATUS_CODES[reply.statusCode] ?? ''}\r\n${lines.join('')}`;
  const half = body.subarray(0, hasBody ? Math.floor(body.length / 2) : 0);
  const sent = Buffer.concat([Buffer.from(hasBody ? `${head}\r\n` : head), half]);
  // A response that waits for others on its connection has no socket yet.
  const { socket } = reply.raw;
  if (socket === null) reply.request.raw.socket.destroy();
  else socket.write(sent, () => socket.destroy());
}
