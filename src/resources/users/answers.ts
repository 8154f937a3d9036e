// A user as serialize.ts writes it, in its three forms.
import { type TSchema, Type } from '@sinclair/typebox';
import { profileDefaults } from './profile.ts';

const url = Type.String({ format: 'uri' });
const moment = Type.String({ format: 'date-time' });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

// The kind of each key is that of its usual value.
function kindOf(usual: unknown): TSchema {
  if (usual === null) return orNull(Type.Integer());
  if (Array.isArray(usual)) return Type.Array(Type.String());
  return typeof usual === 'boolean' ? Type.Boolean() : typeof usual === 'number' ? Type.Integer() : Type.String();
}

const Profile = Type.Object(
  Object.fromEntries(Object.entries(profileDefaults).map(([key, usual]) => [key, kindOf(usual)])),
  { $id: 'Profile' },
);

const basic = { id: Type.Integer(), full_name: Type.String(), username: Type.String() };
const self = {
  id: basic.id,
  email: orNull(Type.String()),
  full_name: basic.full_name,
  username: basic.username,
};

/** What everybody sees. */
export const BasicUser = Type.Object(basic, { $id: 'BasicUser' });

/** What users see of themselves once they changed something. */
export const OwnUser = Type.Object({ ...self, profile: Profile }, { $id: 'OwnUser' });

/** What those see who may see all users. */
export const User = Type.Object(
  {
    ...self,
    groups: Type.Array(url),
    profile: Profile,
    notifications: url,
    is_superuser: Type.Boolean(),
    is_active: Type.Boolean(),
    is_bot: Type.Boolean(),
    date_joined: moment,
    date_expires: orNull(moment),
    last_login: orNull(moment),
    url,
    statistics_url: url,
    contributions_url: url,
  },
  { $id: 'User' },
);

const count = Type.Integer({ minimum: 0 });

export const Statistics = Type.Object(
  { translated: count, suggested: count, uploaded: count, commented: count, languages: count },
  { $id: 'Statistics' },
);
