// The pages at `/` and `/sandboxes/<name>/`: the home of the service and of each sandbox. They are no requests of the API,
// and in no journal.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Gate } from '../../access/gate.ts';
import type { AnonymousAccess } from '../../access/permissions.ts';
import { defaultSandbox, isSandboxName, placeOf } from '../../access/which-sandbox.ts';
import { type BaseUrlOptions, findOrigin } from '../../api/base-url.ts';
import type { Samples } from '../../browser/public-users.ts';
import type { Database } from '../../database/database.ts';
import { isUnavailable } from '../../database/sqlstates.ts';
import { apiError } from '../../errors.ts';
import { pageHeaders } from '../../pages/frame/page-headers.ts';
import type { Visitor } from '../../pages/frame/visitor.ts';
import { renderHome } from '../../pages/home/home.ts';
import type { Home } from '../../pages/home/home-contents.ts';
import { findHomeState, mostCounted } from './queries.ts';

interface HomeOptions extends BaseUrlOptions {
  readonly database: Pick<Database, 'reads'>;
  readonly anonymous: AnonymousAccess;
  readonly samples: Samples;
  readonly gate: Pick<Gate, 'stateFor'>;
}

export function registerHome(app: FastifyInstance, options: HomeOptions): void {
  const { anonymous, gate } = options;

  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: async (request, reply) => {
      const origin = findOrigin(request.raw, options);
      const { prefix, sandbox: name } = placeOf(request);
      if (name === defaultSandbox && prefix !== '') return reply.redirect(`${origin}/`);
      // Where a header names a sandbox, its pages can't be linked.
      const sandbox = prefix === '' ? defaultSandbox : name;
      const contents = isSandboxName(sandbox) ? await findContents(sandbox, request.visitor, options) : undefined;
      if (contents === undefined) throw apiError('sandbox_not_found', sandbox.slice(0, 63));
      const page = renderHome({
        ...contents,
        baseUrl: origin + prefix,
        sandbox: prefix === '' ? undefined : sandbox,
        visitor: request.visitor,
        anonymous,
        admin: gate.stateFor(request),
      });
      return send(reply, contents.state === undefined ? 503 : 200, page);
    },
  });

  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/sandboxes/:name',
    handler: async (request, reply) => {
      // The router decodes the name: only what was written literally is a sandbox's.
      if (placeOf(request).path !== `/sandboxes/${request.params.name}`) return reply.callNotFound();
      return reply.redirect(`${findOrigin(request.raw, options)}/sandboxes/${request.params.name}/`);
    },
  });
}

const send = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).headers(pageHeaders).type('text/html; charset=utf-8').send(page);

type Contents = Pick<Home, 'choices' | 'state'>;

/** Undefined if there is no such sandbox. */
async function findContents(
  sandbox: string,
  visitor: Visitor | undefined,
  { database: { reads }, samples }: HomeOptions,
): Promise<Contents | undefined> {
  try {
    const [[state], choices] = await Promise.all([
      findHomeState(reads, { sandbox }),
      visitor?.choices ?? samples.of(sandbox),
    ]);
    if (state === undefined) return undefined;
    const { seed, expires, users } = state;
    return {
      choices,
      state: {
        seed,
        expires,
        users: users > mostCounted ? `more than ${mostCounted}` : String(users),
        isEmpty: users === 0,
      },
    };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    // The page still says what this is.
    return { choices: [], state: undefined };
  }
}
