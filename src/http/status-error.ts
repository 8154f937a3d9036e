// The error of a status, for what names only a status: errors of Fastify and @fastify/sensible, and fault rules.
import type { FastifyRequest } from 'fastify';
import { ApiError, apiError, catalogue, type ErrorName } from '../base/errors.ts';
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
  const line = { code: 'error', detail: STATUS_CODES[status] ?? `Status ${status}`, attr: null };
  return new ApiError(status, [line], headers);
}
