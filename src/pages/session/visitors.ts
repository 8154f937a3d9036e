// Finds out who is at the browser, for every request that is answered by a page: by the request's own token, else by
// the session of its cookie. From then on the request has that user's token, for the API and for the journal.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actWith, tokenHashOf } from '../../access/credentials.ts';
import { defaultSandbox, isSandboxName, placeOf } from '../../access/which-sandbox.ts';
import { type BaseUrlOptions, findOrigin } from '../../http/base-url.ts';
import { inPage } from '../../http/wire/negotiate.ts';
import type { Database } from '../../database/database.ts';
import { isUnavailable } from '../../database/sqlstates.ts';
import type { Visitor } from '../../http/visitor.ts';
import { isForPage } from '../../http/is-for-page.ts';
import type { Samples } from './public-users.ts';
import { findVisitor } from './queries.ts';
import type { CookiePlace, Sessions } from './sessions.ts';

interface VisitorOptions extends BaseUrlOptions {
  readonly database: Pick<Database, 'reads'>;
  readonly samples: Samples;
  readonly sessions: Sessions;
}

/** To be called before the routes are registered, and before the hooks that ask who the caller is. */
export function registerVisitors(app: FastifyInstance, options: VisitorOptions): void {
  const { database, samples, sessions } = options;
  app.decorateRequest('visitor', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isForPage(request)) return done();
    request.negotiated = inPage;
    void describeOrFail(request, done);
  });

  async function describeOrFail(request: FastifyRequest, done: (error?: Error) => void): Promise<void> {
    try {
      request.visitor = await describe(request);
    } catch (error) {
      return done(error as Error);
    }
    done();
  }

  /** Throws 403 for a form of another page. */
  async function describe(request: FastifyRequest): Promise<Visitor | undefined> {
    const { sandbox } = placeOf(request);
    if (!isSandboxName(sandbox)) return undefined;
    try {
      const sent = sentToken(request);
      const session = sent === undefined ? await findSession(request) : undefined;
      const [[found], choices] = await Promise.all([
        findVisitor(database.reads, { sandbox, token_hash: sent ?? session ?? null }),
        samples.of(sandbox),
      ]);
      if (session !== undefined) actWith(request, session);
      const username = found?.username;
      const token = choices.find((choice) => choice.username === username)?.token;
      return {
        choices,
        ...(username !== undefined && { username }),
        ...(token !== undefined && { token }),
        hasEnded: session !== undefined && username === undefined,
      };
    } catch (error) {
      // The page says so in its own place.
      if (isUnavailable(error)) return undefined;
      throw error;
    }
  }

  async function findSession(request: FastifyRequest): Promise<Buffer | undefined> {
    if (request.headers.cookie === undefined) return undefined;
    const place = cookiePlaceOf(request, findOrigin(request.raw, options));
    return place && (await sessions.find(request, place));
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
