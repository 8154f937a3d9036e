// Guards /_understudy/: checks the admin token, and rejects forms, scripts and DNS rebinding of foreign
// web pages. Also tells which pages are the service's own.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { hashToken } from './credentials.ts';
import { createRateLimiter } from './rate-limit.ts';
import { apiError } from '../base/errors.ts';
import { attempt } from '../base/failure.ts';

export interface AdminAccess {
  readonly mode: 'auto' | 'on' | 'off';
  /** The admin token. If it is set, requests must have it. */
  readonly token: string | undefined;
  /** Hosts that are accepted besides loopback and names without a dot. */
  readonly allowedHosts: readonly string[];
  /** Whether only this machine can reach the service. */
  readonly isLocal: boolean;
  /** Other origins whose pages are admitted. Left out: none. */
  readonly origins?: readonly string[] | undefined;
}

const closed = (why: string) => apiError('admin_closed', why);

export type Sent = Pick<FastifyRequest, 'method' | 'headers'>;

interface Located extends Sent, Pick<FastifyRequest, 'raw' | 'ip'> {
  /** `origin` is the service's origin, as the client knows it. */
  readonly context: { readonly origin: string; findTokenHash(): Buffer | null };
}

export type Gate = ReturnType<typeof createGate>;

/**
 * `admit` and `admitPage` throw 403 to refuse. The text names the variable that decides. After ten
 * wrong tokens, `admit` throws 429.
 */
export function createGate(access: AdminAccess) {
  const { mode, token, allowedHosts, isLocal, origins = [] } = access;
  const expected = token === undefined ? undefined : hashToken(token);
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));

  function check(request: Located, mayBeLinked: boolean): true {
    if (mode === 'off') throw closed('UNDERSTUDY_ADMIN is off.');
    const host = hostOf(request.headers.host);
    if (host === undefined || !(isLoopback(host) || isPlainName(host) || allowed.has(host)))
      throw closed('the Host must be loopback, a name without a dot, or a host that UNDERSTUDY_ALLOWED_HOSTS lists.');
    const { origin } = request.headers;
    if (!origins.includes(origin ?? '')) {
      const isForeign = origin !== undefined && !isFromOwnPage(request, request.context.origin);
      if (isForeign || (isFromOtherSite(request) && !(mayBeLinked && isLink(request))))
        throw closed('it rejects requests of other sites; open it under a host that UNDERSTUDY_ALLOWED_HOSTS lists.');
    }
    if (expected === undefined && mode !== 'on' && (!isLocal || isForwarded(request)))
      throw closed(
        'UNDERSTUDY_ADMIN=auto requires UNDERSTUDY_ADMIN_TOKEN beyond loopback and behind a proxy; UNDERSTUDY_ADMIN=on opens it.',
      );
    return true;
  }

  const limitFailures = createRateLimiter(10, 60_000);
  /** Whether the hash is the admin token's. Throws 429 after ten wrong hashes from an address in a minute. */
  function isTokenHash(hash: Buffer, address: string) {
    limitFailures(address, 0);
    // Takes the same time for all hashes, and so reveals nothing about the token.
    const isRight = expected !== undefined && timingSafeEqual(hash, expected);
    if (!isRight) limitFailures(address);
    return isRight;
  }

  return {
    admit(request: Located) {
      check(request, false);
      if (expected === undefined) return;
      const hash = request.context.findTokenHash();
      if (hash === null || !isTokenHash(hash, request.ip))
        throw closed('it requires the header Authorization: Bearer with the value of UNDERSTUDY_ADMIN_TOKEN.');
    },
    /** Like `admit`, for pages of the console: other sites may link to them, and they need no token. */
    admitPage: (request: Located) => check(request, true),
    admitsPage: (request: Located) => attempt(() => check(request, true)) === true,
    requiresToken: expected !== undefined,
    isTokenHash,
  };
}

/** Completes "the console and the control API are …". */
export function describeAccess({ mode, token, isLocal }: AdminAccess) {
  if (mode === 'off') return 'closed by UNDERSTUDY_ADMIN=off';
  if (token !== undefined) return 'open to holders of UNDERSTUDY_ADMIN_TOKEN';
  if (mode === 'on') return 'open to every client that reaches the port, under a host that is allowed';
  return isLocal
    ? 'open on this machine, and closed behind a proxy'
    : 'closed, because other machines may reach the service: set UNDERSTUDY_ADMIN_TOKEN';
}

/**
 * Reads Origin and Sec-Fetch-Site, which pages can't set. Browsers send Sec-Fetch-Site only over HTTPS
 * and to loopback; elsewhere, Origin decides. With `same-origin`, the host in Origin must equal Host, but
 * the scheme may differ from that of `own`, as behind a proxy that ends TLS and isn't trusted.
 * @param own the service's origin, as the browser knows it
 */
export function isFromOwnPage({ headers }: Sent, own: string) {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin === new URL(own).origin) return true;
  return site === 'same-origin' && (origin === undefined || URL.parse(origin)?.host === host?.toLowerCase());
}

/**
 * Whether a link was followed or an address entered. A GET without Sec-Fetch headers passes too: it changes
 * nothing, and SameSite keeps the session's cookie out of other sites' requests.
 */
export const isNavigation = ({ method, headers }: Sent) =>
  method === 'GET' &&
  headers.origin === undefined &&
  (headers['sec-fetch-mode'] === 'navigate' || headers['sec-fetch-site'] === undefined);

/** Also true for GETs of images and scripts, which have Sec-Fetch-Site but no Origin. */
const isFromOtherSite = ({ headers: { 'sec-fetch-site': site } }: Sent) =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

const isLink = ({ method, headers }: Sent) =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** By default, nginx adds no header of `ofProxies`, but up to 1.28 it sends HTTP/1.0, unlike clients. */
const isForwarded = ({ raw: { headers, httpVersion } }: Located) =>
  httpVersion === '1.0' || Object.keys(headers).some((name) => ofProxies.test(name));

const ofProxies =
  /^(?:forwarded|via|x-(?:original-)?forwarded-.*|(?:cf-connecting|fastly-client|true-client|x-client|x-cluster-client|x-real)-ip)$/;

const hostOf = (header = '') => /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/.exec(header.toLowerCase())?.[1];

export const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

// For example, a service's name in a compose network. Hardly any web page has such a host.
const isPlainName = (host: string) => /^[a-z0-9_-]+$/.test(host) && /[a-z_-]/.test(host);
