// What a client gets from a fault: a delay, a made-up answer, or a connection that breaks.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenClosed } from '../http/connection.ts';
import { contentTypeOf } from '../http/content-type.ts';
import { becomeIdle } from '../http/own.ts';
import { ApiError, apiError, catalogue, type ErrorName } from '../base/errors.ts';
import { STATUS_CODES } from '../base/http-names.ts';
import type { Strike } from './faults.ts';
import { createHolds } from './journal/waits.ts';

/** Delayed requests. Each counts until its response is closed. */
export const maxDelayed = { ofSandbox: 250, inAll: 1000 };

export function createDelay() {
  const hold = createHolds(maxDelayed.ofSandbox, maxDelayed.inAll);

  /** Resolves to false if the client disconnects. Throws 503 if too many requests are delayed. */
  return async (reply: FastifyReply, sandbox: string, ms: number): Promise<boolean> => {
    whenClosed(reply, hold(sandbox));
    const signal = becomeIdle(reply);
    // Unreferenced: a delay must not keep a process alive.
    return sleep(ms, true, { ref: false, signal }).catch(() => false);
  };
}

/** @throws ApiError where the rule has an error's status and no body */
export function sendFault(request: FastifyRequest, reply: FastifyReply, { rule, body }: Strike): void {
  const { status = 500, headers = {} } = rule;
  if (body === undefined && status >= 400) throw errorOf(request, status, headers);
  reply.code(status);
  if (body !== undefined) reply.header('content-type', body.type);
  reply.headers(headers);
  // As bytes, or Fastify would add a charset to the type.
  reply.send(body?.bytes);
}

// The one that stands for each status that the mirrored API answers.
const errors: readonly ErrorName[] = [
  'client_request_malformed',
  'invalid_token',
  'permission_denied',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'throttled',
  'headers_too_large',
  'server_error',
  'service_unavailable',
];

/** The error of a status as the mirrored API would answer it to this request. */
function errorOf(request: FastifyRequest, status: number, given: Readonly<Record<string, string>>): ApiError {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  if (status === 429) headers['retry-after'] ??= '1';
  const parts: Readonly<Record<number, string | undefined>> = {
    405: request.method,
    413: String(request.routeOptions.bodyLimit),
    415: contentTypeOf(request.raw) ?? '',
    429: headers['retry-after'],
  };
  const name = errors.find((each) => catalogue[each].status === status);
  if (name !== undefined) return apiError(name, parts[status], headers);
  const line = { code: 'error', detail: STATUS_CODES[status] ?? `Status ${status}`, attr: null };
  return new ApiError(status, status < 500 ? 'client_error' : 'server_error', [line], headers);
}

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
