// Rewrites request targets that the router would reject or misread.
import type { IncomingMessage } from 'node:http';
import { attempt } from '../../base/failure.ts';

/**
 * A request line may hold a whole URL, as for a proxy. Returns its path and query, and makes them the
 * `originalUrl`. Its host is ignored: the header Host counts.
 */
export function toOriginForm(request: IncomingMessage & { originalUrl?: string }) {
  const { url: whole = '/' } = request;
  if (whole.startsWith('/') && !whole.includes('#')) return whole;
  // A fragment is no part of a request, but some clients send it.
  const [, origin, rest = ''] = /^(https?:\/\/[^/?#]*)?([^#]*)/i.exec(whole)!;
  const url = origin === undefined || rest.startsWith('/') ? rest : `/${rest}`;
  if (url !== whole) request.originalUrl = url;
  return url;
}

/**
 * Makes a URL's path decodable. Names with broken escapes or bad UTF-8 are unknown to Weblate (transcript
 * list__unknown-user). Here they are escaped again, and so unknown too. Under `/_understudy/`, each `%` up to
 * the end of a sandbox's name is escaped: the service and balancers take these names literally.
 */
export function escapeBrokenPath(url: string) {
  if (!url.includes('%')) return url;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const [toName = '', first = ''] = /^\/([^/]*)(?:\/[^/]*){0,2}/.exec(path) ?? [];
  const literal = decode(first) === '_understudy' ? toName : '';
  const rest = path.slice(literal.length).replaceAll(/(?:%[0-9A-Fa-f]{2})+|%/g, repairRun);
  return escapeAll(literal) + rest + url.slice(path.length);
}

const escapeAll = (text: string) => text.replaceAll('%', '%25');

const repairRun = (run: string) => (decode(run) === undefined ? escapeAll(run) : run);

export const decode = (text: string) => attempt(() => decodeURIComponent(text));
