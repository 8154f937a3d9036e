// Where a temporary cluster lies: a folder of its own that no other user can enter. The watchdog makes and removes it;
// what watchdogs left behind that were killed, the next start removes.
import { lstatSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, asAccount } from '../embedded-postgres/account.ts';
import { type Folder, layOut } from '../embedded-postgres/folder.ts';
import { endFormerServer, isRunning } from '../embedded-postgres/postmaster.ts';
import type { Watchdog } from '../embedded-postgres/watchdog.ts';

/** A run that needs more has a data folder of its own. */
const runBytes = 2 ** 30;
export const memory = '/dev/shm';

/**
 * The folders in which it may lie, the best first. In memory if there is room: to make its 400 files on a disk takes as
 * long as to start the server. TMPDIR decides if it is set; but root's own is often closed to the server's account.
 *
 * @param mayUseMemory false if programs lie in it too, for none can be started from there
 */
export function listPlaces(mayUseMemory: boolean): string[] {
  const inMemory = mayUseMemory && !process.env['TMPDIR'] && hasRoom(memory, runBytes) ? [memory] : [];
  return [...new Set([...inMemory, tmpdir(), '/tmp', '/var/tmp'])];
}

/** @param account that runs the server; only where we are root */
export async function makeFolder(watchdog: Watchdog, places: readonly string[], account: Account | undefined) {
  const { path } = await watchdog.ask('makeFolder', { places });
  return { ...layOut(path, true), account };
}

/** Whether the folder of files in memory has more room than that; false where there is no such folder. */
export function hasRoom(path: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return process.platform === 'linux' && bavail * bsize > bytes;
  } catch {
    return false;
  }
}

/** Ends the servers, and removes the folders, of services that were killed together with their watchdogs. */
export async function sweep(places: readonly string[], own: Folder, watchdog: Watchdog, say: (line: string) => void) {
  const { account } = own;
  for (const path of places.flatMap(listFolders)) {
    const folder = { ...layOut(path, true), account };
    try {
      const { uid, mode } = lstatSync(path);
      if (path === own.path || uid !== (account?.uid ?? process.getuid?.()) || (mode & 0o077) !== 0) continue;
      // Where its watchdog alone was killed, the service goes on with another one.
      const { service } = JSON.parse(asAccount(account, () => readFileSync(folder.holder, 'utf8'))) as {
        service: number;
      };
      if (isRunning(service)) continue;
      const { taken } = await watchdog.ask('takeShared', { file: folder.lock, waitMs: 0 });
      if (!taken) continue;
      await endFormerServer(folder, process.pid, say);
      asAccount(account, () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
    } catch {
      // It is another account's, or another service removes it at this moment.
    } finally {
      await watchdog.ask('releaseShared', {});
    }
  }
}

function listFolders(place: string): string[] {
  try {
    const names = readdirSync(place).filter((name) => /^understudy-[A-Za-z0-9]{6}$/.test(name));
    return names.map((name) => join(place, name));
  } catch {
    return [];
  }
}
