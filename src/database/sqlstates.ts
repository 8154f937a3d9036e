// Why a statement failed. PostgreSQL's errors have a SQLSTATE, sockets' errors have an errno, and some errors
// of the client pg have only a message.
import { DatabaseError } from 'pg';
import { codeOf, reasonOf } from '../base/failure.ts';

/** The database can't answer. It may have executed the statement. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  constructor(cause: unknown) {
    super(`the database is not available: ${reasonOf(cause)}`, { cause });
  }
}

// Lost connections (08); deadlocks and serialization failures (40); too little disk, memory or
// connections (53); a server that is starting, ending, crashed (57P) or read-only; a prepared statement that
// is gone; a lock timeout; a cancelled statement; I/O errors.
const unavailableStates = /^(?:08...|40...|53...|57P..|25006|26000|55P03|57014|58030)$/;

const unavailableErrnos =
  /^(ECONN(ABORTED|REFUSED|RESET)|E(HOST|NET)(DOWN|UNREACH)|EADDRNOTAVAIL|EAI_AGAIN|EMFILE|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

// pg's errors for lost connections, which have no code.
const unavailableMessages =
  /^(Connection terminated|Client has encountered|Client was closed|timeout exceeded|timeout expired|Query read timeout|Connection ended|The server does not support)/;

/** Whether the same statement may succeed later. */
export function isUnavailable(error: unknown) {
  if (error instanceof DatabaseUnavailable) return true;
  const code = codeOf(error);
  // A stopped server's socket is missing. Any other missing file is a permanent error.
  if (code === 'ENOENT') return (error as { syscall?: unknown }).syscall === 'connect';
  if (code !== '') return unavailableStates.test(code) || unavailableErrnos.test(code);
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return error instanceof Error && unavailableMessages.test(error.message);
}

export const isLockTimeout = (error: unknown) =>
  codeOf(error instanceof DatabaseUnavailable ? error.cause : error) === '55P03';

export const noSuchDatabase = '3D000';

/** Whether a value is invalid (class 22). In a shared statement, it may be another request's value. */
export const isDataError = (error: unknown) => codeOf(error).startsWith('22');

export const violatedUnique = (error: unknown) =>
  error instanceof DatabaseError && error.code === '23505' ? (error.constraint ?? '') : undefined;
