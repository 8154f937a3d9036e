// Why a statement failed: the database is unavailable, or the statement violates a constraint. PostgreSQL's errors
// carry a SQLSTATE, those of sockets an errno, and some of pg's only a message.
import { DatabaseError } from 'pg';

/** The database can't answer now. The client may not rely on the statement, whether it was executed or not. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  constructor(cause: unknown) {
    super(`the database is not available: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The statement was not sent, because those before it have been waiting too long. */
export class Overloaded extends DatabaseUnavailable {}

const unavailableStates = new Set([
  '25006', // read-only transaction: a server that is failing over
  '26000', // the prepared statement was deallocated, or a pooler changed the connection
  '40001', // serialization failure
  '40P01', // deadlock
  '53000', // insufficient resources
  '53100', // disk full
  '53200', // out of memory
  '53300', // too many connections
  '55P03', // lock timeout
  '57014', // cancelled by the time limit or an administrator
  '57P01', // the server is shutting down
  '57P02', // the server crashed
  '57P03', // the server is starting
  '57P04', // the database was dropped
  '57P05', // idle session timeout
  '58030', // I/O error
]);

const unavailableErrnos =
  /^(ECONN(ABORTED|REFUSED|RESET)|E(HOST|NET)(DOWN|UNREACH)|EADDRNOTAVAIL|EAI_AGAIN|EMFILE|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

// pg's errors for a lost connection have no code.
const unavailableMessages =
  /^(Connection terminated|Client has encountered|Client was closed|timeout exceeded|timeout expired|Query read timeout|Connection ended|The server does not support)/;

/** The SQLSTATE or errno of an error, or an empty string. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** True where the database or the connection to it failed, so that the same statement may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = codeOf(error);
  // The socket of a server that isn't running. Any other missing file is a permanent error.
  if (code === 'ENOENT') return (error as { syscall?: unknown }).syscall === 'connect';
  if (code !== '') return unavailableStates.has(code) || unavailableErrnos.test(code) || code.startsWith('08');
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return error instanceof Error && unavailableMessages.test(error.message);
}

/** True where the statement gave up waiting for a lock. */
export const isLockTimeout = (error: unknown): boolean =>
  codeOf(error instanceof DatabaseUnavailable ? error.cause : error) === '55P03';

/** True for invalid values (class 22), which in a shared statement may be another request's. */
export const isDataError = (error: unknown): boolean => codeOf(error).startsWith('22');

/** The unique constraint that a statement violated, or undefined. */
export const violatedUnique = (error: unknown): string | undefined => violated(error, '23505');

/**
 * The foreign key that a statement violated, because the row that it references was deleted meanwhile; or undefined.
 */
export const violatedForeignKey = (error: unknown): string | undefined => violated(error, '23503');

const violated = (error: unknown, state: string): string | undefined =>
  error instanceof DatabaseError && error.code === state ? (error.constraint ?? '') : undefined;
