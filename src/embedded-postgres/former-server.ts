// A server that runs on the folder without a watchdog: its own was killed, or the whole machine was.
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedError } from './embedded-error.ts';
import type { Folder } from './folder.ts';
import { markStale, readPidFile, runsOn } from './pid-file.ts';

const patienceMs = 20_000;

/**
 * Ends such a server, so that ours can start. Only for the holder of the folder's lock: then whatever still runs here
 * belongs to nobody.
 *
 * @param parent process id that the new server's parent will have
 */
export async function endFormerServer(folder: Folder, parent: number, say: (line: string) => void): Promise<void> {
  const found = readPidFile(folder);
  if (found === undefined) return;
  if (!runsOn(folder, found.pid)) return markStale(folder, parent);
  say(`ending the PostgreSQL that was left running without a watchdog (process ${found.pid})`);
  await end(folder, found.pid);
}

async function end(folder: Folder, pid: number): Promise<void> {
  for (const beganMs = Date.now(); Date.now() - beganMs < patienceMs; await sleep(100)) {
    if (!runsOn(folder, pid)) return;
    try {
      // PostgreSQL's fast shutdown. One that arrives while the server is starting can get lost, so it is repeated.
      process.kill(pid, 'SIGINT');
    } catch {
      // It ended between the two lines, or isn't ours to end; the next look tells.
    }
  }
  throw new EmbeddedError(
    `A PostgreSQL that was left running on ${folder.path} doesn't end: process ${pid}.\nEnd it (kill -QUIT ${pid}) and start again.`,
  );
}
