// The console at /_understudy/: pages behind the gate of the control API. Where the API needs the admin
// token, the console needs a session.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../../access/credentials.ts';
import { type Gate, isFromOwnPage } from '../../access/gate.ts';
import { decodeFields } from '../../http/body/decode.ts';
import { checkSandboxName } from '../../http/call.ts';
import { registerOperations } from '../../http/dispatch.ts';
import { prefersHtml } from '../../http/wire/negotiate.ts';
import { html } from '../html.ts';
import { linksUnder } from '../links.ts';
import { renderField } from '../parts.ts';
import type { PageParts } from '../session/visitors.ts';
import { consolePlace, noCookie, type Sessions } from '../../access/sessions.ts';
import { ApiError, apiError } from '../../base/errors.ts';
import { renderRefusal, sendAnswer, sendPage } from './console-frame.ts';
import { type ConsoleRoute, get, type Page, post, sandboxUrl, startOf, type Visit } from './console-page.ts';
import { showList } from './sandboxes/list-page.ts';
import { chooseName, make, newPage } from './sandboxes/new-page.ts';
import { makeToken, overviewPage } from './sandboxes/overview-page.ts';
import { statePage } from './sandboxes/state-page.ts';
import { actRoutes } from './acts.ts';
import { download, loadSeed, rejectedSeed, showSeed } from './sandboxes/seed-page.ts';
import { showFaults } from './traffic/faults-page.ts';
import { showExchange } from './traffic/exchange-page.ts';
import { allPath, forgetStrays, showJournal } from './traffic/journal-page.ts';

const ofSandbox = 'console/:name/';

const pages: readonly ConsoleRoute[] = [
  get('', showList),
  // People type these addresses, or open them again after a form.
  { ...get('', async ({ start }) => ({ redirect: start })), url: '/_understudy' },
  get('console/', async ({ start }) => ({ redirect: start })),
  ...['console/:name', `${ofSandbox}make/`, `${ofSandbox}tokens/`].map((path) =>
    get(path, async ({ url }) => ({ redirect: url })),
  ),
  get('console/new/', newPage),
  post('console/new/', chooseName, newPage),
  post(`${ofSandbox}make/`, make, newPage),
  get(ofSandbox, overviewPage),
  post(`${ofSandbox}tokens/`, makeToken, overviewPage),
  get(`${ofSandbox}state/`, statePage),
  get(`${ofSandbox}seed/`, showSeed),
  post(`${ofSandbox}seed/`, loadSeed, rejectedSeed),
  get(`${ofSandbox}export/`, download),
  ...actRoutes,
  get(`${ofSandbox}faults/`, showFaults),
  ...[`${ofSandbox}journal/`, allPath].flatMap((path) => [
    get(path, showJournal, showJournal),
    get(`${path}:entry/`, showExchange),
  ]),
  post(`${allPath}clear/`, forgetStrays),
];

/** Forms have the control API's limit of bodies, because a form may hold a seed. */
type ConsoleParts = PageParts & { readonly options: { readonly adminBodyLimitBytes: number } };

