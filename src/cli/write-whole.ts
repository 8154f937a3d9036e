// Writes a file as a whole or not at all, even if the program is killed.
import { randomUUID } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../base/failure.ts';

/**
 * Writes a temporary file beside the file, and renames it at the end. Makes a missing folder. A file that is
 * replaced keeps its mode, and symbolic links to it remain. A device is written in place; so is a mounted
 * file, when the temporary file is complete.
 */
export async function writeWhole(file: string, text: string | AsyncIterable<string>, signal?: AbortSignal) {
  await mkdir(dirname(file), { recursive: true });
  const target = await realpath(file).catch(() => file);
  const former = await lstat(target).catch(() => undefined);
  if (former !== undefined && !former.isFile()) return writeFile(target, text, { signal });
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    // Others may read the draft only if they could read the former file.
    await writeFile(draft, text, { flag: 'wx', flush: true, mode: former?.mode ?? 0o666 });
    if (former !== undefined) await chmod(draft, former.mode);
    signal?.throwIfAborted();
    await rename(draft, target).catch((error: unknown) => {
      if (codeOf(error) !== 'EBUSY') throw error;
      return copyFile(draft, target);
    });
  } finally {
    await rm(draft, { force: true });
  }
}
