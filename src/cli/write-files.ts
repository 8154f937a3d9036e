// Writes a set of files, each as a whole or not at all, even if the program is stopped.
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

type FileText = string | AsyncIterable<string | Uint8Array>;

/** Writes `files` (name and text) into `folder`, creating it if missing: all as temporary files first, which are renamed at the end. */
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
