// The log: what a line holds, and what never stands in one. Headers, bodies and queries are where tokens and people's data are, so
// none of them is ever written: a request is its method, route, path, status and id, a fault its kind, words and place.
import type { FastifyServerOptions } from 'fastify';

/** Takes a line of JSON with its newline. */
export interface LogStream {
  write(line: string): void;
}

export type LoggerOptions = Exclude<FastifyServerOptions['logger'], boolean | undefined>;

/**
 * Fastify's `logger` option.
 * @param level one of pino's levels, or `silent`
 * @param stream where the lines go: standard output if left out
 */
export function loggerOptions(level: string, stream?: LogStream): LoggerOptions {
  return {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: (error: unknown) => describeError(error), req: describeRequest },
    ...(stream === undefined ? {} : { stream }),
  };
}

interface ErrorLike {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly cause?: unknown;
}

interface Fault {
  type: string;
  message: string;
  stack: string;
  [more: string]: unknown;
}

// PostgreSQL's detail and where repeat the values of rows, so the known harmless parts are picked and all else is left out.
function describeError(error: unknown, depth = 0): Fault {
  const { name, message, stack, code, constraint, cause } = (error ?? {}) as ErrorLike;
  const text = message ?? String(error);
  return {
    type: name ?? 'Error',
    message: text,
    stack: stack ?? '',
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(cause === undefined || depth > 3 ? {} : { cause: describeError(cause, depth + 1) }),
  };
}

// Fastify's own lines name the request by this.
function describeRequest(request: { method?: string; url?: string }): { method?: string; url?: string } {
  return {
    ...(request.method === undefined ? {} : { method: request.method }),
    ...(request.url === undefined ? {} : { url: pathOf(request.url) }),
  };
}

/** A URL's path, without its query. */
export function pathOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? url : url.slice(0, at);
}
