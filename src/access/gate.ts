// Who may use /_understudy/ (design, "Our own API, and who may use it"). A page on the web, opened by somebody on whose machine the
// service runs, must not reach it: neither by a form or a script of its own origin, nor under a name that it made point here.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { findToken, hashToken } from './credentials.ts';
import { apiError } from '../errors.ts';

export interface AdminAccess {
  readonly mode: 'auto' | 'on' | 'off';
  /** Asked for wherever it is set. */
  readonly token: string | undefined;
  /** Host names beside loopback and names without a dot. */
  readonly allowedHosts: readonly string[];
  /** Whether only this machine reaches the service. */
  readonly isLocal: boolean;
}

const closed = (why: string) => apiError('admin_closed', why);

// The HTML pages under /_understudy/, by their routes. Other sites may link to them.
const pages: ReadonlySet<string | undefined> = new Set(['/_understudy/docs/']);

/** Throws 403 with the variable that would open it. */
export function createGate({ mode, token, allowedHosts, isLocal }: AdminAccess): (request: FastifyRequest) => void {
  const wanted = token === undefined ? undefined : hashToken(token);
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));

  return (request) => {
    if (mode === 'off') throw closed('UNDERSTUDY_ADMIN is off.');
    const host = hostOf(request.headers.host);
    if (host === undefined || !(isLoopback(host) || isPlainName(host) || allowed.has(host)))
      throw closed('the Host is neither this machine nor a name without a dot; UNDERSTUDY_ALLOWED_HOSTS may list it.');
    const { origin } = request.headers;
    if (origin !== undefined && !isOwn(origin, request.headers.host))
      throw closed(`a page of another origin may not ask; open it under one that UNDERSTUDY_ALLOWED_HOSTS lists.`);
    if (isFromOtherSite(request)) throw closed('a page of another site may not send requests here (Sec-Fetch-Site).');
    if (wanted === undefined) {
      if (mode === 'on' || (isLocal && !isForwarded(request))) return;
      throw closed(
        'beyond loopback and through a proxy UNDERSTUDY_ADMIN=auto needs UNDERSTUDY_ADMIN_TOKEN; UNDERSTUDY_ADMIN=on opens it.',
      );
    }
    // Hashes are of one length, and comparing them tells nothing of the token.
    const given = findToken(request.headers.authorization);
    if (given === null || !timingSafeEqual(hashToken(given), wanted))
      throw closed('it needs the header Authorization: Bearer with the value of UNDERSTUDY_ADMIN_TOKEN.');
  };
}

/** Whether a browser sent it for a page of another site. The GET of an image or a script carries no Origin, but Sec-Fetch-Site. */
function isFromOtherSite({ method, headers, routeOptions }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  const isNavigation = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !(isNavigation && method === 'GET' && pages.has(routeOptions.url));
}

/**
 * Whether the request came through a proxy. nginx adds none of the headers unless configured to, but up to 1.28 it then speaks HTTP/1.0,
 * which current clients don't.
 */
const isForwarded = ({ raw: { headers, httpVersion } }: FastifyRequest): boolean =>
  httpVersion === '1.0' ||
  headers.forwarded !== undefined ||
  headers.via !== undefined ||
  Object.keys(headers).some((name) => name.startsWith('x-forwarded-'));

/** Without the port, in lower case. */
function hostOf(header: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/.exec(header?.toLowerCase() ?? '')?.[1];
}

export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

// What a compose network calls its services, and no name that a page on the web can have.
const isPlainName = (host: string): boolean => /^[a-z0-9_-]+$/.test(host) && /[a-z_-]/.test(host);

function isOwn(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host?.toLowerCase();
  } catch {
    return false;
  }
}
