// Writes a set of files, each as a whole or not at all, even if the program is stopped.
import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

type FileText = string | AsyncIterable<string | Uint8Array>;

interface Draft {
  readonly temporary: string;
  readonly target: string;
}

/**
 * Writes `files` (name and text) into `folder`, creating it if missing: all as temporary files first, which are renamed
 * at the end. A file that is replaced keeps its mode, and a link to it remains. What is no regular file, such as a
 * device, is written to as it is.
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, FileText>, signal?: AbortSignal) {
  await mkdir(folder, { recursive: true });
  const drafts: Draft[] = [];
  try {
    for (const [name, text] of files) {
      signal?.throwIfAborted();
      const target = await realpath(join(folder, name)).catch(() => join(folder, name));
      const former = await lstat(target).catch(() => undefined);
      if (former !== undefined && !former.isFile()) {
        await writeFile(target, text, { signal });
        continue;
      }
      const draft = { temporary: join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`), target };
      drafts.push(draft);
      // Readable by others from the start only if the former was.
      await writeFile(draft.temporary, text, { flag: 'wx', flush: true, mode: former?.mode ?? 0o666 });
      if (former !== undefined) await chmod(draft.temporary, former.mode);
    }
    signal?.throwIfAborted();
    for (const { temporary, target } of drafts) await rename(temporary, target);
  } finally {
    for (const { temporary } of drafts) await rm(temporary, { force: true });
  }
}
