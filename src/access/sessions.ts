// Sessions of browsers: signed cookies, which the service doesn't store (docs/decisions/0024). A cookie's name holds
// the port, because browsers send cookies to every port of a host. The name also holds the sandbox, because browsers
// send the cookie of `default` to the pages of every sandbox too.
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
  /** What the session allows: to act as a user of a sandbox, or to use the console. */
  readonly kind: 'user' | 'console';
  /** The URL that the browser knows the service by, without a sandbox's prefix. */
  readonly origin: string;
  /** `/sandboxes/<name>`; empty for `default`. */
  readonly prefix: string;
}

export const consolePlace = (origin: string): CookiePlace => ({ kind: 'console', origin, prefix: '' });

function nameOf({ kind, origin, prefix }: CookiePlace) {
  const { port, protocol } = new URL(origin);
  return ['understudy', kind, port || (protocol === 'https:' ? '443' : '80'), ...prefix.split('/').slice(2)].join('-');
}

/** All pages get all cookies: the console shows whom a sandbox's pages act as; these show what the console may do. */
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

// Browsers send each cookie with every request for a page. It takes 200 bytes at most; Node accepts 16 KiB of headers.
const mostSandboxes = 20;

// The time of expiry in seconds; the SHA-256 of a user's token; the signature of both and of the place.
const format = /^((\d{1,12})\.([\w-]{43})?)\.([\w-]{43})$/;

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(
  database: Pick<Database, 'act'>,
  adminToken: string | undefined,
  now: () => number = Date.now,
) {
  let key: Buffer | undefined;

  // Services with one admin token or one database agree on the key. scrypt, because whoever sees a cookie, such as a
  // program on another port, could try admin tokens on its signature.
  async function readKey() {
    if (adminToken !== undefined)
      return promisify<string, string, number, Buffer>(scrypt)(adminToken, 'understudy sessions', 32);
    return findSessionKey(database.act(defaultSandbox));
  }

  async function sign(content: string, { kind, prefix }: CookiePlace) {
    key ??= await readKey();
    return createHmac('sha256', key).update(`1 ${kind}${prefix} ${content}`).digest('base64url');
  }

  return {
    /** Returns the value of Set-Cookie that begins a session. @param tokenHash none for the console's */
    async open(place: CookiePlace, tokenHash: Buffer = Buffer.alloc(0)) {
      const content = `${Math.floor(now() / 1000) + lifetimeSeconds}.${tokenHash.toString('base64url')}`;
      return cookieOf(place, `${content}.${await sign(content, place)}`, lifetimeSeconds);
    },
    /**
     * Returns the hash that the session was opened with, or undefined if the request has no session that counts.
     * Throws 403 if a request with a session would change something, but comes from no page of this service.
     */
    async find(request: Sent, place: CookiePlace): Promise<Buffer | undefined> {
      const found = format.exec(readCookie(request, place));
      if (found === null) return undefined;
      const [, content = '', expires, tokenHash = '', signature = ''] = found;
      if (Number(expires) * 1000 <= now()) return undefined;
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(await sign(content, place)))) return undefined;
      const isOwn = isFromOwnPage(request, place.origin);
      if (!isOwn && !safeMethods.has(request.method)) throw apiError('form_rejected');
      return isOwn || isNavigation(request) ? Buffer.from(tokenHash, 'base64url') : undefined;
    },
    /** When the session that `find` returned ends, in milliseconds since 1970. */
    endOf(request: Sent, place: CookiePlace) {
      return Number.parseInt(readCookie(request, place)) * 1000;
    },
    /** Values of Set-Cookie that end the oldest sessions of users, to keep the limit with a new one in `place`. */
    endOldest(request: Sent, place: CookiePlace) {
      const start = nameOf({ ...place, prefix: '' });
      return readCookies(request)
        .filter(({ name }) => name !== nameOf(place) && (name === start || name.startsWith(`${start}-`)))
        .toSorted((a, b) => Number.parseInt(b.value) - Number.parseInt(a.value))
        .slice(mostSandboxes - 1)
        .map(({ name }) => noCookie({ ...place, prefix: name.slice(start.length).replace('-', '/sandboxes/') }));
    },
    /** Counts a user's wrong token per address, or only checks with a count of 0. Throws 429 after ten in a minute. */
    limitFailures: createRateLimiter(10, 60_000),
  };
}
