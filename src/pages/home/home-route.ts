// The pages at `/` and `/sandboxes/<name>/`: the home of the service and of each sandbox. They are no requests of the API,
// and in no journal.
import type { FastifyInstance } from 'fastify';
import { describeAccess } from '../../access/gate.ts';
import { defaultSandbox } from '../../access/which-sandbox.ts';
import { isUnavailable } from '../../database/sqlstates.ts';
import { apiError } from '../../base/errors.ts';
import { findSandboxId } from '../../access/queries.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import { checkSandboxName, type Choice, type Visitor } from '../../http/call.ts';
import type { PageParts } from '../session/page-parts.ts';
import { renderHome } from './home.ts';

export function registerHome(app: FastifyInstance, { options: { anonymous, admin }, services, gate }: PageParts): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: async (request, reply) => {
      const { origin, baseUrl, visitor, place } = request.context;
      const { prefix, sandbox: name } = place;
      if (name === defaultSandbox && prefix !== '') return reply.redirect(`${origin}/`);
      // Where a header names a sandbox, its pages can't be linked.
      const sandbox = prefix === '' ? defaultSandbox : name;
      checkSandboxName({ sandbox });
      const choices = await findChoices(sandbox, visitor, services);
      const page = renderHome({
        choices,
        baseUrl,
        sandbox: prefix === '' ? undefined : sandbox,
        visitor,
        anonymous,
        isAdminOpen: gate.isOpenFor(request),
        adminState: describeAccess(admin.access),
      });
      return reply
        .code(choices === undefined ? 503 : 200)
        .headers(pageHeaders)
        .send(page);
    },
  });

  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/sandboxes/:name',
    handler: async (request, reply) => {
      // The router decodes the name: only what was written literally is a sandbox's.
      const { context, params } = request;
      if (context.place.path !== `/sandboxes/${params.name}`) return reply.callNotFound();
      return reply.redirect(`${context.origin}/sandboxes/${params.name}/`);
    },
  });
}

/** Undefined if the database is unavailable: the page still says what this is. */
async function findChoices(
  sandbox: string,
  visitor: Visitor | undefined,
  { database, samples }: PageParts['services'],
): Promise<readonly Choice[] | undefined> {
  try {
    const [id, choices] = await Promise.all([
      findSandboxId(database.reads, sandbox),
      visitor?.choices ?? samples.of(sandbox),
    ]);
    if (id === undefined) throw apiError('sandbox_not_found', sandbox);
    return choices;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return undefined;
  }
}