/** Errors, such as unknown paths, are pages if the client prefers HTML. */
export function registerConsole(app: FastifyInstance, more: readonly ConsoleRoute[], parts: ConsoleParts) {
  const { options, services, gate, sender, sessions, visitors } = parts;
  const handleError = sender.handleErrors(({ context }, reply, error) =>
    sendPage(reply, renderRefusal(error, context.origin)),
  );
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) => handleError(app.httpErrors.notFound(), request, reply));

  registerOperations<ConsoleRoute>(app, [...pages, ...more, ...signInRoutes(gate, sessions)], {
    bodyLimit: options.adminBodyLimitBytes,
    // The visitor is looked up only after `enter` has admitted the request.
    enter: () => [enter, visitors()],
    async answer(request, reply, handle, route) {
      const { origin, visitor } = request.context;
      const { name, entry = '' } = request.params as { readonly name?: string; readonly entry?: string };
      if (name !== undefined) checkSandboxName({ sandbox: name });
      const [sandbox, start] = [name ?? '', startOf(origin)];
      const visit: Visit = {
        services,
        sandbox,
        entry,
        query: request.query as Visit['query'],
        ...(request.method === 'POST' ? readForm(request, origin) : { form: {}, files: {} }),
        origin,
        start,
        url: sandboxUrl(start, sandbox),
        isSignedIn: gate.requiresToken && !isOpenToAll(request.routeOptions.url),
        address: request.ip,
        visitor,
        left: request.context.left,
      };
      try {
        await sendAnswer(reply, await handle(visit), visit);
      } catch (error) {
        if (route?.explain === undefined || !(error instanceof ApiError) || error.status >= 500) throw error;
        const explained = { ...visit, refused: error };
        await sendAnswer(reply, await route.explain(explained), explained);
      }
    },
    describe: () => async () => ({ status: 204, content: '', headers: {} }),
  });

  async function enter(request: FastifyRequest, reply: FastifyReply) {
    const { origin } = request.context;
    const { config, url } = request.routeOptions;
    // Errors have this header too.
    reply.header('allow', config.allow);
    gate.admitPage(request);
    if (!gate.requiresToken || isOpenToAll(url)) return undefined;
    if ((await sessions.find(request, consolePlace(origin))) !== undefined) return undefined;
    if (!prefersHtml(request.headers.accept))
      throw apiError('admin_closed', 'the console requires a session, which a browser begins at /_understudy/.');
    sendPage(reply, signInPage(origin, findNext(request, origin)));
    return reply;
  }
}

/** Throws 403 for a form on a page of another site. */
function readForm(request: FastifyRequest, origin: string) {
  if (!isFromOwnPage(request, origin)) throw apiError('form_rejected');
  const [form, files]: [Record<string, string>, Record<string, Buffer>] = [{}, {}];
  for (const [name, value] of Object.entries(decodeFields(request.context, true))) {
    // Browsers end the lines of a text with CR LF.
    if (typeof value === 'string') form[name] = value.replaceAll('\r\n', '\n');
    else if (Buffer.isBuffer(value)) files[name] = value;
  }
  return { form, files };
}

/** The address to open after signing in. For a form, its page, where page.js fills in the typed text. */
function findNext({ method, originalUrl, params, headers: { referer = '' } }: FastifyRequest, origin: string) {
  if (method === 'GET') return origin + originalUrl;
  const { name } = params as { name?: string };
  const page = linksUnder(startOf(origin))(referer);
  if (page !== undefined && !isOpenToAll(new URL(page).pathname)) return page;
  return name === undefined ? startOf(origin) : sandboxUrl(startOf(origin), name);
}

const isOpenToAll = (url = '') => /^\/_understudy\/sign-(?:in|out)\/$/.test(url);

const signInPage = (origin: string, next: string, error?: string): Page => ({
  status: error === undefined ? 401 : 400,
  title: 'Sign in to the console',
  main: html`<form class="narrow" method="post" action="${startOf(origin)}sign-in/">
    <input type="hidden" name="next" value="${next}" />
    ${renderField({
      id: 'token',
      label: 'Admin token',
      hint: 'The value of UNDERSTUDY_ADMIN_TOKEN. The session lasts an hour.',
      errors: error === undefined ? [] : [error],
      control: (attributes) =>
        html`<input ${attributes} name="token" type="password" autocomplete="current-password" required />`,
    })}
    <p class="actions row"><button class="primary">Sign in</button></p>
  </form>`,
});

const signInRoutes = (gate: Gate, sessions: Sessions): readonly ConsoleRoute[] => [
  get('sign-in/', async ({ origin, start, query }) =>
    gate.requiresToken ? { ...signInPage(origin, query['next'] ?? ''), status: 200 } : { redirect: start },
  ),
  post('sign-in/', async ({ form, origin, start, address }) => {
    const [token, next] = [(form['token'] ?? '').trim(), form['next'] ?? ''];
    if (!gate.isTokenHash(hashToken(token), address))
      return signInPage(origin, next, 'This is not the value of UNDERSTUDY_ADMIN_TOKEN.');
    return { redirect: linksUnder(start)(next) ?? start, cookie: await sessions.open(consolePlace(origin)) };
  }),
  post('sign-out/', async ({ origin, start }) => ({ redirect: start, cookie: noCookie(consolePlace(origin)) })),
];
