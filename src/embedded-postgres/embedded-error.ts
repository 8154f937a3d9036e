// What goes wrong with the embedded PostgreSQL, said to the person who started the service.

/** Its message is one or two lines: what is wrong, and what to do about it. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
}

export const elsewhere =
  'Set UNDERSTUDY_DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server of your own.';

/** The `code` of a system error, such as `EACCES`; undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The sentence for a folder that the operating system refuses to make, list or write. */
export function folderFault(folder: string, error: unknown): EmbeddedError {
  const code = systemCode(error);
  const reason =
    code === 'EROFS'
      ? 'it is on a read-only file system'
      : code === 'EACCES' || code === 'EPERM'
        ? 'this user has no right to'
        : code === 'ENOTDIR' || code === 'EEXIST'
          ? 'a part of the path is a file'
          : code === 'ENOSPC' || code === 'EDQUOT'
            ? 'the disk is full'
            : String(error);
  return new EmbeddedError(`The data folder ${folder} can't be written: ${reason}.\n${elsewhere}`, { cause: error });
}
