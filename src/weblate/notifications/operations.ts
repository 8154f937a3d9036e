// The operations on a user's notification subscriptions.
import { type Static, Type } from '@sinclair/typebox';
import { type Handler, listAsCaller, type Services } from '../../http/call.ts';
import { atPath, on, type Resource } from '../../http/operation.ts';
import { readPageRequest } from '../../http/paginate.ts';
import { errorLine, validationError } from '../../base/errors.ts';
import { UserPath, userView } from '../users/operations.ts';
import { change, create, deleteSubscription, duplicate, read, scopeIsFixed, scopeNeedsTarget } from './handlers.ts';
import { subscriptionFilters } from './queries.ts';
import { findPageFor } from './shared-queries.ts';
import { serializePage, Subscription, SubscriptionFields, SubscriptionPage } from './serialize.ts';

// As in Weblate, OPTIONS describes a user's fields at these paths too (docs/decisions/0016).
const url = '/api/users/:username/notifications/';
const entry = {
  url: `${url}:id/`,
  params: Type.Object({ ...UserPath.properties, id: Type.String({ pattern: '^[0-9]+$', examples: [1] }) }),
  view: { name: 'Notifications details', noun: 'Subscription', ...userView },
};

const wrongChoice = errorLine('scope', 'invalid_choice', '"15" is not a valid choice.');
const missing = errorLine('frequency', 'required', 'This field is required.');
const body = Type.Object(SubscriptionFields.properties, { $id: 'NewSubscription' });
const example = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };

const changing = { access: 'write subscriptions', response: { 200: Subscription } } as const;

/** The list of a user's subscriptions (transcripts list__*, page__*). */
const listOfUser: Handler<unknown, Static<typeof subscriptionFilters.Query>> = async (call, services) => {
  const page = readPageRequest(call.query);
  const { values, errors } = subscriptionFilters.read(call.query);
  const range = { start: Math.max(page.page - 1, 0) * page.size, size: page.size };
  const row = await listAsCaller(call, services, findPageFor(page, values), { ...values, ...range });
  if (errors.length > 0) throw validationError(errors);
  return serializePage(call, page, row.total ?? 0, row.entries);
};

export const notifications: Resource<Services> = {
  tag: 'Notification subscriptions',
  description: 'Which notifications a user receives, in which scope and how often.',
  operations: [
    ...atPath({ url, params: UserPath, view: { name: 'Notifications', ...userView } }, [
      on('GET', 'notifications_list', 'List a user’s subscriptions', listOfUser, {
        description: 'In ascending order of id. A page past the end is 404.',
        access: 'read subscriptions',
        querystring: subscriptionFilters.Query,
        response: { 200: SubscriptionPage },
      }),
      on('POST', 'notifications_create', 'Create a subscription', create, {
        access: 'write subscriptions',
        body,
        response: { 201: Subscription },
        errors: [wrongChoice, missing, scopeNeedsTarget, duplicate],
        example,
      }),
    ]),
    ...atPath(entry, [
      on('GET', 'notifications_read', 'Read a subscription', read, {
        access: 'read subscriptions',
        response: { 200: Subscription },
      }),
      on('PUT', 'notifications_replace', 'Replace a subscription', change, {
        ...changing,
        body,
        errors: [missing, scopeIsFixed, duplicate],
        example,
      }),
      on('PATCH', 'notifications_update', 'Change some fields of a subscription', change, {
        ...changing,
        body: Type.Partial(SubscriptionFields, { $id: 'SubscriptionChange' }),
        errors: [wrongChoice, scopeIsFixed, duplicate],
        example: { frequency: 2 },
      }),
      on('DELETE', 'notifications_delete', 'Delete a subscription', deleteSubscription, {
        access: 'write subscriptions',
      }),
    ]),
  ],
};
