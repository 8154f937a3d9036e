// The two ends of a request: a Call from what Fastify hands in, and the answer's status, headers and bytes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Credentials } from '../access/credentials.ts';
import { isUnavailable } from '../database/sqlstates.ts';
import { mirrors, version } from '../version.ts';
import { type BaseUrlOptions, findOrigin } from './base-url.ts';
import type { Answer, Call } from './call.ts';
import { ApiError, apiError } from '../errors.ts';
import { type Negotiated, plainJson, prefersHtml } from './wire/negotiate.ts';
import { describePage } from './describe-page.ts';
import { hintHeaders, type PathTable } from './paths.ts';
import { render } from './render.ts';
import { noteUnavailable } from './unavailable-log.ts';
import { defaultSandbox, isSandboxName, keepPlaces, placeOf } from '../access/which-sandbox.ts';

/** The value of X-Understudy on every answer. */
export const understudyHeader = `${version} (${mirrors})`;

export interface Replier {
  call(request: FastifyRequest, credentials: Credentials | null): Call;
  send(request: FastifyRequest, reply: FastifyReply, negotiated: Negotiated, answer: Answer): void;
  /** Writes any error in the documented form; what isn't the client's fault is logged with its cause. */
  sendError(
    request: FastifyRequest,
    reply: FastifyReply,
    negotiated: Negotiated,
    error: unknown,
    headers?: Readonly<Record<string, string>>,
  ): void;
  /** 404 for a path that isn't served, HTML where the client asks for it. */
  sendUnknownPath(request: FastifyRequest, reply: FastifyReply): void;
}

export interface ReplierOptions extends BaseUrlOptions {
  readonly pageSize: number;
  readonly paths: PathTable;
}

const asIs = (text: string) => text;

const called = Symbol('credentials of the call');
type CalledRequest = FastifyRequest & { [called]?: Credentials | null };

/** As they were read for the call; undefined where the request was refused before. Reading them again would cost a hash. */
export const credentialsOfCall = (request: CalledRequest): Credentials | null | undefined => request[called];

export function createReplier(app: FastifyInstance, options: ReplierOptions): Replier {
  keepPlaces(app);
  app.decorateRequest(called);

  function send(request: FastifyRequest, reply: FastifyReply, negotiated: Negotiated, answer: Answer): void {
    const { allow } = request.routeOptions.config as { allow?: string };
    const headers: Record<string, string> = {};
    if (allow !== undefined && answer.isUnknownPath !== true) headers['allow'] = allow;
    if (answer.json !== null) headers['content-type'] = 'application/json';
    headers['vary'] = 'Accept';
    Object.assign(headers, answer.headers);
    const { sandbox, path, search } = placeOf(request);
    const rendered = render(negotiated, answer.json, () =>
      describePage(
        {
          path,
          search,
          sandbox,
          baseUrl: baseUrlOf(request),
          // Or the page that HEAD doesn't send would have another length.
          method: request.method === 'HEAD' ? 'GET' : request.method,
          status: answer.status,
          headers: { ...headers },
          json: answer.json,
          pageSize: options.pageSize,
        },
        options.paths,
      ),
    );
    Object.assign(headers, rendered.headers);
    if (rendered.contentType !== undefined) headers['content-type'] = rendered.contentType;
    // What is no name of a sandbox may be no value of a header either.
    if (sandbox !== defaultSandbox && isSandboxName(sandbox)) headers['x-understudy-sandbox'] = sandbox;
    headers['x-understudy'] = understudyHeader;
    reply.code(answer.status).headers(headers);
    // Through a serializer, for else Fastify adds a charset to a type that is exactly `application/json`. As text and not as bytes:
    // it then leaves with the headers in one piece.
    reply.serializer(asIs).send(rendered.body);
  }

  const baseUrlOf = (request: FastifyRequest) => findOrigin(request.raw, options) + placeOf(request).prefix;

  function sendError(
    request: FastifyRequest,
    reply: FastifyReply,
    negotiated: Negotiated,
    error: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const refusal = toApiError(error, request);
    writeRefusal(request, reply, negotiated, {
      status: refusal.status,
      json: JSON.stringify(refusal),
      headers: { ...refusal.headers, ...headers },
    });
  }

  function writeRefusal(request: FastifyRequest, reply: FastifyReply, negotiated: Negotiated, answer: Answer): void {
    try {
      send(request, reply, negotiated, answer);
    } catch (failure) {
      // The page around an error needs a base URL, which a broken Host doesn't give.
      if (negotiated.format !== 'api') throw failure;
      send(request, reply, plainJson, answer);
    }
  }

  return {
    call(request: CalledRequest, credentials) {
      request[called] = credentials;
      const { sandbox, prefix, path, search } = placeOf(request);
      // One of ours, or empty: others were refused.
      const { format } = request.query as { format?: string };
      if (!isSandboxName(sandbox)) throw apiError('sandbox_not_found', sandbox.slice(0, 63));
      return {
        method: request.method,
        sandbox,
        baseUrl: findOrigin(request.raw, options) + prefix,
        urlQuery: format === undefined ? '' : `?format=${format}`,
        path,
        search,
        params: request.params,
        query: request.query,
        credentials,
        body: request.body as Buffer | undefined,
        contentType: request.headers['content-type'],
      };
    },
    send,
    sendError,
    sendUnknownPath(request, reply) {
      const format = prefersHtml(request.headers.accept) ? 'api' : 'json';
      const headers = hintHeaders(placeOf(request).path, options.paths);
      const json = JSON.stringify(apiError('not_found'));
      writeRefusal(request, reply, { format, indent: 0 }, { status: 404, json, headers, isUnknownPath: true });
    },
  };
}

function toApiError(error: unknown, { log, routeOptions }: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  // Fastify's first: that a client went away amid its body is ECONNRESET too, and no fault of the database.
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return apiError('body_too_large', String(routeOptions.bodyLimit));
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return apiError('client_request_malformed');
  if (isUnavailable(error)) {
    noteUnavailable(log, error);
    return apiError('service_unavailable');
  }
  log.error({ err: error }, 'a request failed');
  return apiError('server_error');
}
