// The page at `/`, which says what this is.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnonymousAccess } from '../../access/permissions.ts';
import { type BaseUrlOptions, findOrigin } from '../../api/base-url.ts';
import { isUnavailable } from '../../database/sqlstates.ts';
import { pageHeaders } from '../../pages/frame/page-headers.ts';
import { defaultSandbox } from '../../access/which-sandbox.ts';
import type { Samples } from '../../browser/public-users.ts';
import { renderHome, type SampleUser } from '../../pages/home.ts';

interface HomeOptions extends BaseUrlOptions {
  readonly anonymous: AnonymousAccess;
  readonly samples: Samples;
}

const aList = {
  label: 'A list',
  href: '/api/users/alice/notifications/?format=api',
  note: 'the subscriptions of a sample user',
};

export function registerHome(app: FastifyInstance, options: HomeOptions): void {
  const { anonymous, samples } = options;

  async function listUsers(): Promise<readonly SampleUser[]> {
    try {
      return await samples.of(defaultSandbox);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // The page still says what this is.
      return [];
    }
  }

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const users = await listUsers();
    const isAnonymousAllowed = anonymous !== 'strict';
    const hasAlice = users.some(({ username }) => username === 'alice');
    const page = renderHome({
      baseUrl: findOrigin(request.raw, options),
      visitor: request.visitor,
      users,
      isAnonymousAllowed,
      links: [
        { label: 'API root', href: '/api/', note: 'every resource that is served, as browsable pages' },
        ...(hasAlice && isAnonymousAllowed ? [aList] : []),
        { label: 'Documentation', href: '/api/docs/', note: 'to read and to try' },
        { label: 'Health', href: '/_understudy/health/ready', note: 'migrated and seeded, or not yet' },
      ],
    });
    return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page);
  };
  app.route({ method: ['GET', 'HEAD'], url: '/', handler });
}
