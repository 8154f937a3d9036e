// The data folder: what lies in it, that it is ours, and that we may write it.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { accountName, isRoot } from './account.ts';
import { elsewhere, EmbeddedError, folderFault, systemCode } from './errors.ts';

export interface Folder {
  readonly path: string;
  /** Locked by the watchdog for as long as anything of ours runs here. It also marks the folder as ours. */
  readonly lock: string;
  /** Who holds the lock, as JSON, for the message that the second service prints. */
  readonly holder: string;
  readonly password: string;
  /** PostgreSQL's own data directory. It appears complete or not at all: initdb works on `unfinished`. */
  readonly cluster: string;
  readonly unfinished: string;
  readonly log: string;
  readonly previousLog: string;
}

export function layOut(path: string): Folder {
  return {
    path,
    lock: join(path, 'understudy.lock'),
    holder: join(path, 'holder.json'),
    password: join(path, 'password'),
    cluster: join(path, 'cluster'),
    unfinished: join(path, 'cluster.unfinished'),
    log: join(path, 'server.log'),
    previousLog: join(path, 'server.previous.log'),
  };
}

/** Makes the folder where it is missing, and refuses one that isn't ours or can't be ours. */
export function openFolder(path: string): Folder {
  const folder = layOut(path);
  let content: string[];
  try {
    makeFolder(path);
    checkOwner(path);
    content = readdirSync(path);
  } catch (error) {
    throw error instanceof EmbeddedError ? error : folderFault(path, error);
  }
  const foreign = content.find((name) => name !== 'lost+found');
  if (foreign !== undefined && !existsSync(folder.lock)) {
    const what = content.includes('PG_VERSION') ? 'is the data directory of another PostgreSQL' : `holds ${foreign}`;
    throw new EmbeddedError(
      `The folder ${path} isn't Understudy's: it ${what}. Nothing in it was touched.\n${elsewhere}`,
    );
  }
  if (existsSync(folder.cluster)) checkOwner(folder.cluster);
  return folder;
}

function makeFolder(path: string): void {
  const made = makeMissing(path);
  if (!isRoot) return;
  // The server's account must get through to its cluster, whatever root's umask says. Only folders that were made
  // here are opened, and the data folder itself: a parent that someone else made keeps its mode.
  for (const folder of made) chmodSync(folder, 0o711);
  const { mode } = statSync(path);
  if ((mode & 0o001) === 0) chmodSync(path, mode | 0o011);
}

/** Node's own recursive mkdir says ENOENT on a read-only file system and doesn't return from one below /proc. */
function makeMissing(path: string): string[] {
  if (existsSync(path)) return [];
  const made = makeMissing(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start may have made it since we looked.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  return [...made, path];
}

function checkOwner(path: string): void {
  const { uid } = statSync(path);
  const self = process.getuid?.();
  if (self === undefined || self === 0 || uid === self) return;
  throw new EmbeddedError(
    `The folder ${path} belongs to ${accountName(uid)}, and this is ${accountName(self)}.\n` +
      `Start as its owner, or remove it. Or: ${elsewhere}`,
  );
}

/** The owner of the cluster; undefined before there is one. */
export function findClusterOwner(folder: Folder): number | undefined {
  return statSync(folder.cluster, { throwIfNoEntry: false })?.uid;
}

/** True if there is a cluster to start; throws if it belongs to another major version. */
export function hasCluster(folder: Folder, major: string): boolean {
  let found: string;
  try {
    found = readFileSync(join(folder.cluster, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if (!existsSync(folder.cluster)) return false;
    throw new EmbeddedError(
      `${folder.cluster} is damaged: its PG_VERSION can't be read. Remove ${folder.path} to start anew.`,
      { cause: error },
    );
  }
  if (found === major) return true;
  throw new EmbeddedError(
    `${folder.path} holds data of PostgreSQL ${found}, and this version of Understudy brings PostgreSQL ${major}.\n` +
      `Remove it to start anew, or keep it: ${elsewhere}`,
  );
}
