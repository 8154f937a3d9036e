// What log lines hold: no header but X-Request-Id, no body and no query, which may hold tokens and
// personal data.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify';

/** Receives lines of JSON, with their newlines. */
export interface LogStream {
  write(line: string): void;
  /** How many lines couldn't be written. */
  lost?(): number;
}

/** @param stream by default standard output */
export function loggerOptions(level: string, stream?: LogStream) {
  return {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: {
      err: (error: unknown) => describeError(error),
      req: ({ method, url }: FastifyRequest) => ({ method, url: pathOf(url) }),
    },
    ...(stream && { stream }),
  } satisfies FastifyServerOptions['logger'];
}

type Logged = Record<string, unknown> & Record<'type' | 'message' | 'stack', string>;

// PostgreSQL's `detail` and `where` repeat values of rows: only parts known to be harmless are logged.
function describeError(error: unknown, depth = 0): Logged {
  const { name, message = String(error), stack, code, constraint, cause } = (error ?? {}) as Partial<Error & Logged>;
  return {
    type: name ?? 'Error',
    message,
    stack: stack ?? '',
    code,
    constraint,
    cause: cause === undefined || depth > 3 ? undefined : describeError(cause, depth + 1),
  };
}

const pathOf = (url: string) => url.replace(/\?.*$/s, '');

const requestIdHeader = 'x-request-id';

// Short, visible ASCII: the id goes into log lines and a header.
const validId = /^[\x21-\x7e]{1,128}$/;

/** The client's id if it is valid, else a new one. */
export function requestIdOf({ headers }: { headers: IncomingHttpHeaders }) {
  const given = headers[requestIdHeader];
  return typeof given === 'string' && validId.test(given) ? given : randomUUID();
}

type Observe = (request: FastifyRequest, reply: FastifyReply) => void;

/** Fastify calls this at a request's start and end anyway: no hooks are needed. */
export class RequestLog extends LogController {
  readonly #observe: Observe;

  constructor(observe: Observe) {
    super({ disableRequestLogging: true, requestIdLogLabel: 'requestId' });
    this.#observe = observe;
  }

  override incomingRequest(request: FastifyRequest, reply: FastifyReply) {
    const given = request.raw.headers[requestIdHeader];
    if (given !== undefined && given === request.id) reply.header(requestIdHeader, request.id);
  }

  /** Logs only at debug and trace: under load, a line per request makes lists 20 % slower. */
  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply) {
    this.#observe(request, reply);
    const { level } = request.log;
    if (level !== 'debug' && level !== 'trace') return;
    request.log.debug(
      {
        method: request.method,
        path: pathOf(request.originalUrl),
        route: request.routeOptions.config?.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
        ...(error && { err: error }),
      },
      'answered',
    );
  }
}
