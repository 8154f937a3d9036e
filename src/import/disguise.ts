// Puts made-up people in the place of real ones: who is who follows from the id alone, so that every import gives the same names.
import { personOf } from '../generate/made-up-names.ts';
import type { ReadUser } from './read-server.ts';

// What a profile says of who somebody is; the rest is how the pages look to them.
const personalKeys = new Set(
  'website contact liberapay fediverse codesite github twitter linkedin location company public_email commit_email'.split(
    ' ',
  ),
);

/** The user of nobody: part of the system, no person. */
const isNobody = (user: ReadUser): boolean => user.username === 'anonymous';

export function disguise(user: ReadUser): ReadUser {
  const { profile } = user;
  const left = profile && Object.fromEntries(Object.entries(profile).filter(([key]) => !personalKeys.has(key)));
  const { username, full_name, email } = isNobody(user)
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
