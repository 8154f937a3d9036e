// Guards /_understudy/. A web page that is open on the machine where the service runs must not reach it: neither by a
// form or a script, nor by DNS rebinding.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { findToken, hashToken } from './credentials.ts';
import { isFromOwnPage } from './own-page.ts';
import { apiError } from '../base/errors.ts';

export interface AdminAccess {
  readonly mode: 'auto' | 'on' | 'off';
  /** Required if set. */
  readonly token: string | undefined;
  /** Accepted hosts besides loopback and names without a dot. */
  readonly allowedHosts: readonly string[];
  /** Whether only this machine can reach the service. */
  readonly isLocal: boolean;
  /** Other origins whose pages may pass. Left out: none, as for `/_understudy/`. */
  readonly origins?: readonly string[] | undefined;
}

const closed = (why: string) => apiError('admin_closed', why);

interface Sent extends Pick<FastifyRequest, 'method' | 'headers' | 'raw'> {
  /** Its origin is the service's own, as the client knows it. */
  readonly context: { readonly origin: string };
}

export type Gate = ReturnType<typeof createGate>;

/** Both ways to be admitted throw 403 for a rejected request, and name the variable that would admit it. */
export function createGate(access: AdminAccess) {
  const { mode, token, allowedHosts, isLocal, origins = [] } = access;
  const expected = token === undefined ? undefined : hashToken(token);
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));

  function check(request: Sent, mayBeLinked: boolean): void {
    if (mode === 'off') throw closed('UNDERSTUDY_ADMIN is off.');
    const host = hostOf(request.headers.host);
    if (host === undefined || !(isLoopback(host) || isPlainName(host) || allowed.has(host)))
      throw closed('the Host must be loopback, a name without a dot, or a host that UNDERSTUDY_ALLOWED_HOSTS lists.');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) {
      const isForeign = origin !== undefined && !isFromOwnPage(request, request.context.origin);
      if (isForeign || (isFromOtherSite(request) && !(mayBeLinked && isLink(request))))
        throw closed('it rejects requests of other sites; open it under a host that UNDERSTUDY_ALLOWED_HOSTS lists.');
    }
    if (expected === undefined && mode !== 'on' && (!isLocal || isForwarded(request)))
      throw closed(
        'UNDERSTUDY_ADMIN=auto requires UNDERSTUDY_ADMIN_TOKEN beyond loopback and behind a proxy; UNDERSTUDY_ADMIN=on opens it.',
      );
  }

  // Hashes have one length, and the time that it takes to compare them reveals nothing of the token.
  const isTokenHash = (hash: Buffer): boolean => expected !== undefined && timingSafeEqual(hash, expected);

  return {
    admit(request: Sent): void {
      check(request, false);
      if (expected === undefined) return;
      const key = findToken(request.headers.authorization);
      if (key === null || !isTokenHash(hashToken(key)))
        throw closed('it requires the header Authorization: Bearer with the value of UNDERSTUDY_ADMIN_TOKEN.');
    },
    /** The same for a page of the console, to which other sites may link. The token isn't checked. */
    admitPage: (request: Sent): void => check(request, true),
    requiresToken: expected !== undefined,
    /** Whether a program that sends its requests the same way needs no token. */
    isOpenFor({ method, headers: { host }, raw, context }: Sent): boolean {
      try {
        // A program sends no headers about pages.
        check({ method, headers: { host }, raw, context }, false);
        return expected === undefined;
      } catch {
        return false;
      }
    },
    /** Whether a SHA-256 is that of the admin token. */
    isTokenHash,
  };
}

/** The GET of an image or a script carries no Origin, but Sec-Fetch-Site. */
const isFromOtherSite = ({ headers: { 'sec-fetch-site': site } }: Sent) =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

const isLink = ({ method, headers }: Sent) =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** nginx adds none of the headers unless configured, but up to 1.28 it then speaks HTTP/1.0, unlike current clients. */
const isForwarded = ({ raw: { headers, httpVersion } }: Sent) =>
  httpVersion === '1.0' || Object.keys(headers).some((name) => ofProxies.test(name));

const ofProxies =
  /^(?:forwarded|via|x-(?:original-)?forwarded-.*|(?:cf-connecting|fastly-client|true-client|x-client|x-cluster-client|x-real)-ip)$/;

const hostOf = (header = '') => /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/.exec(header.toLowerCase())?.[1];

/** Whether only this machine reaches the host or address. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

// Such as the service names of a compose network. No web page can have one.
const isPlainName = (host: string): boolean => /^[a-z0-9_-]+$/.test(host) && /[a-z_-]/.test(host);
