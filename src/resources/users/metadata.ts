// The fields of a user as OPTIONS describes them: all of them to those who may see users in full, to others those of the basic form
// (transcript users__methods).
import type { UserAccess } from '../../access/permissions.ts';
import { type FieldMetadata, optional, readOnly, required } from '../../api/options.ts';
import { profileMetadata } from './profile-metadata.ts';

const full = {
  id: readOnly('integer', 'ID'),
  email: { ...optional('string', 'E-mail'), max_length: 190 },
  full_name: { ...required('string', 'Full name'), max_length: 150 },
  username: {
    ...required('string', 'Username'),
    help_text: 'Username may only contain letters, numbers or the following characters: @ . + - _',
    max_length: 150,
  },
  groups: readOnly('field', 'Groups'),
  profile: { ...readOnly('nested object', 'Profile'), children: profileMetadata },
  notifications: readOnly('field', 'Notifications'),
  is_superuser: { ...optional('boolean', 'Superuser status'), help_text: 'User has all possible permissions.' },
  is_active: { ...optional('boolean', 'Active'), help_text: 'Mark user as inactive instead of removing.' },
  is_bot: optional('boolean', 'Robot user'),
  date_joined: readOnly('datetime', 'Date joined'),
  date_expires: { ...optional('datetime', 'Expires'), help_text: 'The account will be disabled after the expiry.' },
  last_login: readOnly('datetime', 'Last login'),
  url: readOnly('field', 'Url'),
  statistics_url: readOnly('field', 'Statistics url'),
  contributions_url: readOnly('field', 'Contributions url'),
} satisfies Record<string, FieldMetadata>;

const { id, full_name, username } = full;
const basic = { id, full_name, username };

export const userMetadata = ({ may_view_users }: UserAccess): Record<string, FieldMetadata> =>
  may_view_users ? full : basic;
