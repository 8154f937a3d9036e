// The pages at `/` and `/sandboxes/<name>/`: the home of the service and of each sandbox. They are no requests of the API,
// and in no journal.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../../access/gate.ts';
import type { AnonymousAccess } from '../../access/permissions.ts';
import { defaultSandbox, isSandboxName } from '../../access/which-sandbox.ts';
import type { Samples } from '../session/public-users.ts';
import type { Database } from '../../database/database.ts';
import { isUnavailable } from '../../database/sqlstates.ts';
import { apiError } from '../../base/errors.ts';
import { findSandboxId } from '../../access/queries.ts';
import { pageHeaders } from '../frame/page-headers.ts';
import type { Choice, Visitor } from '../../http/visitor.ts';
import { renderHome } from './home.ts';

interface HomeOptions {
  readonly reads: Database['reads'];
  readonly anonymous: AnonymousAccess;
  readonly samples: Samples;
  readonly gate: Pick<Gate, 'isOpenFor'>;
}

export function registerHome(app: FastifyInstance, options: HomeOptions): void {
  const { anonymous, gate } = options;

  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: async (request, reply) => {
      const { origin, baseUrl, visitor, place } = request.context;
      const { prefix, sandbox: name } = place;
      if (name === defaultSandbox && prefix !== '') return reply.redirect(`${origin}/`);
      // Where a header names a sandbox, its pages can't be linked.
      const sandbox = prefix === '' ? defaultSandbox : name;
      if (!isSandboxName(sandbox)) throw apiError('sandbox_not_found', sandbox.slice(0, 63));
      const choices = await findChoices(sandbox, visitor, options);
      const page = renderHome({
        choices,
        baseUrl,
        sandbox: prefix === '' ? undefined : sandbox,
        visitor,
        anonymous,
        isAdminOpen: gate.isOpenFor(request),
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
  { reads, samples }: HomeOptions,
): Promise<readonly Choice[] | undefined> {
  try {
    const [id, choices] = await Promise.all([findSandboxId(reads, sandbox), visitor?.choices ?? samples.of(sandbox)]);
    if (id === undefined) throw apiError('sandbox_not_found', sandbox);
    return choices;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return undefined;
  }
}
