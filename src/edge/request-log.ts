// What is done at both ends of every request, whatever its route: its id goes back to who sent one, the answer is counted and, at
// level debug, logged. Fastify calls its log controller there anyway, so no hook costs the list anything.
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { pathOf } from './log.ts';
import { requestIdHeader } from './request-id.ts';

/** Is told of every answer that was sent. */
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

  /** At debug and not info: a line for each request costs a busy list a fifth of its speed (docs/api.md). */
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
