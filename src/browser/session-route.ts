// /session/, where a browser chooses whom it acts as: a user with a public token, the owner of a token, or nobody. Each
// sandbox has its own.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BaseUrlOptions, findOrigin } from '../api/base-url.ts';
import { plainJson } from '../api/wire/negotiate.ts';
import { parseQuery } from '../api/wire/query-string.ts';
import type { Sender } from '../api/send.ts';
import type { Database } from '../database/database.ts';
import { apiError, validationError } from '../errors.ts';
import { linksUnder } from '../pages/links.ts';
import { isFromOwnPage } from './own-page.ts';
import { defaultSandbox } from '../access/which-sandbox.ts';
import type { Samples } from './public-users.ts';
import { closeSession, type CookiePlace, cookieOf, findSessionId, noCookie, openSession } from './sessions.ts';

interface SessionRouteOptions extends BaseUrlOptions {
  readonly database: Pick<Database, 'writes'>;
  readonly sender: Sender;
  readonly samples: Samples;
}

interface Chosen {
  /** A user's name, or nothing for nobody. */
  readonly act_as?: string;
  /** Counts if it isn't empty. */
  readonly token?: string;
  /** Where the page leads to next. */
  readonly next?: string;
}

// A form has three short fields.
const bodyLimit = 8192;

export function registerSessions(app: FastifyInstance, options: SessionRouteOptions): void {
  const { database, sender, samples } = options;

  async function choose(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const origin = findOrigin(request.raw, options);
    const { name: sandbox = defaultSandbox } = request.params as { name?: string };
    const prefix = sandbox === defaultSandbox ? '' : `/sandboxes/${sandbox}`;
    const place: CookiePlace = { kind: 'user', origin, prefix };
    // A page of another site could sign its visitor in as a user of its choice.
    if (!isFromOwnPage(request, origin)) throw apiError('form_rejected');
    const chosen = parseQuery((request.body as Buffer | undefined)?.toString() ?? '') as Chosen;
    const token = await findToken(chosen, sandbox);
    const former = findSessionId(request.headers.cookie, place);
    const opened = token === undefined ? undefined : await openSession(database, { sandbox, token, kind: 'user' });
    if (token !== undefined && opened === undefined)
      throw validationError([{ code: 'invalid', detail: apiError('invalid_token').message, attr: 'token' }]);
    if (former !== undefined) await closeSession(database, sandbox, former);
    reply.header('set-cookie', opened === undefined ? noCookie(place) : cookieOf(opened.id, place));
    const base = `${origin}${prefix}`;
    const next = linksUnder(base)(chosen.next ?? '', `${base}/`) ?? `${base}/api/`;
    return reply.header('cache-control', 'no-store').redirect(next, 303);
  }

  async function findToken(
    { act_as: username = '', token = '' }: Chosen,
    sandbox: string,
  ): Promise<string | undefined> {
    if (token.trim() !== '') return token.trim();
    if (username === '') return undefined;
    const choice = (await samples.of(sandbox)).find((one) => one.username === username);
    if (choice === undefined)
      throw validationError([{ code: 'invalid_choice', detail: 'No such user has a public token.', attr: 'act_as' }]);
    return choice.token;
  }

  for (const url of ['/session/', '/sandboxes/:name/session/'])
    app.route({
      method: 'POST',
      url,
      bodyLimit,
      handler: async (request, reply) => {
        try {
          return await choose(request, reply);
        } catch (error) {
          sender.sendError(request, reply, { ...plainJson, format: 'api' }, error);
          return reply;
        }
      },
    });
}
