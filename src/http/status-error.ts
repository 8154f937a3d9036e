// The error for what names none of the catalogue: errors of Fastify, @fastify/sensible and Node's HTTP parser, and
// the status of a fault rule.
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiError, apiError, catalogue, errorLine, type ErrorName } from '../base/errors.ts';
import { STATUS_CODES } from '../base/http-names.ts';

// The error for each status that the mirrored API answers.
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

/** By status: those that a prefix has in place of the mirrored API's. */
export type StatusErrors = Readonly<Record<number, ErrorName>>;

/** @param given further headers of the answer, their names in upper or lower case: those of a fault rule */
export function errorOfStatus(
  request: FastifyRequest,
  status: number,
  own: StatusErrors,
  given: Readonly<Record<string, string | number>> = {},
): ApiError {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]));
  if (status === 429) headers['retry-after'] ??= '1';
  const parts: Readonly<Record<number, string | undefined>> = {
    405: request.method,
    413: String(request.routeOptions.bodyLimit),
    415: request.context.contentType ?? '',
    429: headers['retry-after'],
  };
  const name = own[status] ?? errors.find((each) => catalogue[each].status === status);
  if (name !== undefined) return apiError(name, parts[status], headers);
  return new ApiError(status, [errorLine(null, 'error', STATUS_CODES[status] ?? `Status ${status}`)], headers);
}

const ofParser: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers an error of Node's HTTP parser, before there is a request, on the bare socket. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = apiError(ofParser[error.code ?? ''] ?? 'client_request_malformed');
  const body = JSON.stringify(refusal);
  socket.write(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json\r\nVary: Accept\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Not end(): a client that never closes its side would keep the connection.
  socket.destroySoon();
}
