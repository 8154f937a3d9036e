// What log lines hold. Headers, bodies and queries may contain tokens and personal data, so none of them is ever
// logged: a request is logged by method, route, path, status and id, an error by type, message and stack.
import type { FastifyServerOptions } from 'fastify';

/** Receives lines of JSON, each with its newline. */
export interface LogStream {
  write(line: string): void;
}

/**
 * Fastify's `logger` option.
 * @param level one of pino's levels, or `silent`
 * @param stream receives the lines; standard output if left out
 */
export function loggerOptions(level: string, stream?: LogStream) {
  return {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: (error: unknown) => describeError(error), req: describeRequest },
    ...(stream === undefined ? {} : { stream }),
  } satisfies FastifyServerOptions['logger'];
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

// PostgreSQL's `detail` and `where` repeat values of rows, so only the parts that are known to be harmless are logged.
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

// For Fastify's own log lines.
const describeRequest = ({ method, url }: { method?: string; url?: string }) => ({
  ...(method !== undefined && { method }),
  ...(url !== undefined && { url: pathOf(url) }),
});

/** A URL's path, without its query. */
export function pathOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? url : url.slice(0, at);
}
