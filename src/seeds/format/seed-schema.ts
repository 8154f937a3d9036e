// The seed format, published as seeds/seed.schema.json. normalise.ts checks what a schema can't.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { notificationNames, scopes } from '../../model/notifications.ts';
import { date, id, type Kind, kindNames, kinds, maxGivenId, notification, optional, scope } from '../../model/kinds.ts';

const object = <T extends Record<string, TSchema>>(properties: T, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });

type Schemas<P> = { [K in keyof P]: P[K] extends { schema: infer S extends TSchema } ? S : never };
const schemasOf = <P extends Record<string, { readonly schema: TSchema }>>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([key, { schema }]) => [key, schema])) as Schemas<P>;

const token = Type.String({
  pattern: '^[!-~]{1,200}$',
  description: 'Token as it is sent: printable ASCII without blanks. Only its SHA-256 is stored.',
});

const { user: owner, ...target } = schemasOf(kinds.subscriptions.properties);
const subscriptionProperties = {
  id: optional(id),
  ...target,
  notifications: optional(
    Type.Union([Type.Literal('all'), Type.Array(notification, { minItems: 1, maxItems: notificationNames.length })], {
      description: '`all`, or a list of names: one subscription for each name and scope.',
    }),
  ),
  scopes: optional(
    Type.Array(scope, { minItems: 1, maxItems: Object.keys(scopes).length, description: 'Several scopes at once.' }),
  ),
};
const ownSubscription = object(subscriptionProperties, 'A subscription of this user.');
const subscription = object(
  { user: owner, ...subscriptionProperties },
  'A subscription of a user, or several that differ in notification and scope.',
);
const user = object(
  {
    id: optional(id),
    ...schemasOf(kinds.users.properties),
    token: optional(Type.Union([token, Type.Null()])),
    tokens: optional(Type.Array(token)),
    subscriptions: optional(Type.Array(ownSubscription)),
  },
  'A user.',
);
const entryOf = <K extends Kind>(kind: K, description: string) =>
  object({ id: optional(id), ...schemasOf<(typeof kinds)[K]['properties']>(kinds[kind].properties) }, description);
const group = entryOf('groups', 'A group of users.');
const project = entryOf('projects', 'A project, a target of subscriptions.');
const component = entryOf('components', 'A component of a project, a target of subscriptions.');

const moment = Type.String({
  pattern: date.pattern as string,
  description: "Date, or date and time with Z or an offset, for the sandbox's clock: 2026-01-02T03:04:05Z.",
});
const nextId = optional(
  Type.Integer({ minimum: 1, maximum: maxGivenId + 1, description: 'The id of the next new row.' }),
);

export const seedSchema = object(
  {
    users: optional(Type.Array(user)),
    groups: optional(
      Type.Array(group, { description: 'Default: the automatic groups Viewers (id 2) and Users (id 3).' }),
    ),
    projects: optional(Type.Array(project)),
    components: optional(Type.Array(component)),
    subscriptions: optional(Type.Array(subscription)),
    next_id: optional(
      object(
        Object.fromEntries(kindNames.map((kind) => [kind, nextId])) as Record<Kind, typeof nextId>,
        'The next ids after the load, raised above all ids in the seed if needed.',
      ),
    ),
    now: optional(moment),
  },
  'A seed of Understudy: the content of a sandbox.',
);

/** A seed as its text has it. normalise.ts makes a `Seed` of it. */
export type SeedDocument = Static<typeof seedSchema>;
export type UserEntry = Static<typeof user>;
export type SubscriptionEntry = Static<typeof subscription>;
