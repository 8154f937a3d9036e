// The user's cache folder, for compiled code and PostgreSQL's programs.
import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { attempt, codeOf } from './failure.ts';

const isRoot = process.getuid?.() === 0;

/**
 * Our folder in the user's cache folder. A missing folder is made. Undefined if the folder isn't writable, or
 * if others could put code into it: with `su` and `sudo -E`, the variables may still name another user's
 * folders.
 */
export function userCacheFolder() {
  return attempt(() => {
    const folder = join(cachesOf(process.env), 'understudy');
    // A missing home folder stays missing: the user is meant to have none.
    // PostgreSQL's account must be able to enter root's folder; root's umask may prevent this.
    for (const part of [dirname(folder), folder]) if (makeFolder(part) && isRoot) fs.chmodSync(part, 0o755);
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return isOwn(folder) && (fs.lstatSync(folder).mode & 0o022) === 0 ? folder : undefined;
  });
}

/** Whether only this account and root can change where a path leads. A sticky folder protects its entries. */
const isOwn = (path: string) =>
  listParts(path).every(
    (part) =>
      [0, process.getuid?.()].includes(part.uid) &&
      (part.isSymbolicLink() || (part.mode & 0o022) === 0 || (part.mode & 0o1000) !== 0),
  );

/** The folder for all programs' caches. systemd sets CACHE_DIRECTORY to a unit's own folders. */
function cachesOf({ XDG_CACHE_HOME: xdg = '', CACHE_DIRECTORY: ofUnit = '' }: NodeJS.ProcessEnv) {
  // XDG's specification says to ignore relative paths.
  const given = [xdg, ...ofUnit.split(':')].find(isAbsolute);
  if (given !== undefined) return given;
  if (process.platform === 'darwin') return join(homedir(), 'Library/Caches');
  return isRoot ? '/var/cache' : join(homedir(), '.cache');
}

/** False if the folder exists, perhaps made by another process. */
export function makeFolder(path: string) {
  try {
    fs.mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

// Linux follows at most this many links.
const maxLinks = 40;

/** The lstat of all existing segments of the path and of its links' targets, as the kernel walks them. */
export function listParts(path: string, links = 0): fs.Stats[] {
  const here = resolve(path);
  const parent = dirname(here);
  // lstat comes first: it fails on a path with too many links, before the code below follows them.
  const status = findStatus(here);
  const parts = [...(parent === here ? [] : listParts(parent, links)), ...(status ? [status] : [])];
  // Links may form a circle.
  if (status?.isSymbolicLink() !== true || links === maxLinks) return parts;
  return [...parts, ...listParts(resolve(fs.realpathSync(parent), fs.readlinkSync(here)), links + 1)];
}

function findStatus(path: string) {
  try {
    return fs.lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}
