// The Authorization header (transcripts list__auth-errors, wire__authorization). The scheme is case-insensitive, the
// token is not.
import { hash } from 'node:crypto';
import { apiError } from '../base/errors.ts';

/** SHA-256 of a token, the only form that the database stores. */
export const hashToken = (key: string) => hash('sha256', key, 'buffer');

// The keys are whole headers, the oldest first. To hash a token for each request would cost lists 6 % of their speed.
const recent = new Map<string, Buffer>();
const maxRecent = 1000;
const maxRecentLength = 200;

/** Null without a header. Throws 401 for a header without a token, with more than one word, or of another scheme. */
export function readTokenHash(header: string | undefined) {
  const known = recent.get(header ?? '');
  if (known !== undefined) return known;
  // Weblate's server takes a header with characters beyond ASCII as empty.
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
