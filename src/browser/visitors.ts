// Finds out who is at the browser, for every request that is answered by a page: by the request's own token, else by
// the session of its cookie. From then on the request has that user's token, for the API and for the journal.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actWith, hashToken, tokenHashOf } from '../access/credentials.ts';
import { defaultSandbox, isSandboxName, placeOf } from '../access/which-sandbox.ts';
import { type BaseUrlOptions, findOrigin } from '../api/base-url.ts';
import type { Sender } from '../api/send.ts';
import { plainJson } from '../api/wire/negotiate.ts';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/sqlstates.ts';
import { apiError } from '../errors.ts';
import type { Visitor } from '../pages/frame/visitor.ts';
import { isForPage, sessionPath } from './is-for-page.ts';
import { isFromOwnPage, isNavigation } from './own-page.ts';
import type { Samples } from './public-users.ts';
import { findVisitor } from './queries.ts';
import { type CookiePlace, findSessionId, formTokenOf } from './sessions.ts';

interface VisitorOptions extends BaseUrlOptions {
  readonly database: Pick<Database, 'reads'>;
  readonly sender: Sender;
  readonly samples: Samples;
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** To be called before the routes are registered, and before the hooks that ask who the caller is. */
export function registerVisitors(app: FastifyInstance, options: VisitorOptions): void {
  const { database, sender, samples } = options;
  app.decorateRequest('visitor', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    if (!isForPage(request)) return done();
    void describeOrRefuse(request, reply, done);
  });

  async function describeOrRefuse(request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> {
    try {
      request.visitor = await describe(request);
    } catch (error) {
      sender.sendError(request, reply, { ...plainJson, format: 'api' }, error);
      return;
    }
    done();
  }

  /** Throws 403 for a form of another page. */
  async function describe(request: FastifyRequest): Promise<Visitor | undefined> {
    const { sandbox } = placeOf(request);
    if (!isSandboxName(sandbox)) return undefined;
    const sent = sentToken(request);
    const id = sent === undefined ? findCountingId(request) : undefined;
    try {
      const session_hash = id === undefined ? null : hashToken(id);
      const [found, choices] = await Promise.all([
        findVisitor(database.reads, { sandbox, session_hash, token_hash: sent ?? null }).then(([row]) => row),
        samples.of(sandbox),
      ]);
      const session = found?.session_token_hash ?? undefined;
      const isOpen = id !== undefined && session !== undefined;
      if (isOpen) {
        actWith(request, session);
        checkForm(request, id);
      }
      const username = found?.username ?? undefined;
      const token = choices.find((choice) => choice.username === username)?.token;
      return {
        choices,
        ...(username !== undefined && { username }),
        ...(token !== undefined && { token }),
        ...(isOpen && { formToken: formTokenOf(id) }),
        ...(isOpen && username === undefined && { ended: 'token' as const }),
        ...(id !== undefined && session === undefined && { ended: 'session' as const }),
      };
    } catch (error) {
      // The page says so in its own place.
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  }

  function findCountingId(request: FastifyRequest): string | undefined {
    if (request.headers.cookie === undefined) return undefined;
    const origin = findOrigin(request.raw, options);
    if (!isFromOwnPage(request, origin) && !isNavigation(request)) return undefined;
    const place = cookiePlaceOf(request, origin);
    return place && findSessionId(request.headers.cookie, place);
  }
}

/** Undefined where a header names the sandbox: browsers keep cookies by path. */
export function cookiePlaceOf(request: FastifyRequest, origin: string): CookiePlace | undefined {
  const { sandbox, prefix } = placeOf(request);
  if (sandbox === defaultSandbox) return { kind: 'user', origin, prefix: '' };
  return prefix === '' ? undefined : { kind: 'user', origin, prefix };
}

/** The hash of the request's own token; null for a header without one. Undefined without a header. */
function sentToken(request: FastifyRequest): Buffer | null | undefined {
  if (request.headers.authorization === undefined) return undefined;
  try {
    return tokenHashOf(request);
  } catch {
    return null;
  }
}

/** Sent by the scripts of our pages with requests that change something. */
export const formTokenHeader = 'x-csrf-token';

function checkForm({ method, headers, routeOptions }: FastifyRequest, id: string): void {
  // That route reads it from the body.
  if (safeMethods.has(method) || routeOptions.url === sessionPath) return;
  if (!isFormToken(headers[formTokenHeader], id)) throw apiError('form_rejected');
}

export const isFormToken = (given: unknown, id: string): boolean => isSameFormToken(given, formTokenOf(id));

/** Hashes have one length, and the time that it takes to compare them reveals nothing of the token. */
export const isSameFormToken = (given: unknown, expected: string): boolean =>
  timingSafeEqual(hashToken(String(given)), hashToken(expected));
