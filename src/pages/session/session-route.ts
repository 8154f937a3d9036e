// /session/ sets as whom a browser acts in a sandbox: a user with a public token, a token's owner, or nobody.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../../access/credentials.ts';
import { isFromOwnPage } from '../../access/gate.ts';
import { admitRow } from '../../access/permissions.ts';
import { findCaller } from '../../access/caller-queries.ts';
import { parseQuery } from '../../http/wire/query-string.ts';
import { ApiError, apiError, errorLine, validationError } from '../../base/errors.ts';
import { linksUnder } from '../links.ts';
import { html } from '../html.ts';
import { renderLayout } from '../frame/layout.ts';
import { renderAlert } from '../parts.ts';
import { renderChoice } from '../frame/menus.ts';
import { noCookie } from '../../access/sessions.ts';
import { cookiePlaceOf, type PageParts } from './visitors.ts';

/** `act_as` is a user's name, empty for nobody. */
type Chosen = Readonly<Partial<Record<'act_as' | 'token' | 'next', string>>>;

export function registerSessions(app: FastifyInstance, { services, sessions }: PageParts) {
  /** The page that offers the choice, also after a refusal. @param next the address after the choice */
  function show({ context }: FastifyRequest, reply: FastifyReply, next = '', refusal?: ApiError) {
    const { baseUrl, visitor } = context;
    const title = visitor?.username === undefined ? 'Choose a user' : `You act as ${visitor.username}`;
    const { status = 200, message } = refusal ?? {};
    const isOfToken = status === 401;
    const chooser = { choices: [], ...visitor, returnTo: next };
    const wrongToken = isOfToken ? message : undefined;
    const { content, headers } = renderLayout({
      title: refusal === undefined ? title : `Refused: ${title}`,
      baseUrl,
      // The page is the choice, so the header has none.
      visitor: visitor && { ...visitor, returnTo: undefined },
      main: html`<div class="narrow stack">
        <h1>${title}</h1>
        ${!isOfToken && renderAlert(refusal?.lines)}
        <div class="choice">${renderChoice(baseUrl, chooser, wrongToken)}</div>
      </div>`,
    });
    reply.code(isOfToken ? 400 : status).headers({ ...headers, ...refusal?.headers });
    return reply.send(content);
  }

  async function choose(request: FastifyRequest, reply: FastifyReply, chosen: Chosen) {
    const { origin, baseUrl: base, place: of } = request.context;
    const place = cookiePlaceOf(of.sandbox, of.prefix, origin);
    // Another site's page must not choose the user for its visitors.
    if (place === undefined || !isFromOwnPage(request, origin)) throw apiError('form_rejected');
    const tokenHash = await findTokenHash(chosen, request);
    return reply
      .header('set-cookie', [
        tokenHash === undefined ? noCookie(place) : await sessions.open(place, tokenHash),
        ...sessions.endOldest(request, place),
      ])
      .header('cache-control', 'no-store')
      .redirect(linksUnder(origin)(chosen.next ?? '', `${base}/`) ?? `${base}/`, 303);
  }

  /** Undefined for nobody. Throws the API's error for an invalid token. */
  async function findTokenHash(chosen: Chosen, request: FastifyRequest) {
    const { place, visitor } = request.context;
    const { act_as: username = '', token } = chosen;
    if (token === undefined && username === '') return undefined;
    const found = token?.trim() ?? visitor?.choices.find((one) => one.username === username)?.token;
    if (found === undefined)
      throw validationError([errorLine('act_as', 'invalid_choice', 'No such user has a public token.')]);
    if (token !== undefined) sessions.limitFailures(request.ip, 0);
    const hash = hashToken(found);
    const caller = { sandbox: place.sandbox, hash, username: '', anonymous: 'strict' } as const;
    const rows = await findCaller(services.database.read, caller);
    if (rows[0]?.refused === 'invalid_token') sessions.limitFailures(request.ip);
    admitRow(rows, { place });
    return hash;
  }

  app.get('/session/', { exposeHeadRoute: true }, async (request, reply) =>
    show(request, reply, (request.query as Chosen).next),
  );

  app.post('/session/', { bodyLimit: 8192 }, async (request, reply) => {
    const chosen = parseQuery(String(request.context.body ?? '')) as Chosen;
    try {
      return await choose(request, reply, chosen);
    } catch (error) {
      // An unknown sandbox has no users to choose.
      if (error instanceof ApiError && error.status < 500 && error.status !== 404)
        return show(request, reply, chosen.next, error);
      throw error;
    }
  });
}
