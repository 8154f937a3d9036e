// The error for what names only a status: errors of Fastify, of @fastify/sensible and of Node's parser, and fault rules.
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiError, apiError, catalogue, errorLine, type ErrorName } from '../base/errors.ts';
import { STATUS_CODES } from '../base/http-names.ts';

const names = Object.keys(catalogue) as ErrorName[];

// Those of the control API and the console in place of the Weblate API's.
const controlNames: Readonly<Record<number, ErrorName>> = { 413: 'upload_too_large', 415: 'unsupported_admin_type' };

/** @param given further headers of the answer, their names in upper or lower case: those of a fault rule */
export function errorOfStatus(
  request: FastifyRequest,
  status: number,
  given: Readonly<Record<string, string | number>> = {},
): ApiError {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]));
  if (status === 429) headers['retry-after'] ??= '1';
  const parts: Readonly<Record<number, string | undefined>> = {
    405: request.method,
    413: String(request.routeOptions.bodyLimit),
    415: request.context.contentType ?? '',
    429: headers['retry-after'],
    503: 'a fault rule says so',
  };
  const own = request.routeOptions.url?.startsWith('/_understudy') === true ? controlNames[status] : undefined;
  const name = own ?? names.find((each) => catalogue[each].status === status);
  if (name !== undefined) return apiError(name, parts[status], headers);
  return new ApiError(status, [errorLine(null, 'error', STATUS_CODES[status] ?? `Status ${status}`)], headers);
}

const ofParser: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers an error of Node's HTTP parser, before there is a request, on the bare socket. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = apiError(ofParser[error.code ?? ''] ?? 'client_request_malformed');
  const body = JSON.stringify(refusal);
  socket.write(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json\r\nVary: Accept\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Not end(): a client that never closes its side would keep the connection.
  socket.destroySoon();
}
