// The surface of a user's notification subscriptions.
import { Type } from '@sinclair/typebox';
import type { Services } from '../../api/call.ts';
import { named, type Operation, pageOf, PageQuery, type Resource, type View } from '../../api/operation.ts';
import type { ErrorLine } from '../../errors.ts';
import { UserPath } from '../user-path.ts';
import {
  createSubscription,
  deleteSubscription,
  duplicate,
  listSubscriptions,
  readSubscription,
  replaceSubscription,
  scopeIsFixed,
  scopeNeedsTarget,
  updateSubscription,
} from './handlers.ts';
import { Subscription, SubscriptionFields } from './serialize.ts';

const url = '/api/users/:username/notifications/';
const entryUrl = `${url}:id/`;
const EntryPath = Type.Object({ ...UserPath.properties, id: Type.String({ pattern: '^[0-9]+$' }) });

// Weblate describes a user's fields in OPTIONS here (docs/differences.md).
const shown = { description: 'Users API.', item: () => Subscription, fields: SubscriptionFields };
const listView: View = { name: 'Notifications', ...shown };
const entryView: View = { name: 'Notifications details', ...shown };

const wrongChoice: ErrorLine = { code: 'invalid_choice', detail: '"15" is not a valid choice.', attr: 'scope' };
const missing: ErrorLine = { code: 'required', detail: 'This field is required.', attr: 'frequency' };
const body = named('NewSubscription', SubscriptionFields);
const example = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };

const list: Operation<Services> = {
  method: 'GET',
  url,
  schema: { params: UserPath, querystring: PageQuery, response: { 200: pageOf(Subscription) } },
  config: {
    id: 'notifications_list',
    summary: 'List a user’s subscriptions',
    description: 'In ascending order of id. A page past the end is 404.',
    access: 'read subscriptions',
    view: listView,
  },
  handler: listSubscriptions,
};

const create: Operation<Services> = {
  method: 'POST',
  url,
  schema: { params: UserPath, response: { 201: Subscription } },
  config: {
    id: 'notifications_create',
    summary: 'Create a subscription',
    access: 'write subscriptions',
    body,
    errors: [wrongChoice, missing, scopeNeedsTarget, duplicate],
    example,
    view: listView,
  },
  handler: createSubscription,
};

const read: Operation<Services> = {
  method: 'GET',
  url: entryUrl,
  schema: { params: EntryPath, response: { 200: Subscription } },
  config: {
    id: 'notifications_read',
    summary: 'Read a subscription',
    access: 'read subscriptions',
    view: entryView,
  },
  handler: readSubscription,
};

const replace: Operation<Services> = {
  method: 'PUT',
  url: entryUrl,
  schema: { params: EntryPath, response: { 200: Subscription } },
  config: {
    id: 'notifications_replace',
    summary: 'Replace a subscription',
    access: 'write subscriptions',
    body,
    errors: [missing, scopeIsFixed, duplicate],
    example,
    view: entryView,
  },
  handler: replaceSubscription,
};

const update: Operation<Services> = {
  method: 'PATCH',
  url: entryUrl,
  schema: { params: EntryPath, response: { 200: Subscription } },
  config: {
    id: 'notifications_update',
    summary: 'Change some fields of a subscription',
    access: 'write subscriptions',
    body: Type.Partial(SubscriptionFields, { $id: 'SubscriptionChange' }),
    errors: [wrongChoice, scopeIsFixed, duplicate],
    example: { frequency: 2 },
    view: entryView,
  },
  handler: updateSubscription,
};

const remove: Operation<Services> = {
  method: 'DELETE',
  url: entryUrl,
  schema: { params: EntryPath, response: { 204: null } },
  config: {
    id: 'notifications_delete',
    summary: 'Delete a subscription',
    access: 'write subscriptions',
    view: entryView,
  },
  handler: deleteSubscription,
};

export const notifications: Resource<Services> = {
  tag: 'Notification subscriptions',
  description: 'Which notifications a user receives, in which scope and how often.',
  operations: [list, create, read, replace, update, remove],
};
