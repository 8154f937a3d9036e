// Sessions of browsers (docs/decisions/0022). A cookie holds a random id and nothing else; what it stands for lies in the
// database, under the id's hash. By its name it belongs to one port, because browsers send cookies to every port of a
// host, and to one sandbox: at a sandbox's pages they send the cookie of `default` too.
import { randomBytes } from 'node:crypto';
import { hashToken } from '../access/credentials.ts';
import type { Database } from '../database/database.ts';
import { addSession, dropSession, findVisitor } from './queries.ts';

const lifetimeSeconds = 3600;

export interface CookiePlace {
  /** What the session allows: to act as a user of a sandbox, or to use the console. */
  readonly kind: 'user' | 'console';
  /** The URL that the browser knows the service by, without a sandbox's prefix. */
  readonly origin: string;
  /** `/sandboxes/<name>`; empty for `default`. */
  readonly prefix: string;
}

function portOf({ origin }: CookiePlace): string {
  const { port, protocol } = new URL(origin);
  return port || (protocol === 'https:' ? '443' : '80');
}

const nameOf = (place: CookiePlace): string =>
  ['understudy', place.kind, portOf(place), ...place.prefix.split('/').slice(2)].join('-');

function pathOf({ kind, origin, prefix }: CookiePlace): string {
  const base = new URL(origin).pathname.replace(/\/$/, '');
  return `${base}${prefix}${kind === 'console' ? '/_understudy/' : '/'}`;
}

const validId = /^[A-Za-z0-9_-]{43}$/;

/** The id that the browser sent for this place; undefined for none, or for what is no id. */
export function findSessionId(cookies: string | undefined, place: CookiePlace): string | undefined {
  if (cookies === undefined) return undefined;
  const name = nameOf(place);
  for (const pair of cookies.split(';')) {
    const [key = '', value = ''] = pair.split('=', 2);
    if (key.trim() === name) return validId.test(value.trim()) ? value.trim() : undefined;
  }
  return undefined;
}

const attributesOf = (place: CookiePlace): string =>
  [
    `Path=${pathOf(place)}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(place.origin.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

/**
 * The value of Set-Cookie that gives the browser the session. The browser keeps it until it is closed, so that pages can
 * say that the session has ended.
 */
export const cookieOf = (id: string, place: CookiePlace): string => `${nameOf(place)}=${id}; ${attributesOf(place)}`;

/** The value of Set-Cookie that takes it back. */
export const noCookie = (place: CookiePlace): string => `${nameOf(place)}=; Max-Age=0; ${attributesOf(place)}`;

/** What the forms of a session's pages carry. Other sites can't know it, nor compute it without the cookie. */
export const formTokenOf = (id: string): string => hashToken(`form ${id}`).toString('base64url');

/** Returns the session's id. Undefined if there is no such sandbox. Whether the token is valid, the caller has checked. */
export async function openSession(
  database: Pick<Database, 'writes'>,
  { sandbox, token }: { readonly sandbox: string; readonly token: string },
): Promise<string | undefined> {
  const id = randomBytes(32).toString('base64url');
  const isMade = await addSession(database.writes(sandbox), {
    sandbox,
    hash: hashToken(id),
    token_hash: hashToken(token),
    lifetime_seconds: lifetimeSeconds,
  });
  return isMade ? id : undefined;
}

/** The hash of the token that the session was opened with; undefined once it ended. */
export async function findTokenHash(
  { reads }: Pick<Database, 'reads'>,
  sandbox: string,
  id: string,
): Promise<Buffer | undefined> {
  const [found] = await findVisitor(reads, { sandbox, session_hash: hashToken(id), token_hash: null });
  return found?.session_token_hash ?? undefined;
}

export const closeSession = async (database: Pick<Database, 'writes'>, sandbox: string, id: string): Promise<void> =>
  void (await dropSession(database.writes(sandbox), { sandbox, hash: hashToken(id) }));
