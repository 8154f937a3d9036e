// The surface of a user's notification subscriptions.
import { type Static, Type } from '@sinclair/typebox';
import { getAdmitted } from '../../access/permissions.ts';
import { type Call, callerParams, type Services } from '../../http/call.ts';
import { atPath, named, PageQuery, type Resource, type View } from '../../http/operation.ts';
import { readPageRequest } from '../../http/paginate.ts';
import type { ErrorLine } from '../../base/errors.ts';
import { UserPath } from '../user-path.ts';
import { create, duplicate, read, remove, replace, scopeIsFixed, scopeNeedsTarget, update } from './handlers.ts';
import { findSharedPage } from './queries.ts';
import { serializePage, Subscription, SubscriptionFields, SubscriptionPage } from './serialize.ts';

const url = '/api/users/:username/notifications/';
const EntryPath = Type.Object({ ...UserPath.properties, id: Type.String({ pattern: '^[0-9]+$', examples: [1] }) });

const wrongChoice: ErrorLine = { code: 'invalid_choice', detail: '"15" is not a valid choice.', attr: 'scope' };
const missing: ErrorLine = { code: 'required', detail: 'This field is required.', attr: 'frequency' };
const body = named('NewSubscription', SubscriptionFields);
const example = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };

/** The endpoint of the specification (transcripts list__*, page__*). */
async function listOfUser(call: Call<Static<typeof UserPath>, Static<typeof PageQuery>>, services: Services) {
  const page = readPageRequest(call.query, services.pageSize);
  const params = { ...callerParams(call, services, call.params.username), ...page };
  const { total, entries } = getAdmitted([await findSharedPage(services.database.reads, params)], call);
  return serializePage(call, page, total ?? 0, entries);
}

/** @param shown what OPTIONS describes here too: a user's fields, as in Weblate (docs/decisions/0016) */
export const notificationsOf = (shown: Omit<View, 'name'>): Resource<Services> => ({
  tag: 'Notification subscriptions',
  description: 'Which notifications a user receives, in which scope and how often.',
  operations: [
    ...atPath<Services>({ url, params: UserPath, view: { name: 'Notifications', ...shown } }, [
      {
        method: 'GET',
        schema: { querystring: PageQuery, response: { 200: SubscriptionPage } },
        config: {
          id: 'notifications_list',
          summary: 'List a user’s subscriptions',
          description: 'In ascending order of id. A page past the end is 404.',
          access: 'read subscriptions',
        },
        handler: listOfUser,
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
        handler: create,
      },
    ]),
    ...atPath<Services>({ url: `${url}:id/`, params: EntryPath, view: { name: 'Notifications details', ...shown } }, [
      {
        method: 'GET',
        schema: { response: { 200: Subscription } },
        config: { id: 'notifications_read', summary: 'Read a subscription', access: 'read subscriptions' },
        handler: read,
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
        handler: replace,
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
        handler: update,
      },
      {
        method: 'DELETE',
        schema: { response: { 204: null } },
        config: { id: 'notifications_delete', summary: 'Delete a subscription', access: 'write subscriptions' },
        handler: remove,
      },
    ]),
  ],
});
