// Which requests are answered by a page: only for those a cookie counts.
import type { FastifyRequest } from 'fastify';
import { negotiate } from './wire/negotiate.ts';
import { parseQuery } from './wire/query-string.ts';

/** Where a browser chooses its user; under the prefix of each sandbox too. */
export const sessionPath = '/session/';

/** Cheap for the requests of programs, which name no HTML. */
export function isForPage({ headers: { accept }, url, originalUrl }: FastifyRequest): boolean {
  if (url.startsWith(sessionPath)) return true;
  if (accept?.includes('text/html') !== true && !originalUrl.includes('format=api')) return false;
  if (withoutVisitor.test(url)) return false;
  const query = originalUrl.includes('?') ? originalUrl.slice(originalUrl.indexOf('?') + 1) : '';
  try {
    const { format } = parseQuery(query) as { format?: string };
    return negotiate(format, accept).format === 'api';
  } catch {
    return false;
  }
}

// Under /_understudy/ the documentation alone shows whom pages act as: the console has sessions of its own.
const withoutVisitor = /^\/(?:assets|healthz|_understudy(?!\/docs\/))\//;
