// Replaces personal data by made-up names. They follow from a user's id alone, so every import gives the same ones.
import { personOf } from '../generate/made-up-names.ts';
import type { ReadUser } from './read-server.ts';

// The keys of a profile that tell about the person; the rest is about the look of pages.
const personalKeys = new Set(
  'website contact liberapay fediverse codesite github twitter linkedin location company public_email commit_email'.split(
    ' ',
  ),
);

export function disguise(user: ReadUser): ReadUser {
  const { profile } = user;
  const left = profile && Object.fromEntries(Object.entries(profile).filter(([key]) => !personalKeys.has(key)));
  const { username, full_name, email } =
    user.username === 'anonymous' // Part of the system, no person.
      ? { username: 'anonymous', full_name: 'Anonymous', email: 'noreply@example.com' }
      : personOf(user.id);
  return {
    ...user,
    username,
    full_name,
    ...(user.email === undefined ? {} : { email }),
    ...(left ? { profile: left } : {}),
  };
}
