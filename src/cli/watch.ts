// Does something again each time one of some files changes, until Ctrl-C.
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

export interface WatchOptions {
  readonly files: readonly string[];
  readonly signal: AbortSignal;
  /** Changes that follow one another within this time are one: editors write in several steps. */
  readonly settleMs?: number;
}

/**
 * Runs `work` at once and after each change, never twice at the same time; a change during it leads to one more. Ends when the
 * signal is aborted, or by what `work` throws.
 */
export async function whileWatching(
  { files, signal, settleMs = 150 }: WatchOptions,
  work: () => Promise<void>,
): Promise<void> {
  let changed = Promise.withResolvers<void>();
  using watchers = new DisposableStack();
  for (const [folder, names] of byFolder(files)) {
    // The folder, because many editors put another file in the place of the old one.
    const watcher = watchers.adopt(watch(folder), (open: FSWatcher) => open.close());
    watcher.on('change', (_kind, name) => {
      if (name === null || names.has(String(name))) changed.resolve();
    });
    watcher.on('error', (error) => changed.reject(error));
  }
  const stopped = new Promise<void>((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
  while (!signal.aborted) {
    await work();
    await Promise.race([changed.promise, stopped]);
    // What comes while the change settles is part of it.
    await settle(settleMs, stopped);
    changed = Promise.withResolvers();
  }
}

function byFolder(files: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    const folder = dirname(resolve(file));
    folders.set(folder, (folders.get(folder) ?? new Set()).add(basename(file)));
  }
  return folders;
}

async function settle(ms: number, stopped: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([new Promise((done) => (timer = setTimeout(done, ms))), stopped]);
  clearTimeout(timer);
}
