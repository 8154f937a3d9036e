// Turns what a command throws into the text for its user and the exit code. Loaded only after a failure: it knows the
// errors of every part, and a command that succeeds needn't load the others' parts.
import { DatabaseError } from 'pg';
import { describeFaults, UnderstudyError } from '../package/client/understudy-error.ts';
import { isUnavailable } from '../database/sqlstates.ts';
import { ApiError, codeOf, reasonOf, UserError } from '../base/errors.ts';
import { SeedError } from '../seeds/format/seed-errors.ts';
import { describeSeedErrors, exits, RefusedError } from './failure.ts';

// Their messages say what to change, so no stack trace is shown.
const forUsers = [DatabaseError, UnderstudyError, UserError];

/** Undefined for a fault of the program itself, which deserves its stack trace. */
export function explainFailure(command: string, error: unknown): { text: string; exit: number } | undefined {
  if (error instanceof SeedError) return { text: describeSeedErrors(error), exit: exits.no };
  if (error instanceof RefusedError) return { text: `${error.message}\nNothing was written.`, exit: exits.no };
  if (error instanceof ApiError) return { text: describeFaults(error.lines), exit: exits.no };
  if (error instanceof UnderstudyError && isRefusal(error)) return { text: error.message, exit: exits.no };
  if (isCertificateError(error))
    return {
      text:
        `${command}: PostgreSQL's TLS certificate is not trusted: ${error.message.split(';')[0]}\n` +
        'Name its certificate authority in DATABASE_URL by sslrootcert=FILE, or encrypt without a check by sslmode=no-verify.',
      exit: exits.wrong,
    };
  if (forUsers.some((type) => error instanceof type) || isSystemError(error) || isUnavailable(error))
    return { text: `${command}: ${reasonOf(error)}`, exit: exits.wrong };
  return undefined;
}

/** Whether the service refused. From 500 on, it failed. */
const isRefusal = ({ kind, status = 0 }: UnderstudyError): boolean => kind === 'refused' && status < 500;

/** Such as DEPTH_ZERO_SELF_SIGNED_CERT. HTTP clients wrap it in errors of their own. */
const isCertificateError = (error: unknown): error is Error =>
  error instanceof Error && /CERT|SIGNATURE/.test(codeOf(error));

/** Of a file or a socket: the message names the call and the path. */
const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
