// The surface of a user's notification subscriptions.
import type { Services } from '../../api/call.ts';
import type { Resource } from '../../api/route.ts';
import { PageQuery } from '../../api/schema.ts';
import { UserPath } from '../users/schema.ts';
import { notificationsDocument } from './document.ts';
import { entryHandlers } from './entries.ts';
import { listNotifications } from './list.ts';
import { subscriptionMetadata } from './metadata.ts';
import { SubscriptionPath } from './schema.ts';

const list = '/api/users/:username/notifications/';
const entry = '/api/users/:username/notifications/:id/';
const ofUser = { params: UserPath };
const ofEntry = { params: SubscriptionPath };

export function notifications(services: Services): Resource {
  const entries = entryHandlers(services);
  return {
    document: notificationsDocument,
    routes: [
      {
        method: 'GET',
        path: list,
        schema: { params: UserPath, querystring: PageQuery },
        handler: listNotifications(services),
      },
      { method: 'POST', path: list, schema: ofUser, handler: entries.create },
      { method: 'GET', path: entry, schema: ofEntry, handler: entries.read },
      { method: 'PUT', path: entry, schema: ofEntry, handler: entries.replace },
      { method: 'PATCH', path: entry, schema: ofEntry, handler: entries.update },
      { method: 'DELETE', path: entry, schema: ofEntry, handler: entries.remove },
    ],
    paths: {
      [list]: {
        name: 'Notifications',
        description: 'Users API.',
        takesFormatSuffix: true,
        fields: () => subscriptionMetadata,
        examples: { POST: { notification: 'RepositoryNotification', scope: 10, frequency: 1 } },
      },
      [entry]: {
        name: 'Notifications details',
        description: 'Users API.',
        fields: () => subscriptionMetadata,
        examples: {
          PUT: { notification: 'RepositoryNotification', scope: 10, frequency: 1 },
          PATCH: { frequency: 2 },
        },
      },
    },
  };
}
