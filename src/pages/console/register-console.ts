// The console at /_understudy/: pages behind the same gate as our own API. Where an admin token is set, a session of the
// browser stands in for it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSandboxName } from '../../access/which-sandbox.ts';
import { checkSandboxName } from '../../http/call.ts';
import { allowHeader } from '../../http/operation.ts';
import { ownErrors, usualMethods } from '../../http/own.ts';
import { prefersHtml } from '../../http/wire/negotiate.ts';
import type { PageParts } from '../session/page-parts.ts';
import { consolePlace } from '../session/sessions.ts';
import { asksForPage } from '../session/visitors.ts';
import { type ApiError, apiError } from '../../base/errors.ts';
import { renderRefusal, sandboxUrl, sendAnswer, sendPage, startOf } from './console-frame.ts';
import type { ConsoleRoute, Visit } from './console-page.ts';
import { pages } from './pages.ts';
import { readForm } from './read-form.ts';
import { isOpenToAll, signInPage, signInRoutes } from './sign-in.ts';

/**
 * To be registered as a plugin: its errors, and those of unknown paths, are pages where the client prefers HTML.
 * @param more routes beside the console's own
 */
export function registerConsole(app: FastifyInstance, more: readonly ConsoleRoute[], parts: PageParts): void {
  const { options, services, gate, sender, sessions, visitors } = parts;
  const { adminBodyLimitBytes: bodyLimit } = options;
  const routes = [...pages, ...more, ...signInRoutes(gate, sessions)];
  const { httpErrors } = app;
  const handleError = sender.handleErrors({ byStatus: ownErrors, sendPage: sendErrorPage });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) => handleError(httpErrors.notFound(), request, reply));

  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) registerPath(path, ofPath);
  app.route({
    method: ['GET', 'HEAD'],
    url: '',
    handler: (request, reply) => reply.redirect(startOf(request.context.origin), 303),
  });

  function registerPath(path: string, ofPath: readonly ConsoleRoute[]): void {
    const allow = allowHeader(ofPath.map(({ method }) => method));
    const add = (method: string | string[], handle: ConsoleRoute['handle']) =>
      app.route({
        method,
        url: `/${path}`,
        prefixTrailingSlash: 'slash',
        config: { allow },
        bodyLimit,
        // Before the body is read, and what there is only after signing in.
        onRequest: [async (request, reply) => enter(request, reply, path), visitors(asksForPage)],
        handler: (request, reply) => answer(request, reply, path, handle),
      });
    for (const { method, handle } of ofPath) add(method === 'GET' ? ['GET', 'HEAD'] : method, handle);
    add('OPTIONS', async () => ({ status: 204, content: '', headers: { allow } }));
    const served = new Set(allow.split(', '));
    add(
      usualMethods.filter((method) => !served.has(method)),
      async () => {
        throw httpErrors.methodNotAllowed();
      },
    );
  }

  async function enter(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply | undefined> {
    gate.admitPage(request);
    if (!gate.requiresToken || isOpenToAll(path) || (await isSignedIn(request))) return undefined;
    if (!prefersHtml(request.headers.accept))
      throw apiError('admin_closed', 'the console requires a session, which a browser begins at /_understudy/.');
    const { origin } = request.context;
    sendPage(request, reply, { origin }, signInPage(origin, findNext(request, origin)));
    return reply;
  }

  const isSignedIn = async (request: FastifyRequest): Promise<boolean> =>
    (await sessions.find(request, consolePlace(request.context.origin))) !== undefined;

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    handle: ConsoleRoute['handle'],
  ): Promise<void> {
    const { origin } = request.context;
    const { name, entry = '' } = request.params as { readonly name?: string; readonly entry?: string };
    if (name !== undefined) checkSandboxName({ sandbox: name });
    const visit = {
      sandbox: name ?? '',
      entry,
      query: request.query as Visit['query'],
      ...(request.method === 'POST' ? readForm(request, origin) : { form: {}, files: {} }),
      origin,
      isSignedIn: gate.requiresToken && !isOpenToAll(path),
      address: request.ip,
      visitor: request.context.visitor,
    };
    await sendAnswer(request, reply, visit, await handle(visit, services));
  }

  function sendErrorPage(request: FastifyRequest, reply: FastifyReply, error: ApiError): void {
    const { allow } = request.routeOptions.config;
    const { origin } = request.context;
    if (allow !== undefined) reply.header('allow', allow);
    sendPage(request, reply, { origin }, renderRefusal(error, origin));
  }
}

/** Where a browser continues after signing in. What it sent by a form is lost, so it starts at the form's page. */
function findNext({ method, originalUrl, params }: FastifyRequest, origin: string): string {
  if (method === 'GET') return origin + originalUrl;
  const { name } = params as { name?: string };
  return name === undefined || !isSandboxName(name) ? startOf(origin) : sandboxUrl(origin, name);
}
