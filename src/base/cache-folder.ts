// The user's cache folder: code that Node compiled, and copies of PostgreSQL's programs.
import { accessSync, chmodSync, constants, lstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { attempt } from './attempt.ts';
import { codeOf } from './errors.ts';
import { listParts } from './path-parts.ts';

const isRoot = process.getuid?.() === 0;

/**
 * Created if missing; undefined if it can't be written, or if another account could put code into it: `su` and
 * `sudo -E` keep the former user's variables. Root's folder is below /var/cache, which PostgreSQL's account can enter.
 */
export function userCacheFolder(): string | undefined {
  return attempt(() => {
    const folder = join(cachesOf(process.env), 'understudy');
    // The home folder isn't created: a user without one is meant to have none.
    for (const part of [dirname(folder), folder]) makeFolder(part);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return isOwn(folder) && (lstatSync(folder).mode & 0o022) === 0 ? folder : undefined;
  });
}

/** Whether no account but this one and root can change where the path leads. Below a sticky folder only owners can. */
const isOwn = (path: string): boolean =>
  listParts(path).every(
    (part) =>
      [0, process.getuid?.()].includes(part.uid) &&
      (part.isSymbolicLink() || (part.mode & 0o022) === 0 || (part.mode & 0o1000) !== 0),
  );

/** systemd names the folders of a unit's CacheDirectory, which another program's unit may have handed on. */
function cachesOf({ XDG_CACHE_HOME: xdg = '', CACHE_DIRECTORY: ofUnit = '' }: NodeJS.ProcessEnv): string {
  // A relative one is ignored, as XDG's specification demands.
  const given = [xdg, ...ofUnit.split(':')].find(isAbsolute);
  if (given !== undefined) return given;
  if (process.platform === 'darwin') return join(homedir(), 'Library/Caches');
  return isRoot ? '/var/cache' : join(homedir(), '.cache');
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    // Root's umask may have removed these permissions.
    if (isRoot) chmodSync(path, 0o755);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
