// Replaces personal data by made-up names. They follow from a user's id alone, so every import gives the same ones.
import { personOf } from '../generate/made-up-names.ts';
import type { ReadUser } from './read-server.ts';

// The keys of a profile that describe the person; the others are about the look of pages.
const personalKeys = new Set(
  'website contact liberapay fediverse codesite github twitter linkedin location company public_email commit_email'.split(
    ' ',
  ),
);
// Part of the system, no person.
const anonymous = { username: 'anonymous', full_name: 'Anonymous', email: 'noreply@example.com' };

export function disguise(user: ReadUser): ReadUser {
  const { email, ...names } = user.username === 'anonymous' ? anonymous : personOf(user.id);
  const profile = Object.entries(user.profile ?? {}).filter(([key]) => !personalKeys.has(key));
  // A token with few rights sees no address.
  return { ...user, ...names, email: user.email === undefined ? null : email, profile: Object.fromEntries(profile) };
}
