// The console at /_understudy/: pages behind the same gate as our own API. Where an admin token is set, a session of the
// browser stands in for it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gate } from '../access/gate.ts';
import { type BaseUrlOptions, findOrigin } from '../api/base-url.ts';
import { decodeFields } from '../api/body/decode.ts';
import { contentTypeOf } from '../api/content-type.ts';
import { plainJson } from '../api/wire/negotiate.ts';
import { becomeIdle } from '../api/own.ts';
import { type Sender, toApiError } from '../api/send.ts';
import { isFromOwnPage, isNavigation } from '../browser/own-page.ts';
import { isFormToken } from '../browser/visitors.ts';
import { type CookiePlace, findSessionId, findTokenHash, formTokenOf } from '../browser/sessions.ts';
import { apiError } from '../errors.ts';
import { pageHeaders } from '../pages/frame/page-headers.ts';
import type { ConsoleAnswer, ConsoleRoute, ConsoleServices, Visit } from './console-page.ts';
import { renderConsole, renderRefusal } from './console-frame.ts';
import { consoleSandbox, isOpenToAll, signInPage } from './sign-in.ts';

interface ConsoleOptions extends BaseUrlOptions {
  readonly services: ConsoleServices;
  readonly gate: Gate;
  readonly sender: Sender;
  /** Of a form, in bytes: a seed may be uploaded. */
  readonly bodyLimitBytes: number;
}

const mostFields = 1000;

export function registerConsole(app: FastifyInstance, routes: readonly ConsoleRoute[], options: ConsoleOptions): void {
  const { services, gate, bodyLimitBytes: bodyLimit } = options;

  for (const route of routes)
    app.route({
      method: route.method,
      url: `/_understudy/${route.path}`,
      bodyLimit,
      // Before the body is read.
      onRequest: async (request, reply) => {
        try {
          const origin = findOrigin(request.raw, options);
          if ((await isSignedIn(request)) || isOpenToAll(route)) return;
          await send(reply, origin, undefined, signInPage(origin, request.originalUrl));
        } catch (error) {
          options.sender.sendError(request, reply, { ...plainJson, format: 'api' }, error);
        }
      },
      handler: (request, reply) => answer(request, reply, route),
    });

  const placeOfCookie = (request: FastifyRequest): CookiePlace => ({
    kind: 'console',
    origin: findOrigin(request.raw, options),
    prefix: '',
  });

  /** Throws 403 for a request that may not pass, signed in or not. */
  async function isSignedIn(request: FastifyRequest): Promise<boolean> {
    if (!gate.admitPage(request)) return true;
    const id = countingId(request);
    // The admin token may have changed since.
    const tokenHash = id === undefined ? undefined : await findTokenHash(services.database, consoleSandbox, id);
    return tokenHash !== undefined && gate.isTokenHash(tokenHash);
  }

  function countingId(request: FastifyRequest): string | undefined {
    const place = placeOfCookie(request);
    if (!isFromOwnPage(request, place.origin) && !isNavigation(request)) return undefined;
    return findSessionId(request.headers.cookie, place);
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, route: ConsoleRoute): Promise<FastifyReply> {
    const origin = findOrigin(request.raw, options);
    const id = gate.admitPage(request) ? countingId(request) : undefined;
    const formToken = id === undefined ? undefined : formTokenOf(id);
    try {
      const visit: Visit = {
        params: request.params as Visit['params'],
        query: request.query as Visit['query'],
        form: route.method === 'POST' ? readForm(request, origin, id) : {},
        origin,
        session: id,
        formToken,
        idle: () => becomeIdle(request, reply),
      };
      return await send(reply, origin, formToken, await route.handle(visit, services));
    } catch (error) {
      return send(reply, origin, formToken, renderRefusal(toApiError(error, request)));
    }
  }

  function readForm(request: FastifyRequest, origin: string, id: string | undefined): Visit['form'] {
    if (!isFromOwnPage(request, origin)) throw apiError('form_rejected');
    const sent = { body: request.body as Buffer | undefined, contentType: contentTypeOf(request.raw) };
    const form = decodeFields(sent, mostFields);
    if (id !== undefined && !isFormToken(form['csrf'], id)) throw apiError('form_rejected');
    const texts = Object.entries(form).filter((field): field is [string, string] => typeof field[1] === 'string');
    return Object.fromEntries(texts);
  }
}

async function send(
  reply: FastifyReply,
  origin: string,
  formToken: string | undefined,
  answered: ConsoleAnswer,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  if ('redirect' in answered && answered.cookie !== undefined) reply.header('set-cookie', answered.cookie);
  if ('redirect' in answered) return reply.redirect(`${origin}${answered.redirect}`, 303);
  if ('content' in answered) return reply.headers(answered.headers).send(answered.content);
  const text = renderConsole(answered, { origin, formToken });
  return reply
    .code(answered.status ?? 200)
    .headers(pageHeaders)
    .type('text/html; charset=utf-8')
    .send(text);
}
