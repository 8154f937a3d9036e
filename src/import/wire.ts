// The parts of the real system's responses that are read.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ImportError } from './weblate-client.ts';

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_646 });
const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const url = Type.String();

/** A token with few rights sees the first three keys alone. */
const user = Type.Object({
  id,
  username: Type.String({ minLength: 1 }),
  full_name: optional(Type.String()),
  email: optional(Type.String()),
  groups: optional(Type.Array(url)),
  profile: optional(Type.Record(Type.String(), Type.Unknown())),
  is_superuser: optional(Type.Boolean()),
  is_active: optional(Type.Boolean()),
  is_bot: optional(Type.Boolean()),
  date_joined: optional(Type.String()),
  date_expires: optional(Type.String()),
  last_login: optional(Type.String()),
});

const subscription = Type.Object({
  id,
  notification: Type.String(),
  scope: Type.Integer(),
  frequency: Type.Integer(),
  project: optional(url),
  component: optional(url),
});

const group = Type.Object({
  id,
  name: Type.String({ minLength: 1 }),
  defining_project: optional(url),
  project_selection: Type.Integer(),
  language_selection: Type.Integer(),
  roles: optional(Type.Array(url)),
  projects: optional(Type.Array(url)),
});

const project = Type.Object({
  id: optional(id),
  slug: Type.String(),
  name: Type.String(),
  web: optional(Type.String()),
});
const component = Type.Object({ id: optional(id), slug: Type.String(), name: Type.String() });
const page = Type.Object({ next: Type.Union([url, Type.Null()]), results: Type.Array(Type.Unknown()) });

export const wire = { user, subscription, group, project, component, page };

export type WireUser = Static<typeof user>;
export type WireSubscription = Static<typeof subscription>;
export type WireGroup = Static<typeof group>;
export type WireProject = Static<typeof project>;
export type WireComponent = Static<typeof component>;

/** @throws ImportError where the value doesn't match the schema */
export function expect<T extends TSchema>(schema: T, value: unknown, from: string): Static<T> {
  if (Value.Check(schema, value)) return value;
  const fault = Value.Errors(schema, value).First();
  throw new ImportError(
    `${from} doesn't answer as the users interface does${fault === undefined ? '' : `: ${fault.path || 'the body'}: ${fault.message.toLowerCase()}`}`,
  );
}
