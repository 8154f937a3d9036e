// What the routes take, and the fields of a user that a client may say. The checks, OPTIONS and the API's document come from here.
import { type Static, Type } from '@sinclair/typebox';
import { textRules } from '../../api/body/read-value.ts';
import { PageQuery } from '../../api/schema.ts';

/** A user's name in a path. A slash ends the part; an empty part is no path. */
export const UserPath = Type.Object({ username: Type.String({ pattern: '^[^/]+$' }) });
export type UserPath = Static<typeof UserPath>;

export const FilterQuery = Type.Object({
  username: Type.Optional(
    Type.String({ description: 'Beginning of the username; two letters for who may not see all.' }),
  ),
  email: Type.Optional(Type.String({ description: 'The whole e-mail address.' })),
  id: Type.Optional(Type.String({ description: 'The id, a number.' })),
  is_active: Type.Optional(Type.String({ description: '`true` or `false`.' })),
  ...PageQuery.properties,
});
export type FilterQuery = Static<typeof FilterQuery>;

// A mailbox without quotes, comments and what mail servers take amiss, at a host name.
const mailbox = "[-$'*+=^_{}~0-9A-Za-z][-$'*+/=^_{|}~0-9A-Za-z]*(?:\\.[-$'*+/=^_{|}~0-9A-Za-z]+)*";
const label = '[\\p{L}\\p{N}](?:[-\\p{L}\\p{N}]{0,61}[\\p{L}\\p{N}])?';
const host = `(?:localhost|(?:${label}\\.)+(?:\\p{L}|xn--)[-\\p{L}\\p{N}]{0,60}[\\p{L}\\p{N}])`;

const email = Type.String({
  maxLength: 190,
  [textRules]: [{ pattern: `^${mailbox}@${host}$`, detail: 'Enter a valid e-mail address.' }],
});

const fullName = Type.String({
  maxLength: 150,
  [textRules]: [
    { pattern: '^[^\\x00-\\x1f]*$', detail: 'Please avoid using special characters in the full name.' },
    { pattern: '[^.,;:<>"\'\\\\]', detail: 'Name consists only of disallowed characters.' },
    { pattern: '^[^<>"]', detail: 'Name contains disallowed characters.' },
  ],
});

/** Seeds hold usernames to them too. */
export const usernameRules = [
  { pattern: '^[^.]', detail: 'The username can not start with a full stop.' },
  {
    pattern: '^[\\p{L}\\p{N}_.@+\\-]+$',
    detail: 'Username may only contain letters, numbers or the following characters: @ . + - _',
  },
];

const username = Type.String({ maxLength: 150, [textRules]: usernameRules });

/** What everybody may say of oneself (transcript users__update). */
export const SelfFields = Type.Object({
  email: Type.Optional(Type.Union([email, Type.Null()])),
  full_name: fullName,
  username,
});

/** What those may say of a user who may edit all. */
export const UserFields = Type.Object({
  ...SelfFields.properties,
  is_superuser: Type.Optional(Type.Boolean()),
  is_active: Type.Optional(Type.Boolean()),
  is_bot: Type.Optional(Type.Boolean()),
  date_expires: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
});
export type UserFields = Static<typeof UserFields>;

export const MembershipFields = Type.Object({ group_id: Type.Integer() });
