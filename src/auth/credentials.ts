// What the Authorization header says (transcript list__auth-errors). The scheme's case doesn't matter; a token's does.
import { hash } from 'node:crypto';
import { apiError } from '../http/errors.ts';

/**
 * SHA-256 of a token's text: what the database knows of it. The text itself goes nowhere. By way of a string, which takes half the
 * time that a buffer of its own does.
 */
export const hashToken = (key: string): Buffer => Buffer.from(hash('sha256', key, 'latin1'), 'latin1');

// A token made for a sandbox names it, for clients that can change neither path nor headers (docs/decisions/0003).
const sandboxToken = /^wlu_sandbox_([a-z0-9-]{1,63})_/;

export interface Credentials {
  readonly tokenHash: Buffer;
  /** The sandbox that the token chooses by itself. */
  readonly sandbox: string | undefined;
}

/** Null without a header. Throws 401 for a header that holds no token. */
export function readCredentials(header: string | undefined): Credentials | null {
  if (header === undefined) return null;
  const [scheme, key, more] = header.match(/[^ \t]+/g) ?? [];
  if (scheme === undefined) return null;
  if (!/^(?:token|bearer)$/i.test(scheme)) throw apiError('unsupported_scheme');
  if (key === undefined) throw apiError('invalid_token_header_empty');
  if (more !== undefined) throw apiError('invalid_token_header_spaces');
  return { tokenHash: hashToken(key), sandbox: sandboxToken.exec(key)?.[1] };
}
