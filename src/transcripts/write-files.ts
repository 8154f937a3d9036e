// Writes a set of files so that each is there whole or not at all, whenever the program is stopped.
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** As a whole, or piece by piece. */
export type FileText = string | AsyncIterable<string | Uint8Array>;

/** Writes `files` (name and text) into `folder`, which is made if missing. All are written beside their places first, and then renamed. */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, FileText>,
  signal?: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const written: { from: string; to: string }[] = [];
  try {
    for (const [name, text] of files) {
      signal?.throwIfAborted();
      const from = join(folder, `.${name}.${process.pid}.tmp`);
      written.push({ from, to: join(folder, name) });
      await writeThrough(from, text);
    }
    signal?.throwIfAborted();
    for (const { from, to } of written) await rename(from, to);
  } finally {
    for (const { from } of written) await rm(from, { force: true });
  }
}

async function writeThrough(path: string, text: FileText): Promise<void> {
  await using file = await open(path, 'w');
  await file.writeFile(text);
  await file.sync();
}
