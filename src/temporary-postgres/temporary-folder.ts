// Where a temporary cluster lies: a folder of its own that no other user can enter. The watchdog makes and removes it.
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, asAccount, getServerAccount, isRoot } from '../embedded-postgres/account.ts';
import { type Folder, layOut } from '../embedded-postgres/folder.ts';

/**
 * In memory if there is room: to make its 400 files on a disk takes as long as to start the server. TMPDIR decides if it is
 * set.
 *
 * @param account that runs the server, if it is decided already; only where we are root
 * @param mayUseMemory false if programs lie in it too, for none can be started from there
 */
export function planFolder(account = isRoot ? getServerAccount(undefined) : undefined, mayUseMemory = false): Folder {
  const name = nameFolder();
  const inMemory = mayUseMemory && !process.env['TMPDIR'] && hasRoom(memory, runBytes) ? [memory] : [];
  const places = [...inMemory, tmpdir(), '/tmp', '/var/tmp'];
  // Root's own folder for temporary files is often closed to the account.
  const place = account === undefined ? places[0] : places.find((path) => canMake(join(path, name), account));
  const { [0]: usual = '' } = places;
  return { ...layOut(join(place ?? usual, name), true), account };
}

/** A run that needs more has a data folder of its own. */
const runBytes = 2 ** 30;
// A fresh cluster before its templates are dropped takes 40 MB.
const workshopBytes = 60_000_000;

/**
 * Where a cluster is made before it is kept: in memory if there is room, for the 1,300 files of a fresh one take longer
 * on a disk than all the rest.
 */
export const planWorkshop = (temporary: Folder): string =>
  hasRoom(memory, workshopBytes) ? join(memory, nameFolder()) : join(temporary.path, 'workshop');

export const memory = '/dev/shm';
const nameFolder = (): string => `understudy-${randomBytes(12).toString('hex')}`;

/** Whether the folder of files in memory has more room than that; false where there is no such folder. */
export function hasRoom(path: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return process.platform === 'linux' && bavail * bsize > bytes;
  } catch {
    return false;
  }
}

function canMake(path: string, account: Account): boolean {
  try {
    asAccount(account, () => {
      mkdirSync(path, { mode: 0o700 });
      rmdirSync(path);
    });
    return true;
  } catch {
    return false;
  }
}
