// Turns an error into text and exit code. Loaded only after a failure: it imports all kinds of errors.
import { DatabaseError } from 'pg';
import { describeErrors, UnderstudyError } from '../package/client/understudy-error.ts';
import { isUnavailable, noSuchDatabase } from '../database/sqlstates.ts';
import { ApiError } from '../base/errors.ts';
import { codeOf, PassingError, reasonOf, UserError } from '../base/failure.ts';
import { SeedError } from '../seeds/format/seed-errors.ts';
import { describeSeedErrors, exits, RefusedError } from './usage.ts';

/** Undefined for a bug of the program: then the stack trace helps. */
export function explainFailure(command: string, error: unknown, isSupervised = false) {
  const no = (text: string) => ({ text, exit: exits.no });
  if (error instanceof SeedError) return no(describeSeedErrors(error));
  if (error instanceof RefusedError) return no(`${error.message}\nNothing was written.`);
  if (error instanceof ApiError) return no(describeErrors(error.lines));
  // From status 500 on, the service failed.
  if (error instanceof UnderstudyError && error.kind === 'refused' && (error.status ?? 0) < 500)
    return no(error.message);
  // A code like CERT_HAS_EXPIRED is pg's: HTTP clients wrap errors of TLS.
  const isUntrusted = /CERT|SIGNATURE/.test(codeOf(error));
  if (!isUntrusted && !isForUser(error)) return undefined;
  const text = isUntrusted
    ? `PostgreSQL's TLS certificate is not trusted: ${reasonOf(error).split(';')[0]}\n` +
      'In DATABASE_URL, sslrootcert=FILE names an authority to trust, and sslmode=no-verify ends the check.'
    : reasonOf(error) + (codeOf(error) === noSuchDatabase ? '. Make it with `weblate-understudy migrate`.' : '');
  const ofSupervised = isPassing(error) ? exits.no : exits.unusable;
  return { text: `${command}: ${text}`, exit: isSupervised ? ofSupervised : exits.wrong };
}

const lastingErrnos = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'EROFS'];

const isPassing = (error: unknown) =>
  error instanceof PassingError ||
  isUnavailable(error) ||
  (error instanceof Error && 'syscall' in error && !lastingErrnos.includes(codeOf(error)));

/** Whether the message helps the user. */
const isForUser = (error: unknown) =>
  [DatabaseError, UnderstudyError, UserError].some((type) => error instanceof type) ||
  (error instanceof Error && 'syscall' in error) ||
  isUnavailable(error);
