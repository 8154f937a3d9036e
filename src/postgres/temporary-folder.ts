// Where a temporary cluster is: a folder closed to other users. The next start removes what killed watchdogs left.
import { lstatSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../base/failure.ts';
import { type Account, asAccount } from './account.ts';
import { type Folder, folderAt } from './folder.ts';
import { tryLock } from './lock.ts';
import { endFormerServer } from './server/postmaster.ts';

/** Enough for a long test run; a run that needs more has a data folder of its own. */
const runBytes = 2 ** 30;
export const memory = '/dev/shm';
// With the names of folder, cluster and socket, this fits the limit for a socket's path.
const maxPlaceLength = 60;

/** For short-lived files, and for a socket whose path would be too long elsewhere. */
export const smallPlaces = () =>
  [...new Set([tmpdir(), '/tmp', '/var/tmp'])].filter((path) => path.length <= maxPlaceLength);

/**
 * For a cluster, the best first. In memory if there is room: making its 400 files on a disk takes as long as
 * starting the server. TMPDIR decides if it is set; but root's own is often closed to the server's account.
 */
export const largePlaces = () =>
  !process.env['TMPDIR'] && hasRoom(memory, runBytes) ? [memory, ...smallPlaces()] : smallPlaces();

export function hasRoom(path: string, bytes: number) {
  const { bavail, bsize } = attempt(() => statfsSync(path)) ?? { bavail: 0, bsize: 0 };
  return process.platform === 'linux' && bavail * bsize > bytes;
}

/** Throws unless a temporary folder, or what replaced it, belongs to the account alone. */
export function assertOwn(path: string, account: Account | undefined) {
  const { uid, mode } = lstatSync(path);
  if (uid !== (account?.uid ?? process.getuid?.()) || (mode & 0o170_077) !== 0o40_000)
    throw new Error(`the temporary folder ${path} isn't this account's any more`);
}

/** Ends the servers, and removes the folders, of services that were killed together with their watchdogs. */
export async function sweep({ account, path: own }: Folder, note: (line: string) => void) {
  for (const path of largePlaces().flatMap(listFolders)) {
    if (path === own) continue;
    try {
      assertOwn(path, account);
      const folder = folderAt(path, true);
      // A folder that is just being made has no lock yet.
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
      // The folder is another account's, or another service removes it at this moment.
    }
  }
}

function listFolders(place: string) {
  const names = attempt(() => readdirSync(place)) ?? [];
  return names.filter((name) => /^understudy-[A-Za-z0-9]{6}$/.test(name)).map((name) => join(place, name));
}
