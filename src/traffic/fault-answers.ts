// What a client gets from a fault: a delay, a made-up answer, or a connection that breaks.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { STATUS_CODES } from '../base/http-names.ts';
import type { Sender } from '../http/send.ts';
import { errorOfStatus } from '../http/send.ts';
import type { CompiledRule } from './faults.ts';

/** Delayed requests. Each counts until its response is closed. */
export const maxDelayed = { ofSandbox: 250, inAll: 1000 };

/** Resolves to false if the client disconnects. Unreferenced: a delay must not keep a process alive. */
export const delay = (reply: FastifyReply, ms: number) =>
  sleep(ms, true, { ref: false, signal: reply.request.context.becomeIdle() }).catch(() => false);

// Whatever a rule answers, browsers must treat it as its type says, and keep it apart from the pages of this origin.
const apart = { 'x-content-type-options': 'nosniff', 'content-security-policy': 'sandbox' };

/**
 * A person gets the answer in a page, which names the rule and leads on. Browsers follow a redirect by themselves.
 * @throws ApiError for a rule with an error's status and no body: the error handler sends Weblate's words
 */
export function sendFault(reply: FastifyReply, struck: CompiledRule, sender: Pick<Sender, 'send'>) {
  const { request } = reply;
  const { rule, body, isText } = struck;
  const { status = 500 } = rule;
  const isPage = request.context.negotiated.format === 'api' && (status < 300 || status >= 400);
  // Headers of the content don't hold for the page around it.
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
  // As bytes, or Fastify would add a charset to the type.
  reply.send(body);
}

/** Sends the head and half of the body, then breaks the connection. Without a body, the head lacks its end. */
export function cutAnswer(reply: FastifyReply, payload: unknown) {
  // Otherwise Fastify sends the answer again, after the handler has returned.
  reply.hijack();
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(typeof payload === 'string' ? payload : '');
  const hasBody = body.length > 0 && reply.request.method !== 'HEAD';
  const headers = { ...reply.getHeaders(), ...(hasBody && { 'content-length': body.length }) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const head = `HTTP/1.1 ${reply.statusCode} ${STATUS_CODES[reply.statusCode] ?? ''}\r\n${lines.join('')}`;
  const half = body.subarray(0, hasBody ? Math.floor(body.length / 2) : 0);
  const sent = Buffer.concat([Buffer.from(hasBody ? `${head}\r\n` : head), half]);
  // With several requests on a connection, a response has no socket before its turn.
  const { socket } = reply.raw;
  if (socket === null) reply.request.raw.socket.destroy();
  else socket.write(sent, () => socket.destroy());
}
