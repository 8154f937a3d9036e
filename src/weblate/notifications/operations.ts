// The surface of a user's notification subscriptions.
import { Type } from '@sinclair/typebox';
import type { Services } from '../../http/call.ts';
import { atPath, named, pageOf, PageQuery, type Path, type Resource, type View } from '../../http/operation.ts';
import type { ErrorLine } from '../../base/errors.ts';
import { UserPath } from '../user-path.ts';
import * as handlers from './handlers.ts';
import { Subscription, SubscriptionFields } from './serialize.ts';

const list: Omit<Path, 'view'> = { url: '/api/users/:username/notifications/', params: UserPath };
const entry: Omit<Path, 'view'> = {
  url: `${list.url}:id/`,
  params: Type.Object({ ...UserPath.properties, id: Type.String({ pattern: '^[0-9]+$', examples: [1] }) }),
};

const { scopeIsFixed, scopeNeedsTarget, duplicate } = handlers;
const wrongChoice: ErrorLine = { code: 'invalid_choice', detail: '"15" is not a valid choice.', attr: 'scope' };
const missing: ErrorLine = { code: 'required', detail: 'This field is required.', attr: 'frequency' };
const body = named('NewSubscription', SubscriptionFields);
const example = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };

/** @param shown what OPTIONS describes here too: a user's fields, as in Weblate (docs/decisions/0016) */
export const notificationsOf = (shown: Omit<View, 'name'>): Resource<Services> => ({
  tag: 'Notification subscriptions',
  description: 'Which notifications a user receives, in which scope and how often.',
  operations: [
    ...atPath<Services>({ ...list, view: { name: 'Notifications', ...shown } }, [
      {
        method: 'GET',
        schema: { querystring: PageQuery, response: { 200: pageOf(Subscription) } },
        config: {
          id: 'notifications_list',
          summary: 'List a user’s subscriptions',
          description: 'In ascending order of id. A page past the end is 404.',
          access: 'read subscriptions',
        },
        handler: handlers.list,
      },
      {
        method: 'POST',
        schema: { response: { 201: Subscription } },
        config: {
          id: 'notifications_create',
          summary: 'Create a subscription',
          access: 'write subscriptions',
          body,
          errors: [wrongChoice, missing, scopeNeedsTarget, duplicate],
          example,
        },
        handler: handlers.create,
      },
    ]),
    ...atPath<Services>({ ...entry, view: { name: 'Notifications details', ...shown } }, [
      {
        method: 'GET',
        schema: { response: { 200: Subscription } },
        config: { id: 'notifications_read', summary: 'Read a subscription', access: 'read subscriptions' },
        handler: handlers.read,
      },
      {
        method: 'PUT',
        schema: { response: { 200: Subscription } },
        config: {
          id: 'notifications_replace',
          summary: 'Replace a subscription',
          access: 'write subscriptions',
          body,
          errors: [missing, scopeIsFixed, duplicate],
          example,
        },
        handler: handlers.replace,
      },
      {
        method: 'PATCH',
        schema: { response: { 200: Subscription } },
        config: {
          id: 'notifications_update',
          summary: 'Change some fields of a subscription',
          access: 'write subscriptions',
          body: Type.Partial(SubscriptionFields, { $id: 'SubscriptionChange' }),
          errors: [wrongChoice, scopeIsFixed, duplicate],
          example: { frequency: 2 },
        },
        handler: handlers.update,
      },
      {
        method: 'DELETE',
        schema: { response: { 204: null } },
        config: { id: 'notifications_delete', summary: 'Delete a subscription', access: 'write subscriptions' },
        handler: handlers.remove,
      },
    ]),
  ],
});
