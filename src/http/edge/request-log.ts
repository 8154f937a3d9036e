// Both ends of every request: its id, which returns to a client that sent one, and its answer, which is counted and, at
// level debug, logged. Fastify calls its log controller there anyway, so this costs the list no hook.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { pathOf } from './log.ts';

const requestIdHeader = 'x-request-id';

// Visible ASCII and short: the id goes into every log line of the request and back into a header.
const validId = /^[\x21-\x7e]{1,128}$/;

/** The client's own id where it is valid; else one that differs between processes: a random part and a number. */
export function createRequestIds(): (request: { headers: IncomingHttpHeaders }) => string {
  const prefix = randomBytes(4).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers[requestIdHeader];
    return typeof given === 'string' && validId.test(given) ? given : `${prefix}-${(++count).toString(36)}`;
  };
}

/** Called for every answer that was sent. */
export type Observe = (request: FastifyRequest, reply: FastifyReply) => void;

export class RequestLog extends LogController {
  readonly #observe: Observe;
  readonly #logsAnswers: boolean;

  constructor(observe: Observe, level: string) {
    super({ disableRequestLogging: true, requestIdLogLabel: 'requestId' });
    this.#observe = observe;
    this.#logsAnswers = level === 'debug' || level === 'trace';
  }

  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    const given = request.raw.headers[requestIdHeader];
    if (given !== undefined && given === request.id) reply.header(requestIdHeader, request.id);
  }

  /** At debug and not info: a line for each request costs a busy list 20 % of its speed. */
  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    this.#observe(request, reply);
    if (!this.#logsAnswers) return;
    const { config } = request.routeOptions;
    request.log.debug(
      {
        method: request.method,
        path: pathOf(request.originalUrl),
        route: config?.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
        ...(error ? { err: error } : {}),
      },
      'answered',
    );
  }
}
