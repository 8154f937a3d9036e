// Errors of the embedded PostgreSQL, worded for the person who starts the service.
import { codeOf, reasonOf, UserError } from '../base/errors.ts';

export const otherPlaces =
  'Set UNDERSTUDY_DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server of your own.';

const reasons: Readonly<Record<string, string>> = {
  EROFS: 'it is on a read-only file system',
  EACCES: 'this user has no right to',
  EPERM: 'this user has no right to',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
};

/** The last message of PostgreSQL's programs, which says why they ended; undefined if there is none. */
export const findReason = (log: string): string | undefined =>
  [...log.matchAll(/^(?:initdb: (?:error: )?|.*?(?:FATAL|PANIC): *)(.*)$/gm)].at(-1)?.[1];

/** For errors while the folder is made, listed or written, or its server is started. */
export function folderError(folder: string, cause: unknown): UserError {
  if (cause instanceof UserError) return cause;
  const reason = reasons[codeOf(cause)];
  const text =
    reason === undefined
      ? `PostgreSQL could not be started on ${folder}: ${reasonOf(cause)}`
      : `The data folder ${folder} can't be written: ${reason}.\n${otherPlaces}`;
  return new UserError(text, { cause });
}
