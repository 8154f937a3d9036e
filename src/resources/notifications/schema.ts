// What the routes take, and the fields of a subscription. The type, the checks, OPTIONS and the API's document come from here.
import { type Static, Type } from '@sinclair/typebox';
import { UserPath } from '../users/schema.ts';
import { frequencies, scopes } from './codes.ts';
import { notificationNames } from './names.ts';

export const SubscriptionPath = Type.Object({
  username: UserPath.properties.username,
  id: Type.String({ pattern: '^[0-9]+$' }),
});
export type SubscriptionPath = Static<typeof SubscriptionPath>;

const codes = (of: Readonly<Record<string, number>>) =>
  Type.Union(
    Object.values(of).map((code) => Type.Literal(code)),
    {
      description: Object.entries(of)
        .map(([name, code]) => `${code} ${name}`)
        .join(', '),
    },
  );

/** What a client may say of a subscription. */
export const SubscriptionFields = Type.Object({
  notification: Type.Union(notificationNames.map((name) => Type.Literal(name))),
  scope: codes(scopes),
  frequency: codes(frequencies),
});

const targetUrl = (of: string) =>
  Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: `The ${of} that the subscription is limited to.`,
  });

/** An entry of the list as serialize.ts writes it. */
export const Subscription = Type.Object(
  {
    notification: SubscriptionFields.properties.notification,
    id: Type.Integer({ minimum: 1 }),
    scope: SubscriptionFields.properties.scope,
    frequency: SubscriptionFields.properties.frequency,
    project: targetUrl('project'),
    component: targetUrl('component'),
  },
  { $id: 'Subscription' },
);
