// The places of temporary folders, closed to other users.
// A start removes what killed watchdogs left.
import { lstatSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../base/failure.ts';
import { type Account, asAccount } from './account.ts';
import { type Folder, folderAt } from './folder.ts';
import { tryLock } from './lock.ts';
import { endFormerServer } from './server/postmaster.ts';

/** Enough for a long test run. A longer run needs a data folder. */
const runBytes = 2 ** 30;
export const memory = '/dev/shm';
// With the names of folder, cluster and socket, a longer path exceeds the limit for sockets.
const maxPlaceLength = 60;

/** The places for short-lived files, and for a socket whose path would be too long elsewhere. */
export const smallPlaces = () =>
  [...new Set([tmpdir(), '/tmp', '/var/tmp'])].filter((path) => path.length <= maxPlaceLength);

/**
 * The places for a cluster, the best first: memory, if there is room and TMPDIR isn't set. On a disk,
 * writing a cluster's 400 files takes as long as the server's start. If the server's account can't enter
 * TMPDIR, /tmp is next.
 */
export const largePlaces = () =>
  !process.env['TMPDIR'] && hasRoom(memory, runBytes) ? [memory, ...smallPlaces()] : smallPlaces();

export function hasRoom(path: string, bytes: number) {
  const { bavail, bsize } = attempt(() => statfsSync(path)) ?? { bavail: 0, bsize: 0 };
  return process.platform === 'linux' && bavail * bsize > bytes;
}

/** Throws unless the path is a folder of the account, and closed to others. */
export function assertOwn(path: string, account: Account | undefined) {
  const { uid, mode } = lstatSync(path);
  if (uid !== (account?.uid ?? process.getuid?.()) || (mode & 0o170_077) !== 0o40_000)
    throw new Error(`the temporary folder ${path} isn't this account's any more`);
}

/** Ends the servers, and removes the folders, of services that were killed with their watchdogs. */
export async function sweep({ account, path: own }: Folder, note: (line: string) => void) {
  for (const path of largePlaces().flatMap(listFolders)) {
    if (path === own) continue;
    try {
      assertOwn(path, account);
      const folder = folderAt(path, true);
      // This throws if the folder is new and has no lock yet.
      asAccount(account, () => lstatSync(folder.lock));
      const lock = tryLock(folder);
      if (!lock) continue;
      try {
        await endFormerServer(folder, note);
        asAccount(account, () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
      } finally {
        lock.close();
      }
    } catch {
      // The folder is another account's, or is new, or another service removes it.
    }
  }
}

function listFolders(place: string) {
  const names = attempt(() => readdirSync(place)) ?? [];
  return names.filter((name) => /^understudy-[A-Za-z0-9]{6}$/.test(name)).map((name) => join(place, name));
}
