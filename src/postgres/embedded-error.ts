// Errors of the embedded PostgreSQL, worded for the person who starts the service.
import { UserError } from '../base/errors.ts';

/** The message has one or two lines: what is wrong, and what to do about it. */
export class EmbeddedError extends UserError {
  override readonly name = 'EmbeddedError';
}

export const otherPlaces =
  'Set UNDERSTUDY_DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server of your own.';

/** The `code` of a system error, such as `EACCES`; undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The result of the work; undefined if it throws. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EROFS: 'it is on a read-only file system',
  EACCES: 'this user has no right to',
  EPERM: 'this user has no right to',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
};

/** The last message of PostgreSQL's programs. */
export const findReason = (log: string): string | undefined =>
  [...log.matchAll(/^(?:initdb: (?:error: )?|.*?(?:FATAL|PANIC): *)(.*)$/gm)].at(-1)?.[1];

/** For errors while the folder is made, listed or written, or its server is started. */
export function folderError(folder: string, cause: unknown): EmbeddedError {
  if (cause instanceof EmbeddedError) return cause;
  const reason = reasons[systemCode(cause) ?? ''];
  const text =
    reason === undefined
      ? `PostgreSQL could not be started on ${folder}: ${cause instanceof Error ? cause.message : String(cause)}`
      : `The data folder ${folder} can't be written: ${reason}.\n${otherPlaces}`;
  return new EmbeddedError(text, { cause });
}
