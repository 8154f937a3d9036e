// What the API's document says of a user's subscriptions.
import { type TObject, Type } from '@sinclair/typebox';
import type { ErrorLine } from '../../errors.ts';
import { type Operation, pageOf, type ResourceDocument } from '../../api/operation.ts';
import { duplicate, scopeIsFixed, scopeNeedsTarget } from './faults.ts';
import { Subscription, SubscriptionFields } from './schema.ts';

const example = {
  notification: 'RepositoryNotification',
  id: 17,
  scope: 10,
  frequency: 1,
  project: null,
  component: null,
};
const page = { count: 1, next: null, previous: null, results: [example] };
const wrongChoice: ErrorLine = { code: 'invalid_choice', detail: '"15" is not a valid choice.', attr: 'scope' };
const missing: ErrorLine = { code: 'required', detail: 'This field is required.', attr: 'frequency' };

const list = '/api/users/:username/notifications/';
const entry = '/api/users/:username/notifications/:id/';

const write = (id: string, summary: string, body: TObject, faults: readonly ErrorLine[]): Operation => ({
  id: `notifications_${id}`,
  summary,
  body,
  answer: Subscription,
  example,
  errors: ['permission_denied', 'internal_user'],
  faults,
});

export const notificationsDocument: ResourceDocument = {
  tag: 'Notification subscriptions',
  description: 'What a user is told of, in which scope and how often.',
  operations: {
    [`GET ${list}`]: {
      id: 'notifications_list',
      summary: 'List a user’s subscriptions',
      description: 'In ascending order of id. A page past the end is 404.',
      answer: pageOf(Subscription),
      example: page,
      errors: ['permission_denied'],
    },
    [`POST ${list}`]: {
      ...write(
        'create',
        'Create a subscription',
        Type.Object(SubscriptionFields.properties, { $id: 'NewSubscription' }),
        [wrongChoice, missing, scopeNeedsTarget, duplicate],
      ),
      status: 201,
    },
    [`GET ${entry}`]: {
      id: 'notifications_read',
      summary: 'Read a subscription',
      answer: Subscription,
      example,
      errors: ['permission_denied'],
    },
    [`PUT ${entry}`]: write(
      'replace',
      'Change a subscription, saying every field',
      Type.Object(SubscriptionFields.properties, { $id: 'NewSubscription' }),
      [missing, scopeIsFixed, duplicate],
    ),
    [`PATCH ${entry}`]: write(
      'update',
      'Change some fields of a subscription',
      Type.Partial(SubscriptionFields, { $id: 'SubscriptionChange' }),
      [wrongChoice, scopeIsFixed, duplicate],
    ),
    [`DELETE ${entry}`]: {
      id: 'notifications_delete',
      summary: 'Delete a subscription',
      status: 204,
      answer: null,
      errors: ['permission_denied', 'internal_user'],
    },
  },
};
