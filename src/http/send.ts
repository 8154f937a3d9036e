// Sends an answer's status, headers and bytes, in the negotiated rendering. All errors have one form,
// even those that name only a status (of Fastify, @fastify/sensible and fault rules).
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { defaultSandbox, isSandboxName } from '../access/which-sandbox.ts';
import { isUnavailable } from '../database/sqlstates.ts';
import { ApiError, apiError, catalogue, errorLine, type ErrorName } from '../base/errors.ts';
import { STATUS_CODES } from '../base/http-names.ts';
import { mirrors, version } from '../base/version.ts';
import type { Answer, Call } from './call.ts';
import { closeLater } from './connection.ts';
import { toCsv } from './wire/csv.ts';
import { inPage, plainJson, prefersHtml } from './wire/negotiate.ts';

export const understudyHeader = `${version} (${mirrors})`;

/** A request and its answer, for the page around the answer. */
export type Exchange = ReturnType<typeof exchangeOf>;

type RenderPage = (exchange: Exchange, context: Call) => { content: string; headers: Readonly<Record<string, string>> };

export type Sender = ReturnType<typeof createSender>;

// As Weblate does: JavaScript once read these as ends of lines.
const escapeSeparators = (json: string) => json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

export function createSender(renderPage: RenderPage) {
  const noteUnavailable = createUnavailableLog();

  function send(reply: FastifyReply, answer: Answer) {
    const { request } = reply;
    const { allow } = request.routeOptions.config;
    const { sandbox } = request.context.place;
    request.context.answer = answer;
    const headers: Record<string, string> = {};
    if (allow !== undefined) headers['allow'] = allow;
    if (answer.json !== null) headers['content-type'] = 'application/json';
    headers['vary'] = 'Accept';
    Object.assign(headers, answer.headers);
    const body = answer.content ?? render(reply, answer, headers);
    // A header can't hold every invalid name.
    if (sandbox !== defaultSandbox && isSandboxName(sandbox)) headers['x-understudy-sandbox'] = sandbox;
    headers['x-understudy'] = understudyHeader;
    // A page is content, which a 204 can't have.
    const hasPage = answer.status === 204 && body !== undefined;
    reply.code(hasPage ? 200 : answer.status).headers(headers);
    // Without a serializer, Fastify would add a charset to `application/json`.
    if (typeof body === 'string') reply.serializer(String);
    reply.send(body);
  }

  /** The rendered body. Changes `headers` to match. */
  function render(reply: FastifyReply, { json, status }: Answer, headers: Record<string, string>) {
    const { request } = reply;
    const { format, indent } = request.context.negotiated;
    if (format === 'api') {
      const all = { ...(reply.getHeaders() as Record<string, string>), ...headers };
      const page = renderPage(exchangeOf(request, { status, headers: all, json }), request.context);
      Object.assign(headers, page.headers);
      return page.content;
    }
    if (format === 'csv') {
      const csv = json === null ? undefined : toCsv(JSON.parse(json));
      // Weblate names no type for an empty text (transcript wire__csv).
      if (csv === '') delete headers['content-type'];
      else headers['content-type'] = 'text/csv; charset=utf-8';
      return csv || undefined;
    }
    if (json === null) return undefined;
    return escapeSeparators(indent === 0 ? json : JSON.stringify(JSON.parse(json), null, indent));
  }

  /** Makes an error handler: the only way from a request's error to its response. */
  function handleErrors(sendPage?: (request: FastifyRequest, reply: FastifyReply, error: ApiError) => void) {
    return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      closeLater(request);
      // A path that doesn't fit its schema isn't served.
      if ((error as { validationContext?: string }).validationContext === 'params') return reply.callNotFound();
      const refusal = toApiError(error, request);
      const answer = { status: refusal.status, json: JSON.stringify(refusal), headers: refusal.headers };
      try {
        if (sendPage !== undefined && prefersHtml(request.headers.accept)) sendPage(request, reply, refusal);
        else send(reply, answer);
      } catch (failure) {
        // A page fails if a broken Host gives no base URL. Other failures of pages are logged.
        toApiError(failure, request);
        request.context.negotiated = plainJson;
        send(reply, answer);
      }
    };
  }

  const handleError = handleErrors();

  function sendUnknownPath(request: FastifyRequest, reply: FastifyReply, headers: Record<string, string> = {}) {
    request.context.negotiated = prefersHtml(request.headers.accept) ? inPage : plainJson;
    handleError(apiError('not_found', '', headers), request, reply);
  }

  function toApiError(error: unknown, request: FastifyRequest) {
    if (error instanceof ApiError) return error;
    // Fastify's errors come first: if a client leaves amid its body, the error has the code ECONNRESET,
    // as if the database connection had broken.
    const { statusCode = 0 } = error as { statusCode?: number };
    if (statusCode >= 400 && statusCode < 500) return errorOfStatus(request, statusCode);
    if (isUnavailable(error)) {
      noteUnavailable(request.log, error);
      return apiError('service_unavailable', 'the database did not answer');
    }
    request.log.error({ err: error }, 'a request failed');
    return apiError('server_error');
  }

  return { send, handleErrors, sendUnknownPath };
}

const exchangeOf = (
  { method, body, context: { place, baseUrl, contentType } }: FastifyRequest,
  answer: Pick<Required<Answer>, 'status' | 'headers' | 'json'>,
) => ({
  ...place,
  ...answer,
  baseUrl,
  // HEAD gets the length of GET's page.
  method: method === 'HEAD' ? 'GET' : method,
  /** What a page's form sent, to fill the form on the answer's page. */
  sent: Buffer.isBuffer(body) && contentType === 'application/json' ? body.toString() : undefined,
});

const names = Object.keys(catalogue) as ErrorName[];

// Errors of the control API and the console, instead of Weblate's.
const controlNames: Readonly<Record<number, ErrorName>> = { 413: 'upload_too_large', 415: 'unsupported_admin_type' };

/** @param given further headers, with names in lower case */
export function errorOfStatus(request: FastifyRequest, status: number, given: Record<string, string> = {}) {
  const headers = { ...(status === 429 && { 'retry-after': '1' }), ...given };
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

/** Answers errors of Node's HTTP parser on the bare socket: there is no request. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = apiError(ofParser[error.code ?? ''] ?? 'client_request_malformed');
  const body = JSON.stringify(refusal);
  socket.write(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json\r\nVary: Accept\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // end() would keep the connection open until the client closes its side.
  socket.destroySoon();
}

const pauseMs = 1000;

/**
 * Logs why requests fail and how many, at most once per second. Thousands may fail alike: a line for each
 * would keep the process from answering.
 */
export function createUnavailableLog(): (log: Pick<FastifyBaseLogger, 'warn'>, err: unknown) => void {
  let quietUntilMs = 0;
  let requests = 0;
  return (log, err) => {
    requests++;
    if (performance.now() < quietUntilMs) return;
    quietUntilMs = performance.now() + pauseMs;
    log.warn({ err, requests }, 'the database did not answer');
    requests = 0;
  };
}
