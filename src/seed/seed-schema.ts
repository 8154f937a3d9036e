// What a seed may say, as people write it. The published JSON Schema (seeds/seed.schema.json) is this one; what a schema can't say
// is checked in normalise.ts.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { frequencies, scopes } from '../resources/notifications/codes.ts';
import { notificationNames } from '../resources/notifications/names.ts';

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const object = <T extends Record<string, TSchema>>(properties: T, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });

// The counters stand one above the highest id, and they are integers too.
const id = Type.Integer({ minimum: 1, maximum: 2_147_483_646, description: 'Fixed id; left out: the next free one.' });
const selection = Type.Integer({
  minimum: 0,
  maximum: 4,
  description:
    '0 the listed projects, 1 all, 2 and 4 as the real system has them, 3 all public ones. Only 0 and 1 open private projects.',
});
const role = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
const slug = Type.String({ pattern: '^[-A-Za-z0-9_]{1,100}$', description: 'Slug: letters, digits, - and _.' });
const component = Type.String({
  pattern: '^[-A-Za-z0-9_]{1,100}/[-A-Za-z0-9_]{1,100}$',
  description: 'Component as project/component, such as demo/app.',
});
const name = Type.String({ minLength: 1, maxLength: 150 });
const date = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?(Z|[+-]\\d\\d:\\d\\d))?$',
  description: 'Date, or date and time with Z or an offset: 2026-01-02T03:04:05Z.',
});
const token = Type.String({
  pattern: '^[!-~]{1,200}$',
  description: 'Token as it is sent: printable ASCII without blanks. Only its SHA-256 is stored.',
});

const namesAndCodes = (codes: Record<string, number>, description: string) =>
  Type.Union(
    [...Object.keys(codes), ...Object.values(codes)].map((value) => Type.Literal(value)),
    { description },
  );
const scope = namesAndCodes(scopes, 'Scope by name or code. May be left out where project or component is given.');
const frequency = namesAndCodes(frequencies, 'Frequency by name or code; left out: instant.');
const notification = Type.Union(
  notificationNames.map((value) => Type.Literal(value)),
  { description: 'Name of a notification.' },
);

const subscriptionProperties = {
  id: optional(id),
  notification: optional(notification),
  notifications: optional(
    Type.Union([Type.Literal('all'), Type.Array(notification, { minItems: 1, maxItems: notificationNames.length })], {
      description: 'Several at once, each in each of the scopes: a list of names, or all.',
    }),
  ),
  scope: optional(scope),
  scopes: optional(
    Type.Array(scope, { minItems: 1, maxItems: Object.keys(scopes).length, description: 'Several scopes at once.' }),
  ),
  frequency: optional(frequency),
  project: optional(orNull(slug)),
  component: optional(orNull(component)),
};
const subscription = object(
  { user: Type.String({ minLength: 1, maxLength: 150, description: 'Username.' }), ...subscriptionProperties },
  'A subscription of a user, or several that differ in notification and scope.',
);
const ownSubscription = object(subscriptionProperties, 'A subscription of this user.');

const user = object(
  {
    id: optional(id),
    username: name,
    full_name: optional(Type.String({ maxLength: 150 })),
    email: optional(
      orNull(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 190, description: 'E-mail address.' })),
    ),
    is_superuser: optional(Type.Boolean()),
    is_active: optional(Type.Boolean()),
    is_bot: optional(Type.Boolean()),
    is_internal: optional(
      Type.Boolean({ description: 'Can be read, never edited. Left out: true for anonymous alone.' }),
    ),
    date_joined: optional(date),
    date_expires: optional(orNull(date)),
    last_login: optional(orNull(date)),
    profile: optional(Type.Record(Type.String(), Type.Unknown())),
    token: optional(orNull(token)),
    tokens: optional(Type.Array(token)),
    groups: optional(
      Type.Array(Type.Union([id, name]), { description: 'By name or id. Left out: the automatic groups; []: none.' }),
    ),
    subscriptions: optional(Type.Array(ownSubscription)),
  },
  'A user.',
);

const group = object(
  {
    id: optional(id),
    name,
    automatic: optional(Type.Boolean({ description: 'New users join it.' })),
    project_selection: optional(selection),
    language_selection: optional(Type.Integer({ minimum: 0, maximum: 1 })),
    roles: optional(Type.Array(role)),
    permissions: optional(
      Type.Array(
        Type.Union([Type.Literal('user.view'), Type.Literal('user.edit')], { description: 'user.view or user.edit.' }),
      ),
    ),
    defining_project: optional(orNull(slug)),
    projects: optional(Type.Array(slug, { description: 'Projects that the group opens, by slug.' })),
  },
  'A group of users.',
);

const project = object(
  {
    id: optional(id),
    slug,
    name: optional(name),
    web: optional(Type.String({ maxLength: 200 })),
    private: optional(Type.Boolean({ description: 'Open to superusers and the members of groups that list it.' })),
  },
  'A project, a target of subscriptions.',
);

const componentEntry = object(
  { id: optional(id), project: slug, slug, name: optional(name) },
  'A component of a project, a target of subscriptions.',
);

export const kinds = ['users', 'groups', 'projects', 'components', 'subscriptions'] as const;
/** What a seed lists, and what ids are counted for. */
export type Kind = (typeof kinds)[number];

const nextId = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The id that the next new row gets.' });

export const seedSchema = object(
  {
    users: optional(Type.Array(user)),
    groups: optional(
      Type.Array(group, { description: 'Left out: the automatic groups Viewers (id 2) and Users (id 3).' }),
    ),
    projects: optional(Type.Array(project)),
    components: optional(Type.Array(componentEntry)),
    subscriptions: optional(Type.Array(subscription)),
    next_id: optional(
      object(
        {
          users: optional(nextId),
          groups: optional(nextId),
          projects: optional(nextId),
          components: optional(nextId),
          subscriptions: optional(nextId),
        },
        'Where ids go on after the seed; never below its highest.',
      ),
    ),
  },
  'A seed of Understudy: what a sandbox holds (docs/seeds.md).',
);

/** A seed as it is written. seed.ts has the form that the program works with. */
export type SeedDocument = Static<typeof seedSchema>;
export type UserEntry = Static<typeof user>;
export type GroupEntry = Static<typeof group>;
export type ProjectEntry = Static<typeof project>;
export type ComponentEntry = Static<typeof componentEntry>;
export type SubscriptionEntry = Static<typeof subscription>;
