// The data folder: its layout, the checks that it is ours and usable, and its errors.
import { chmodSync, existsSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Account, accountName, asAccount, findBarrier, findOwner, getServerAccount, isRoot } from './account.ts';
import { makeFolder } from '../base/cache-folder.ts';
import { attempt, codeOf, PassingError, reasonOf, UserError } from '../base/failure.ts';

export const otherPlaces =
  'Set UNDERSTUDY_DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server of your own.';

export type Folder = ReturnType<typeof folderAt>;

/** @param isTemporary whether the watchdog makes and removes the folder */
export function folderAt(path: string, isTemporary = false) {
  const cluster = join(path, 'cluster');
  // For root: the account that owns the folder and its content, and that runs the server.
  const account: Account | undefined = isRoot ? getServerAccount(findOwner(cluster)) : undefined;
  return {
    path,
    account,
    isTemporary,
    // A running service holds a lock on this file. The file also marks the folder as ours.
    lock: join(path, isTemporary ? 'temporary.lock' : 'understudy.lock'),
    // Names the running service (service/process/service-file.ts).
    service: join(path, 'service.json'),
    // PostgreSQL's data directory, with its socket. Only PostgreSQL's account can enter.
    cluster,
    // Exists while a cluster is made. It is renamed to `whole` when all is on disk.
    making: join(path, 'cluster.making'),
    whole: join(path, 'cluster.whole'),
    log: join(path, 'server.log'),
    previousLog: join(path, 'server.previous.log'),
  } as const;
}

/** Makes the folder if it is missing. Throws UserError if it isn't ours. */
export function openFolder(path: string) {
  const folder = folderAt(path);
  const { account } = folder;
  // Root uses its own rights only if no other account controls the path.
  const isRootsOwn = account !== undefined && findOwner(path) === undefined;
  const barrier = account && findBarrier(isRootsOwn ? dirname(path) : path, account);
  if (barrier !== undefined)
    throw new UserError(
      `PostgreSQL doesn't run as root, and its account, ${account?.name}, can't enter ${barrier}.\n` +
        'Start as an ordinary user, set UNDERSTUDY_DATA_DIR to /var/lib/understudy, for example, or set DATABASE_URL.',
    );
  asAccount(isRootsOwn ? undefined : account, () => {
    const created = makeMissing(path);
    // The account must reach its folder, whatever root's umask is.
    if (isRootsOwn) for (const part of created) chmodSync(part, 0o711);
    checkOwner(path);
    refuseForeign(path, readdirSync(path));
  });
  if (isRootsOwn) lchownSync(path, account.uid, account.gid);
  asAccount(account, () => existsSync(folder.cluster) && checkOwner(folder.cluster));
  return folder;
}

function refuseForeign(path: string, content: readonly string[]) {
  const foreign = content.find((name) => name !== 'lost+found' && name !== 'service.json');
  if (foreign === undefined || content.includes('understudy.lock')) return;
  const what = content.includes('PG_VERSION') ? 'is the data directory of another PostgreSQL' : `holds ${foreign}`;
  throw new UserError(`The folder ${path} isn't Understudy's: it ${what}. Nothing in it was touched.\n${otherPlaces}`);
}

/** Node's recursive mkdir fails with ENOENT on a read-only file system, and doesn't end below /proc. */
function makeMissing(path: string): string[] {
  if (existsSync(path)) return [];
  const created = makeMissing(dirname(path));
  makeFolder(path);
  return [...created, path];
}

function checkOwner(path: string) {
  const { uid } = statSync(path);
  const self = process.getuid?.() ?? 0;
  if (self === 0 || uid === self) return;
  throw new UserError(
    `The folder ${path} belongs to ${accountName(uid)}, and this is ${accountName(self)}.\n` +
      `Start as its owner. Or: ${otherPlaces}`,
  );
}

/** Whether the folder holds a complete cluster, or one that a version without these marks made. */
export const holdsCluster = ({ account, cluster, making, whole }: Folder) =>
  asAccount(account, () => existsSync(whole) || (existsSync(cluster) && !existsSync(making)));

/** True if there is a cluster to start; throws if it is damaged or of another version. */
export function hasCluster(folder: Folder, major: string) {
  const { path, cluster, whole, account } = folder;
  if (!holdsCluster(folder)) return false;
  return asAccount(account, () => {
    const version = attempt(() => readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim());
    if (version === undefined)
      throw new UserError(`${cluster} is damaged: it has no readable PG_VERSION. Remove ${path} for a new one.`);
    if (existsSync(whole) && version === major) return true;
    const what = version === major ? 'another version of Understudy' : `PostgreSQL ${version}`;
    throw new UserError(
      `${path} holds data of ${what}, and this version of Understudy brings PostgreSQL ${major}.\n` +
        'To keep the data, export it with the version of Understudy that made it, while its service runs:\n' +
        `  UNDERSTUDY_DATA_DIR=${path} weblate-understudy export > seed.yaml\n` +
        'Then, with this version, make a new data folder and load the file:\n' +
        `  mv ${path} ${path}.postgresql-${version}\n` +
        `  UNDERSTUDY_DATA_DIR=${path} weblate-understudy migrate\n` +
        `  UNDERSTUDY_DATA_DIR=${path} weblate-understudy seed --replace seed.yaml\n` +
        'An export holds one sandbox (export NAME for others) and no tokens.\n' +
        `To start without the data, remove the folder. ${otherPlaces}`,
    );
  });
}

const reasons: Readonly<Record<string, string>> = {
  EROFS: 'it is on a read-only file system',
  EACCES: 'this user has no right to',
  EPERM: 'this user has no right to',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
};

/** Explains a failure to make, list or write the folder, or to start its server. */
export function folderError(path: string | undefined, cause: unknown) {
  if (cause instanceof UserError) return cause;
  const reason = reasons[codeOf(cause)];
  const folder = path === undefined ? 'temporary folder' : `data folder ${resolve(path)}`;
  const text =
    reason === undefined
      ? `PostgreSQL could not be started on the ${folder}: ${reasonOf(cause)}`
      : `The ${folder} can't be written: ${reason}.\n${otherPlaces}`;
  return new (reason === undefined || reason === reasons['ENOSPC'] ? PassingError : UserError)(text, { cause });
}
