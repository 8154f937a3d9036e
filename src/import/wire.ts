// The parts of the real system's responses that are read.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ImportError } from './weblate-client.ts';

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_646 });
const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const text = optional(Type.String());
const flag = optional(Type.Boolean());
const urls = optional(Type.Array(Type.String()));

export const wire = {
  /** A token with few rights sees the first three keys alone. */
  user: Type.Object({
    id,
    username: Type.String({ minLength: 1 }),
    full_name: text,
    email: text,
    groups: urls,
    profile: optional(Type.Record(Type.String(), Type.Unknown())),
    is_superuser: flag,
    is_active: flag,
    is_bot: flag,
    date_joined: text,
    date_expires: text,
    last_login: text,
  }),
  subscription: Type.Object({
    id,
    notification: Type.String(),
    scope: Type.Integer(),
    frequency: Type.Integer(),
    project: text,
    component: text,
  }),
  group: Type.Object({
    id,
    name: Type.String({ minLength: 1 }),
    defining_project: text,
    project_selection: Type.Integer(),
    language_selection: Type.Integer(),
    roles: urls,
    projects: urls,
  }),
  project: Type.Object({ id: optional(id), name: Type.String(), web: text }),
  component: Type.Object({ id: optional(id), name: Type.String() }),
};

export type WireUser = Static<typeof wire.user>;
export type WireSubscription = Static<typeof wire.subscription>;
export type WireGroup = Static<typeof wire.group>;

/** @throws ImportError where the value doesn't match the schema */
export function expect<T extends TSchema>(schema: T, value: unknown, from: string): Static<T> {
  if (Value.Check(schema, value)) return value;
  const { path, message } = Value.Errors(schema, value).First() ?? { path: '', message: 'unexpected' };
  throw new ImportError(
    `${from} doesn't answer as the users interface does: ${path || 'the body'}: ${message.toLowerCase()}`,
  );
}
