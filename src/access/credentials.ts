// What the Authorization header says (transcript list__auth-errors). The scheme's case doesn't matter; a token's does.
import { hash } from 'node:crypto';
import { apiError } from '../errors.ts';

/**
 * SHA-256 of a token's text: what the database knows of it. The text itself goes nowhere. By way of a string, which takes half the
 * time that a buffer of its own does.
 */
export const hashToken = (key: string): Buffer => Buffer.from(hash('sha256', key, 'latin1'), 'latin1');

export interface Credentials {
  readonly tokenHash: Buffer;
}

/** Returns the token's text, or null without a header. Throws 401 for a header that holds no token. */
function readToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  const [scheme, key, more] = header.match(/[^ \t]+/g) ?? [];
  if (scheme === undefined) return null;
  if (!/^(?:token|bearer)$/i.test(scheme)) throw apiError('unsupported_scheme');
  if (key === undefined) throw apiError('invalid_token_header_empty');
  if (more !== undefined) throw apiError('invalid_token_header_spaces');
  return key;
}

/** Null without a header. Throws 401 for a header that holds no token. */
export function readCredentials(header: string | undefined): Credentials | null {
  const key = readToken(header);
  return key === null ? null : { tokenHash: hashToken(key) };
}

/** Returns the token's text, or null if the header is missing or holds no token. */
export function findToken(header: string | undefined): string | null {
  try {
    return readToken(header);
  } catch {
    return null;
  }
}
