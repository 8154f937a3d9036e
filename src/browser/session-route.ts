// /session/, where a browser chooses whom it acts as: a user with a public token, the owner of a token, or nobody. Each
// sandbox has its own.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../access/credentials.ts';
import { admitted } from '../access/permissions.ts';
import { findCaller } from '../access/queries.ts';
import { placeOf } from '../access/which-sandbox.ts';
import { type BaseUrlOptions, findOrigin } from '../api/base-url.ts';
import { plainJson } from '../api/wire/negotiate.ts';
import { parseQuery } from '../api/wire/query-string.ts';
import type { Sender } from '../api/send.ts';
import type { Database } from '../database/database.ts';
import { ApiError, apiError, validationError } from '../errors.ts';
import { linksUnder } from '../pages/links.ts';
import { renderChoicePage } from '../pages/frame/choice-page.ts';
import { pageHeaders } from '../pages/frame/page-headers.ts';
import { sessionPath } from './is-for-page.ts';
import { isFromOwnPage } from './own-page.ts';
import { closeSession, cookieOf, findSessionId, noCookie, openSession } from './sessions.ts';
import { cookiePlaceOf, isSameFormToken } from './visitors.ts';

interface SessionRouteOptions extends BaseUrlOptions {
  readonly database: Pick<Database, 'reads' | 'writes'>;
  readonly sender: Sender;
}

interface Chosen {
  /** A user's name; empty for nobody. */
  readonly act_as?: string;
  readonly token?: string;
  /** Where the page leads to next. */
  readonly next?: string;
  /** The token of the form. */
  readonly csrf?: string;
}

// A form has four short fields.
const bodyLimit = 8192;

export function registerSessions(app: FastifyInstance, options: SessionRouteOptions): void {
  const { database, sender } = options;

  const show = (request: FastifyRequest, reply: FastifyReply, next = '', refusal?: ApiError): FastifyReply =>
    reply
      .code(refusal === undefined ? 200 : refusal.status === 401 ? 400 : refusal.status)
      .headers(pageHeaders)
      .type('text/html; charset=utf-8')
      .send(renderChoicePage({ baseUrl: baseUrlOf(request), visitor: request.visitor, next, refusal }));

  function baseUrlOf(request: FastifyRequest): string {
    return findOrigin(request.raw, options) + placeOf(request).prefix;
  }

  async function choose(request: FastifyRequest, reply: FastifyReply, chosen: Chosen): Promise<FastifyReply> {
    const { sandbox } = placeOf(request);
    const origin = findOrigin(request.raw, options);
    const place = cookiePlaceOf(request, origin);
    // A page of another site could sign its visitor in as a user of its choice.
    if (place === undefined || !isFromOwnPage(request, origin)) throw apiError('form_rejected');
    const expected = request.visitor?.formToken;
    if (expected !== undefined && !isSameFormToken(chosen.csrf, expected)) throw apiError('form_rejected');
    const token = await findToken(chosen, request);
    const former = findSessionId(request.headers.cookie, place);
    const id = token === undefined ? undefined : await openSession(database, { sandbox, token });
    if (token !== undefined && id === undefined) throw apiError('sandbox_not_found', sandbox);
    if (former !== undefined) await closeSession(database, sandbox, former);
    const base = baseUrlOf(request);
    return reply
      .header('set-cookie', id === undefined ? noCookie(place) : cookieOf(id, place))
      .header('cache-control', 'no-store')
      .redirect(linksUnder(base)(chosen.next ?? '', `${base}/`) ?? `${base}/`, 303);
  }

  /** Undefined for nobody. Throws what the API answers to a token that isn't valid. */
  async function findToken(chosen: Chosen, request: FastifyRequest): Promise<string | undefined> {
    const { sandbox } = placeOf(request);
    const username = chosen.act_as ?? '';
    const token = chosen.token?.trim() ?? '';
    if (token === '' && chosen.token !== undefined)
      throw validationError([{ code: 'blank', detail: 'This field may not be blank.', attr: 'token' }]);
    if (token === '' && username === '') return undefined;
    const found = token || request.visitor?.choices.find((one) => one.username === username)?.token;
    if (found === undefined)
      throw validationError([{ code: 'invalid_choice', detail: 'No such user has a public token.', attr: 'act_as' }]);
    const caller = { sandbox, hash: hashToken(found), username: '', anonymous_reads: false, anonymous_writes: false };
    admitted(await findCaller(database.reads, caller), sandbox);
    return found;
  }

  const inPage = { ...plainJson, format: 'api' } as const;
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sender.sendError(request, reply, inPage, error);

  app.route({
    method: ['GET', 'HEAD'],
    url: sessionPath,
    errorHandler,
    handler: async (request, reply) => show(request, reply, (request.query as Chosen).next),
  });

  app.route({
    method: 'POST',
    url: sessionPath,
    bodyLimit,
    errorHandler,
    handler: async (request, reply) => {
      const chosen = parseQuery((request.body as Buffer | undefined)?.toString() ?? '') as Chosen;
      try {
        return await choose(request, reply, chosen);
      } catch (error) {
        // Of an unknown sandbox no user can be chosen.
        if (error instanceof ApiError && error.status < 500 && error.status !== 404)
          return show(request, reply, chosen.next, error);
        throw error;
      }
    },
  });
}
