// What the routes take, and the fields of a subscription. The type, the checks, OPTIONS and the API's document come from here.
import { type Static, Type } from '@sinclair/typebox';
import { frequencies, scopes } from './codes.ts';
import { notificationNames } from './names.ts';

/** A user's name in a path. A slash ends the part; an empty part is no path. */
export const UserPath = Type.Object({ username: Type.String({ pattern: '^[^/]+$' }) });
export type UserPath = Static<typeof UserPath>;

export const SubscriptionPath = Type.Object({
  username: UserPath.properties.username,
  id: Type.String({ pattern: '^[0-9]+$' }),
});
export type SubscriptionPath = Static<typeof SubscriptionPath>;

export const PageQuery = Type.Object({
  page: Type.Optional(Type.String({ description: 'The number of a page, or `last`.' })),
  page_size: Type.Optional(Type.String({ description: 'Entries a page: 50 if left out, at most 1000.' })),
  format: Type.Optional(Type.String({ description: '`json`, `csv`, or `api` for the browsable page.' })),
});
export type PageQuery = Static<typeof PageQuery>;

/** What a client may say of a subscription. */
export const SubscriptionFields = Type.Object({
  notification: Type.Union(notificationNames.map((name) => Type.Literal(name))),
  scope: Type.Union(Object.values(scopes).map((code) => Type.Literal(code))),
  frequency: Type.Union(Object.values(frequencies).map((code) => Type.Literal(code))),
});
