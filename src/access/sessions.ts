// Sessions of browsers: signed cookies that the service doesn't store (docs/decisions/0024). A cookie's name
// contains the port and the sandbox, because browsers send every cookie to all ports of a host, and to the
// pages of all sandboxes.
import { createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { isFromOwnPage, isNavigation, type Sent } from './gate.ts';
import { createRateLimiter } from './rate-limit.ts';
import { defaultSandbox } from './which-sandbox.ts';
import type { Database } from '../database/database.ts';
import { apiError } from '../base/errors.ts';
import { safeMethods } from '../base/http-names.ts';
import { findSessionKey } from './caller-queries.ts';

const lifetimeSeconds = 3600;

export interface CookiePlace {
  /** What the session is for: acting as a user of a sandbox, or the console. */
  readonly kind: 'user' | 'console';
  /** The service's URL in the browser, without a sandbox's prefix. */
  readonly origin: string;
  /** `/sandboxes/<name>`; empty for `default`. */
  readonly prefix: string;
}

export const consolePlace = (origin: string): CookiePlace => ({ kind: 'console', origin, prefix: '' });

function nameOf({ kind, origin, prefix }: CookiePlace) {
  const { port, protocol } = new URL(origin);
  return ['understudy', kind, port || (protocol === 'https:' ? '443' : '80'), ...prefix.split('/').slice(2)].join('-');
}

/** All pages get all cookies: every page shows the user's session and the console's. */
const pathOf = ({ origin }: CookiePlace) => new URL(origin).pathname.replace(/\/?$/, '/');

const cookieOf = (place: CookiePlace, value: string, seconds: number) =>
  `${nameOf(place)}=${value}; Max-Age=${seconds}; Path=${pathOf(place)}; HttpOnly; SameSite=Strict` +
  (place.origin.startsWith('https:') ? '; Secure' : '');

export const noCookie = (place: CookiePlace) => cookieOf(place, '', 0);

const readCookies = ({ headers: { cookie = '' } }: Sent) =>
  cookie.split(';').map((pair) => {
    const [name = '', value = ''] = pair.trim().split('=');
    return { name, value };
  });

const readCookie = (request: Sent, place: CookiePlace) =>
  readCookies(request).find(({ name }) => name === nameOf(place))?.value ?? '';

// Browsers send all cookies with every request, 200 bytes each. Node accepts 16 KiB of headers.
const mostSandboxes = 20;

// The expiry in seconds, the SHA-256 of a user's token, and the signature of both and of the place.
const format = /^((\d{1,12})\.([\w-]{43})?)\.([\w-]{43})$/;

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(database: Pick<Database, 'act'>, adminToken: string | undefined, now = Date.now) {
  let key: Buffer | undefined;

  // Services with the same admin token share the key;
  // without admin tokens, services on the same database do.
  // Programs on other ports get cookies, and could guess the token from a cookie: scrypt slows this down.
  async function sign(content: string, { kind, prefix }: CookiePlace) {
    key ??=
      adminToken === undefined
        ? await findSessionKey(database.act(defaultSandbox))
        : await promisify<string, string, number, Buffer>(scrypt)(adminToken, 'understudy sessions', 32);
    return createHmac('sha256', key).update(`1 ${kind}${prefix} ${content}`).digest('base64url');
  }

  return {
    /** Returns the Set-Cookie that begins a session. @param tokenHash left out for the console */
    async open(place: CookiePlace, tokenHash: Buffer = Buffer.alloc(0)) {
      const content = `${Math.floor(now() / 1000) + lifetimeSeconds}.${tokenHash.toString('base64url')}`;
      return cookieOf(place, `${content}.${await sign(content, place)}`, lifetimeSeconds);
    },
    /**
     * Returns the session's `tokenHash`; undefined without a valid session, or for a foreign page's
     * script. Throws 403 if a request with a session would change something, but comes from no page of this
     * service.
     */
    async find(request: Sent, place: CookiePlace) {
      const found = format.exec(readCookie(request, place));
      if (found === null) return undefined;
      const [, content = '', expires, tokenHash = '', signature = ''] = found;
      if (Number(expires) * 1000 <= now()) return undefined;
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(await sign(content, place)))) return undefined;
      const isOwn = isFromOwnPage(request, place.origin);
      if (!isOwn && !safeMethods.has(request.method)) throw apiError('form_rejected');
      return isOwn || isNavigation(request) ? Buffer.from(tokenHash, 'base64url') : undefined;
    },
    /** The end of the session that `find` found, in milliseconds since 1970. */
    endOf(request: Sent, place: CookiePlace) {
      return Number.parseInt(readCookie(request, place)) * 1000;
    },
    /** Set-Cookies that end the oldest sessions: `mostSandboxes` remain, including a new one in `place`. */
    endOldest(request: Sent, place: CookiePlace) {
      const start = nameOf({ ...place, prefix: '' });
      return readCookies(request)
        .filter(({ name }) => name !== nameOf(place) && (name === start || name.startsWith(`${start}-`)))
        .toSorted((a, b) => Number.parseInt(b.value) - Number.parseInt(a.value))
        .slice(mostSandboxes - 1)
        .map(({ name }) => noCookie({ ...place, prefix: name.slice(start.length).replace('-', '/sandboxes/') }));
    },
    /** Counts an address's wrong tokens; a count of 0 only checks. Throws 429 after ten in a minute. */
    limitFailures: createRateLimiter(10, 60_000),
  };
}
