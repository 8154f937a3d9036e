// A user on the wire, in three forms: User, OwnUser and BasicUser of fields.ts.
import type { UrlContext } from '../../api/call.ts';
import { writeMoment } from '../../api/wire/moments.ts';
import { type StoredProfile, wholeProfile } from './profile.ts';

/** A user as statements return it. Moments are texts in UTC with microseconds. */
export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly full_name: string;
  readonly email: string | null;
  readonly is_superuser: boolean;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  readonly date_joined: string;
  readonly date_expires: string | null;
  readonly last_login: string | null;
  readonly profile: StoredProfile;
  /** Ids, ascending: the real system gives them in varying order. */
  readonly groups: readonly number[];
}

/** The caller's rights decide which (transcripts users__detail, users__update). */
export type UserForm = 'full' | 'self' | 'basic';

export function serializeUser(row: UserRow, form: UserForm, urls: UrlContext): string {
  return JSON.stringify(form === 'full' ? full(row, urls) : form === 'self' ? self(row) : basic(row));
}

const basic = ({ id, full_name, username }: UserRow) => ({ id, full_name, username });

const self = ({ id, email, full_name, username, profile }: UserRow) => ({
  id,
  email,
  full_name,
  username,
  profile: wholeProfile(profile),
});

function full(row: UserRow, { baseUrl, urlQuery }: UrlContext) {
  const url = `${baseUrl}${userPath(row.username)}`;
  const { id, email, full_name, username } = row;
  return {
    id,
    email,
    full_name,
    username,
    groups: row.groups.map((group) => `${baseUrl}/api/groups/${group}/${urlQuery}`),
    profile: wholeProfile(row.profile),
    notifications: `${url}notifications/${urlQuery}`,
    is_superuser: row.is_superuser,
    is_active: row.is_active,
    is_bot: row.is_bot,
    date_joined: writeMoment(row.date_joined),
    date_expires: row.date_expires && writeMoment(row.date_expires),
    last_login: row.last_login && writeMoment(row.last_login),
    url: url + urlQuery,
    statistics_url: `${url}statistics/${urlQuery}`,
    contributions_url: `${url}contributions/${urlQuery}`,
  };
}

export const userUrl = (username: string, { baseUrl, urlQuery }: UrlContext): string =>
  baseUrl + userPath(username) + urlQuery;

// As Weblate writes a name into a path: characters that RFC 3986 allows there stay as they are.
const userPath = (username: string) =>
  `/api/users/${encodeURIComponent(username).replaceAll(/%(?:2[4BC6]|3[ABD]|40)/g, decodeURIComponent)}/`;
