// Sessions of browsers. A cookie holds a random id and nothing else; what it stands for lies in the database, under the
// id's hash. It belongs to one sandbox and, by its name, to one port: browsers send cookies to every port of a host.
import { randomBytes } from 'node:crypto';
import { hashToken } from '../access/credentials.ts';
import type { Database } from '../database/database.ts';
import { addSession, dropSession, findVisitor } from './queries.ts';

const lifetimeSeconds = 3600;

/** What a session allows: to act as a user of a sandbox, or to use the console. */
export type SessionKind = 'user' | 'console';

export interface CookiePlace {
  readonly kind: SessionKind;
  /** The URL that the browser knows the service by, without a sandbox's prefix. */
  readonly origin: string;
  /** `/sandboxes/<name>`, or empty. */
  readonly prefix: string;
}

function portOf({ origin }: CookiePlace): string {
  const { port, protocol } = new URL(origin);
  return port || (protocol === 'https:' ? '443' : '80');
}

const nameOf = (place: CookiePlace): string => `understudy-${place.kind}-${portOf(place)}`;

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
    // The browser sends the one of the longest path first.
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

/** The value of Set-Cookie that gives the browser the session. */
export const cookieOf = (id: string, place: CookiePlace): string =>
  `${nameOf(place)}=${id}; Max-Age=${lifetimeSeconds}; ${attributesOf(place)}`;

/** The value of Set-Cookie that takes it back. */
export const noCookie = (place: CookiePlace): string => `${nameOf(place)}=; Max-Age=0; ${attributesOf(place)}`;

/** What the forms of a session's pages carry. Other sites can't know it, nor compute it without the cookie. */
export const formTokenOf = (id: string): string => hashToken(`form ${id}`).toString('base64url');

interface Opened {
  readonly id: string;
  /** Null for the console. */
  readonly username: string | null;
}

/** Undefined if the token is no active user's of the sandbox. */
export async function openSession(
  database: Pick<Database, 'writes'>,
  { sandbox, token, kind }: { readonly sandbox: string; readonly token: string; readonly kind: SessionKind },
): Promise<Opened | undefined> {
  const id = randomBytes(32).toString('base64url');
  const made = await addSession(database.writes(sandbox), {
    sandbox,
    hash: hashToken(id),
    token_hash: hashToken(token),
    of_user: kind === 'user',
    lifetime_seconds: lifetimeSeconds,
  });
  return made && { id, username: made.username };
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
