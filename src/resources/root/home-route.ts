// The page at `/`, which says what this is.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../../pages/browsable-page.ts';
import { renderHome, type SampleUser } from '../../pages/home.ts';
import { mirrors, version } from '../../version.ts';
import { type BaseUrlOptions, findOrigin } from '../../api/base-url.ts';

export interface HomeOptions extends BaseUrlOptions {
  /** Users with public tokens; none where the seed isn't the documented sample. */
  readonly samples: readonly SampleUser[];
}

export function registerHome(app: FastifyInstance, options: HomeOptions): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const baseUrl = findOrigin(request.raw, options);
    const [first] = options.samples.filter(({ username }) => username === 'alice');
    const page = renderHome({
      version,
      mirrors,
      baseUrl,
      users: options.samples,
      links: [
        { label: 'API root', href: '/api/', note: 'every resource that is served, as browsable pages' },
        ...(first === undefined
          ? []
          : [
              {
                label: 'A list',
                href: `/api/users/${first.username}/notifications/?format=api`,
                note: 'the subscriptions of a sample user',
              },
            ]),
        { label: 'Documentation', href: '/api/docs/', note: 'to read and to try' },
        { label: 'Health', href: '/_understudy/health/ready', note: 'migrated and seeded, or not yet' },
      ],
    });
    return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page);
  };
  app.route({ method: ['GET', 'HEAD'], url: '/', handler });
}
