// The Authorization header (transcripts list__auth-errors, wire__authorization). Case matters in the token,
// not in the scheme.
import { hash } from 'node:crypto';
import { apiError } from '../base/errors.ts';

/** SHA-256 of a token. The database stores no other form. */
export const hashToken = (key: string) => hash('sha256', key, 'buffer');

// Token hashes by whole header, oldest first. Hashing each request's token would slow lists by 6 %.
const recent = new Map<string, Buffer>();
const maxRecent = 1000;
const maxRecentLength = 200;

/** Null for a missing or blank header. Throws 401 for an unknown scheme, no token, or a token with blanks. */
export function readTokenHash(header: string | undefined) {
  const known = recent.get(header ?? '');
  if (known !== undefined) return known;
  // Weblate's server reads a header that isn't all ASCII as empty.
  if (header === undefined || /[^\t\x20-\x7e]/.test(header)) return null;
  const [scheme, key, more] = header.match(/[^ \t]+/g) ?? [];
  if (scheme === undefined) return null;
  if (!/^(?:token|bearer)$/i.test(scheme)) throw apiError('unsupported_scheme');
  if (key === undefined) throw apiError('invalid_token_header_empty');
  if (more !== undefined) throw apiError('invalid_token_header_spaces');
  const found = hashToken(key);
  if (header.length <= maxRecentLength) recent.set(header, found);
  if (recent.size > maxRecent) recent.delete(recent.keys().next().value as string);
  return found;
}
