// The surface of a user's notification subscriptions.
import type { Services } from '../../http/call.ts';
import type { Resource } from '../../http/route.ts';
import { listNotifications } from './list.ts';
import { subscriptionMetadata } from './metadata.ts';
import { PageQuery, UserPath } from './schema.ts';

const list = '/api/users/:username/notifications/';

export function notifications(services: Services): Resource {
  return {
    routes: [
      {
        method: 'GET',
        path: list,
        schema: { params: UserPath, querystring: PageQuery },
        handler: listNotifications(services),
      },
    ],
    paths: {
      [list]: { name: 'Notifications', description: 'Users API.', fields: () => subscriptionMetadata },
    },
  };
}
