// The page at `/`, which says what this is.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BaseUrlOptions, findOrigin } from '../../api/base-url.ts';
import { pageHeaders } from '../../pages/browsable-page.ts';
import { renderHome, type SampleUser } from '../../pages/home.ts';

interface HomeOptions extends BaseUrlOptions {
  /** Users with public tokens; none where the seed isn't the documented sample. */
  readonly samples: readonly SampleUser[];
}

const aList = {
  label: 'A list',
  href: '/api/users/alice/notifications/?format=api',
  note: 'the subscriptions of a sample user',
};

export function registerHome(app: FastifyInstance, options: HomeOptions): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const hasAlice = options.samples.some(({ username }) => username === 'alice');
    const page = renderHome({
      baseUrl: findOrigin(request.raw, options),
      users: options.samples,
      links: [
        { label: 'API root', href: '/api/', note: 'every resource that is served, as browsable pages' },
        ...(hasAlice ? [aList] : []),
        { label: 'Documentation', href: '/api/docs/', note: 'to read and to try' },
        { label: 'Health', href: '/_understudy/health/ready', note: 'migrated and seeded, or not yet' },
      ],
    });
    return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page);
  };
  app.route({ method: ['GET', 'HEAD'], url: '/', handler });
}
