// A user on the wire: the fields that clients read and write, each declared once, and the JSON.
import { isIP } from 'node:net';
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { textRules } from '../../http/body/read-value.ts';
import type { UrlContext } from '../../http/call.ts';
import { link, nullable } from '../../http/operation.ts';
import { inOrderOf, linkTo } from '../answers.ts';
import { usernameCharacters, usernameRules } from '../../model/usernames.ts';
import { Profile, type StoredProfile, wholeProfile } from './profile.ts';

const texts = {
  email: Type.String({ title: 'E-mail', maxLength: 190 }),
  full_name: Type.String({ title: 'Full name', maxLength: 150 }),
  username: Type.String({ title: 'Username', description: usernameCharacters, maxLength: 150 }),
};
const moment = (title: string, more = {}) => Type.String({ title, format: 'date-time', ...more });

/** A user as seen by callers who may view all users. */
export const User = Type.Object(
  {
    id: Type.Integer({ title: 'ID' }),
    email: nullable(texts.email),
    full_name: texts.full_name,
    username: texts.username,
    groups: Type.Array(link(), { title: 'Groups' }),
    profile: Profile,
    notifications: link('Notifications'),
    is_superuser: Type.Boolean({ title: 'Superuser status', description: 'User has all possible permissions.' }),
    is_active: Type.Boolean({ title: 'Active', description: 'Mark user as inactive instead of removing.' }),
    is_bot: Type.Boolean({ title: 'Robot user' }),
    date_joined: moment('Date joined'),
    date_expires: nullable(moment('Expires', { description: 'The account will be disabled after the expiry.' })),
    last_login: nullable(moment('Last login')),
    url: link('Url'),
    statistics_url: link('Statistics url'),
    contributions_url: link('Contributions url'),
  },
  { $id: 'User' },
);

/** A user as seen by other callers. */
export const BasicUser = Type.Pick(User, ['id', 'full_name', 'username'], { $id: 'BasicUser' });

/** The answer to users who changed themselves. */
export const OwnUser = Type.Pick(User, ['id', 'email', 'full_name', 'username', 'profile'], { $id: 'OwnUser' });

// The e-mail addresses that Weblate accepts (transcript users__emails). It refuses what mail servers consider
// an attack: some marks, and a slash, a dot or a bar at the start.
const atom = "[-$'*+=^_{}~0-9A-Za-z/|]+";
const mailbox = new RegExp(`^(?![/|])${atom}(?:\\.${atom})*$`);
// Quotes may hold nearly all characters, but a space, quote or backslash only after a backslash.
const quotable = "\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f$'->A-Z\\[\\]^_a-z{|}~\\x7f";
const quotedMailbox = new RegExp(`^"(?!.*/\\.\\./)(?:[${quotable}]|\\\\[${quotable}\\t "\\\\])*"$`);

const letter = 'a-zA-Z\u00a1-\uffff';
const label = `(?!-)[${letter}0-9-]{1,63}(?<!-)`;
const host = new RegExp(`^(?:${label}\\.)+(?!-)(?:[${letter}-]{2,63}|[xX][nN]--[a-zA-Z0-9]{1,59})(?<!-)$`, 'u');
const literal = /^\[([A-Fa-f0-9:.]+)\]$/;

function isAddress(text: string) {
  const at = text.lastIndexOf('@');
  if (at === -1 || text.length > 320) return false;
  const [user, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (!mailbox.test(user) && !quotedMailbox.test(user)) return false;
  return domain === 'localhost' || host.test(domain) || isIP(literal.exec(domain)?.[1] ?? '') !== 0;
}

const writable = {
  email: Type.Optional(
    nullable({ ...texts.email, [textRules]: [{ accepts: isAddress, detail: 'Enter a valid e-mail address.' }] }),
  ),
  full_name: {
    ...texts.full_name,
    [textRules]: [
      { pattern: '^[^\\x00-\\x1f]*$', detail: 'Please avoid using special characters in the full name.' },
      { pattern: '[^.,;:<>"\'\\\\]', detail: 'Name consists only of disallowed characters.' },
      { pattern: '^[^<>"]*$', detail: 'Name contains disallowed characters.' },
    ],
  },
  username: { ...texts.username, [textRules]: usernameRules },
};

/** What users may send for their own entry; `email` must stay as it is (transcript users__self). */
export const SelfFields = Type.Object({ email: writable.email, full_name: writable.full_name });

/** The fields that OPTIONS calls writable for callers who may not edit all users. */
export const NamingFields = Type.Object(writable);

/** The fields that callers who may edit all users may set. */
export const UserFields = Type.Object({
  ...writable,
  ...Type.Partial(Type.Pick(User, ['is_superuser', 'is_active', 'is_bot', 'date_expires'])).properties,
});
export type UserValues = Partial<Static<typeof UserFields>>;

export const MembershipFields = Type.Object({ group_id: Type.Integer() }, { $id: 'Membership' });

const count = Type.Integer({ minimum: 0 });
export const Statistics = Type.Object(
  { translated: count, suggested: count, uploaded: count, commented: count, languages: count },
  { $id: 'Statistics' },
);

/** What code reads of a user's row. SQL has written the moments as texts. */
export interface UserRow {
  readonly username: string;
  readonly profile: StoredProfile;
  /** Ids in ascending order; Weblate's order varies. Null if the caller doesn't see them. */
  readonly groups: readonly number[] | null;
}

/** @param form the fields that the caller may see (transcripts users__detail, users__update) */
export function serializeUser(row: UserRow, form: TObject, urls: UrlContext) {
  const path = userPath(row.username);
  const whole = {
    ...row,
    groups: row.groups?.map((group) => linkTo(urls, `groups/${group}`)),
    profile: inOrderOf(Profile, wholeProfile(row.profile, urls)),
    notifications: linkTo(urls, `${path}/notifications`),
    url: linkTo(urls, path),
    statistics_url: linkTo(urls, `${path}/statistics`),
    contributions_url: linkTo(urls, `${path}/contributions`),
  };
  return JSON.stringify(inOrderOf(form, whole));
}

/** As in Weblate, characters that RFC 3986 allows in a path stay as they are. */
export const userPath = (username: string) =>
  `users/${encodeURIComponent(username).replaceAll(/%(?:2[4BC6]|3[ABD]|40)/g, decodeURIComponent)}`;
