// The fields of a user, each described once: answers hold some of them and bodies others.
import { type Static, Type } from '@sinclair/typebox';
import { textRules } from '../../api/body/read-value.ts';
import { nullable } from '../../api/operation.ts';
import { Profile } from './profile.ts';

const email = Type.String({ title: 'E-mail', maxLength: 190 });
const fullName = Type.String({ title: 'Full name', maxLength: 150 });
const usernameCharacters = 'Username may only contain letters, numbers or the following characters: @ . + - _';
const username = Type.String({ title: 'Username', description: usernameCharacters, maxLength: 150 });
const link = (title?: string) => Type.String({ format: 'uri', ...(title !== undefined && { title }) });

/** What callers see who may see all users. */
export const User = Type.Object(
  {
    id: Type.Integer({ title: 'ID' }),
    email: nullable(email),
    full_name: fullName,
    username,
    groups: Type.Array(link(), { title: 'Groups' }),
    profile: Profile,
    notifications: link('Notifications'),
    is_superuser: Type.Boolean({
      title: 'Superuser status',
      description: 'User has all possible permissions.',
    }),
    is_active: Type.Boolean({ title: 'Active', description: 'Mark user as inactive instead of removing.' }),
    is_bot: Type.Boolean({ title: 'Robot user' }),
    date_joined: Type.String({ title: 'Date joined', format: 'date-time' }),
    date_expires: nullable(
      Type.String({
        title: 'Expires',
        description: 'The account will be disabled after the expiry.',
        format: 'date-time',
      }),
    ),
    last_login: nullable(Type.String({ title: 'Last login', format: 'date-time' })),
    url: link('Url'),
    statistics_url: link('Statistics url'),
    contributions_url: link('Contributions url'),
  },
  { $id: 'User' },
);

/** What every caller sees. */
export const BasicUser = Type.Pick(User, ['id', 'full_name', 'username'], { $id: 'BasicUser' });

/** What users see of themselves after a change. */
export const OwnUser = Type.Pick(User, ['id', 'email', 'full_name', 'username', 'profile'], { $id: 'OwnUser' });

// A mailbox without quotes and comments, at a host name.
const mailbox = "[-$'*+=^_{}~0-9A-Za-z][-$'*+/=^_{|}~0-9A-Za-z]*(?:\\.[-$'*+/=^_{|}~0-9A-Za-z]+)*";
const label = '[\\p{L}\\p{N}](?:[-\\p{L}\\p{N}]{0,61}[\\p{L}\\p{N}])?';
const host = `(?:localhost|(?:${label}\\.)+(?:\\p{L}|xn--)[-\\p{L}\\p{N}]{0,60}[\\p{L}\\p{N}])`;

/** What users may change of themselves (transcript users__update). */
export const SelfFields = Type.Object({
  email: Type.Optional(
    nullable({
      ...email,
      [textRules]: [{ pattern: `^${mailbox}@${host}$`, detail: 'Enter a valid e-mail address.' }],
    }),
  ),
  full_name: {
    ...fullName,
    [textRules]: [
      { pattern: '^[^\\x00-\\x1f]*$', detail: 'Please avoid using special characters in the full name.' },
      { pattern: '[^.,;:<>"\'\\\\]', detail: 'Name consists only of disallowed characters.' },
      { pattern: '^[^<>"]', detail: 'Name contains disallowed characters.' },
    ],
  },
  username: {
    ...username,
    [textRules]: [
      { pattern: '^[^.]', detail: 'The username can not start with a full stop.' },
      { pattern: '^[\\p{L}\\p{N}_.@+\\-]+$', detail: usernameCharacters },
    ],
  },
});

const { is_superuser, is_active, is_bot, date_expires } = User.properties;

/** What callers may set who may edit all users. */
export const UserFields = Type.Object({
  ...SelfFields.properties,
  ...Type.Partial(Type.Object({ is_superuser, is_active, is_bot, date_expires })).properties,
});
export type UserValues = Partial<Static<typeof UserFields>>;

export const MembershipFields = Type.Object({ group_id: Type.Integer() }, { $id: 'Membership' });
