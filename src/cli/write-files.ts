// Writes a set of files, each as a whole or not at all, even if the program is stopped.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type FileText = string | AsyncIterable<string | Uint8Array>;

/**
 * Writes `files` (name and text) into `folder`, creating it if missing: all as temporary files first, which are renamed
 * at the end.
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, FileText>, signal?: AbortSignal) {
  await mkdir(folder, { recursive: true });
  const temporary = (name: string) => join(folder, `.${name}.${process.pid}.tmp`);
  try {
    for (const [name, text] of files) {
      signal?.throwIfAborted();
      await writeFile(temporary(name), text, { flush: true });
    }
    signal?.throwIfAborted();
    for (const name of files.keys()) await rename(temporary(name), join(folder, name));
  } finally {
    for (const name of files.keys()) await rm(temporary(name), { force: true });
  }
}
