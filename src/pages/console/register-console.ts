// The console at /_understudy/: pages behind the same gate as our own API. Where an admin token is set, a session of the
// browser stands in for it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSandboxName } from '../../access/which-sandbox.ts';
import { checkSandboxName } from '../../http/call.ts';
import { registerOperations } from '../../http/dispatch.ts';
import { ownErrors } from '../../http/own.ts';
import { prefersHtml } from '../../http/wire/negotiate.ts';
import type { PageParts } from '../session/page-parts.ts';
import { consolePlace } from '../session/sessions.ts';
import { apiError } from '../../base/errors.ts';
import { renderRefusal, sandboxUrl, sendAnswer, sendPage, startOf } from './console-frame.ts';
import { type ConsoleRoute, get, post, type Visit } from './console-page.ts';
import { readForm } from './read-form.ts';
import { goToSandbox, showList } from './sandboxes/list-page.ts';
import { chooseName, make, newPage } from './sandboxes/new-page.ts';
import { overviewPage } from './sandboxes/overview-page.ts';
import { acts, download, makeToken } from './sandboxes/sandbox-acts.ts';
import { loadSeed, showSeed } from './sandboxes/seed-page.ts';
import { isOpenToAll, signInPage, signInRoutes } from './sign-in.ts';
import { addPreset, removeFaults, replaceFaults, showFaults } from './traffic/faults-page.ts';
import { showExchange } from './traffic/exchange-page.ts';
import { allPath, clearJournal, showJournal } from './traffic/journal-page.ts';
import { sendAgain } from './traffic/repeat.ts';

const ofSandbox = 'console/:name/';

const pages: readonly ConsoleRoute[] = [
  get('', showList),
  get('console/', goToSandbox),
  // An address that people type, and the page that they mean.
  get('console/:name', async ({ sandbox }) => ({ redirect: sandboxUrl('', sandbox) })),
  get('console/new/', newPage),
  post('console/new/', chooseName),
  post(`${ofSandbox}make/`, make),
  get(ofSandbox, overviewPage),
  post(`${ofSandbox}tokens/`, makeToken),
  get(`${ofSandbox}seed/`, showSeed),
  post(`${ofSandbox}seed/`, loadSeed),
  get(`${ofSandbox}export/`, download),
  ...acts.map(([path, act]) => post(`${ofSandbox}${path}/`, act)),
  get(`${ofSandbox}faults/`, showFaults),
  post(`${ofSandbox}faults/add/`, addPreset),
  post(`${ofSandbox}faults/remove/`, removeFaults),
  post(`${ofSandbox}faults/json/`, replaceFaults),
  ...[`${ofSandbox}journal/`, allPath].flatMap((path) => [
    get(path, showJournal),
    get(`${path}:entry/`, showExchange),
    post(`${path}:entry/again/`, sendAgain),
    post(`${path}clear/`, clearJournal),
  ]),
];

/**
 * To be registered as a plugin: its errors, and those of unknown paths, are pages where the client prefers HTML.
 * @param more routes beside the console's own
 */
export function registerConsole(app: FastifyInstance, more: readonly ConsoleRoute[], parts: PageParts): void {
  const { options, services, gate, sender, sessions, visitors } = parts;
  const handleError = sender.handleErrors({
    byStatus: ownErrors,
    sendPage: (request, reply, error) => sendPage(request, reply, renderRefusal(error, request.context.origin)),
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) => handleError(app.httpErrors.notFound(), request, reply));

  registerOperations<ConsoleRoute>(app, [...pages, ...more, ...signInRoutes(gate, sessions)], {
    bodyLimit: options.adminBodyLimitBytes,
    // Whom the pages act as, and the faults in force, are read for those who are signed in alone.
    enter: () => [enter, visitors()],
    answer,
    describe: () => async () => ({ status: 204, content: '', headers: {} }),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '',
    handler: (request, reply) => reply.redirect(startOf(request.context.origin), 303),
  });

  async function enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { config, url } = request.routeOptions;
    // Of errors too.
    reply.header('allow', config.allow);
    gate.admitPage(request);
    if (!gate.requiresToken || isOpenToAll(url) || (await isSignedIn(request))) return undefined;
    if (!prefersHtml(request.headers.accept))
      throw apiError('admin_closed', 'the console requires a session, which a browser begins at /_understudy/.');
    const { origin } = request.context;
    sendPage(request, reply, signInPage(origin, findNext(request, origin)));
    return reply;
  }

  const isSignedIn = async (request: FastifyRequest): Promise<boolean> =>
    (await sessions.find(request, consolePlace(request.context.origin))) !== undefined;

  async function answer(request: FastifyRequest, reply: FastifyReply, handle: ConsoleRoute['handler']): Promise<void> {
    const { origin } = request.context;
    const { name, entry = '' } = request.params as { readonly name?: string; readonly entry?: string };
    if (name !== undefined) checkSandboxName({ sandbox: name });
    const visit = {
      sandbox: name ?? '',
      entry,
      query: request.query as Visit['query'],
      ...(request.method === 'POST' ? readForm(request, origin) : { form: {}, files: {} }),
      origin,
      isSignedIn: gate.requiresToken && !isOpenToAll(request.routeOptions.url),
      address: request.ip,
      visitor: request.context.visitor,
    };
    await sendAnswer(request, reply, visit.isSignedIn, await handle(visit, services));
  }
}

/** Where a browser continues after signing in. What it sent by a form is lost, so it starts at the form's page. */
function findNext({ method, originalUrl, params }: FastifyRequest, origin: string): string {
  if (method === 'GET') return origin + originalUrl;
  const { name } = params as { name?: string };
  return name === undefined || !isSandboxName(name) ? startOf(origin) : sandboxUrl(origin, name);
}
