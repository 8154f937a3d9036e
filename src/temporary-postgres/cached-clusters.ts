// Clusters with their contents, kept in the user's cache folder to be copied. Each is made once, under a lock, in a
// folder that gets its name when it is complete.
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { userCacheFolder } from '../cache-folder.ts';
import { asAccount } from '../embedded-postgres/account.ts';
import { prepareBinaries, readVersion } from '../embedded-postgres/binaries.ts';
import { ensureCluster, type Place } from '../embedded-postgres/cluster.ts';
import { systemCode } from '../embedded-postgres/embedded-error.ts';
import { type Folder, layOut, openFolder } from '../embedded-postgres/folder.ts';
import { startServer } from '../embedded-postgres/start-server.ts';
import { fillCluster } from './fill-cluster.ts';

export interface Cache {
  /** Also holds the programs that the account can reach, where it can't reach npm's. */
  readonly folder: Folder;
  /** Where npm put PostgreSQL. */
  readonly packageFolder: string;
  /** Of PostgreSQL and of the way the clusters are made. */
  readonly version: string;
}

/** To be raised when clusters are made in another way. */
const format = 2;
const mostClusters = 6;
// Longer than one takes that makes a cluster on a slow machine.
const waitMs = 30_000;
/** PostgreSQL's code. */
const diskFull = '53100';

export type Unprepared = Omit<Place, 'binaries'>;

/** Undefined where the user has no cache folder, or none that can be used. */
export function openCache(packageFolder: string): Cache | undefined {
  const parent = userCacheFolder();
  if (parent === undefined) return undefined;
  try {
    const folder = openFolder(join(parent, 'clusters'));
    const { platform, arch } = process;
    return {
      folder,
      packageFolder,
      version: [format, readVersion(packageFolder), platform, arch, folder.account?.uid].join(),
    };
  } catch {
    return undefined;
  }
}

const pathOf = ({ folder, version }: Cache, key: string): string =>
  join(folder.path, hash('sha256', JSON.stringify([version, key])).slice(0, 32));

/** The cluster with these contents. Its file `password` is the server's. */
export function findCluster(cache: Cache, key: string): Folder | undefined {
  const path = pathOf(cache, key);
  return asAccount(cache.folder.account, () => {
    if (!existsSync(path)) return undefined;
    const now = new Date();
    // For the removal of those that weren't used for long.
    utimesSync(path, now, now);
    return layOut(path);
  });
}

const checksumIn = ({ path }: Folder): string => join(path, 'checksum');

/** What is copied of a cluster, and the checksum that the copy must have: a damaged one may well start. */
export const readCopy = (cluster: Folder) =>
  asAccount(cluster.account, () => ({
    from: cluster.cluster,
    checksum: Number(readFileSync(checksumIn(cluster), 'utf8')),
  }));

/** Removes a cluster that is of no use. */
export const discard = (cache: Cache, key: string): void =>
  asAccount(cache.folder.account, () => remove(pathOf(cache, key)));

/** Under another name first, so that nobody copies half of it. */
function remove(path: string): void {
  const removed = `${path}.removed-${process.pid}`;
  try {
    renameSync(path, removed);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  rmSync(removed, { recursive: true, force: true });
}

/**
 * The cluster with these contents, made where it is missing, by one process at a time.
 *
 * @returns undefined where the cache can't be used
 * @throws what `fill` throws
 */
export async function provideCluster(
  cache: Cache,
  key: string,
  unprepared: Unprepared,
  fill: (url: string) => Promise<void>,
): Promise<Folder | undefined> {
  const { watchdog, folder: temporary } = unprepared;
  const path = pathOf(cache, key);
  const { account } = cache.folder;
  const draft = { ...layOut(`${path}.unfinished`), account };
  const folder = { ...layOut(join(temporary.path, 'workshop')), account };
  let fault: unknown;
  const fillOrNote = (url: string): Promise<void> =>
    fill(url).catch((error: unknown) => {
      if (!isFull(error)) fault = error;
      throw error;
    });
  try {
    const { taken } = await watchdog.ask('takeShared', { file: cache.folder.lock, waitMs });
    if (!taken) return undefined;
    const found = findCluster(cache, key);
    if (found) return found;
    asAccount(account, () => mkdirSync(folder.path, { mode: 0o700 }));
    const binaries = await prepareBinaries(cache.packageFolder, cache.folder, unprepared.say);
    const place = { ...unprepared, folder, binaries };
    const password = await ensureCluster(place);
    const server = await startServer(place);
    await fillCluster(server.port, password, fillOrNote);
    await watchdog.ask('stop', {});
    asAccount(account, () => {
      rmSync(draft.path, { recursive: true, force: true });
      mkdirSync(draft.path, { mode: 0o700 });
      writeFileSync(draft.password, password, { mode: 0o600 });
    });
    const { checksum } = await watchdog.ask('copy', { from: folder.cluster, to: draft.cluster });
    asAccount(account, () => {
      writeFileSync(checksumIn(draft), String(checksum));
      renameSync(draft.path, path);
    });
    prune(cache, path);
    return layOut(path);
  } catch {
    // A folder that can't be written or a full disk: the cluster is made in the temporary folder instead, where a fault
    // of any other kind shows again.
    await watchdog.ask('stop', {});
    if (fault !== undefined) throw fault;
    return undefined;
  } finally {
    asAccount(account, () => rmSync(folder.path, { recursive: true, force: true }));
    await watchdog.ask('releaseShared', {});
  }
}

const isFull = (error: unknown): boolean => systemCode(error) === diskFull;

/** Keeps those that were used last, and nothing that was left behind. Call it with the lock held. */
function prune({ folder }: Cache, made: string): void {
  asAccount(folder.account, () => {
    const names = readdirSync(folder.path);
    const left = names.filter((name) => /^[0-9a-f]{32}\./.test(name));
    for (const name of left) rmSync(join(folder.path, name), { recursive: true, force: true });
    const others = names
      .filter((name) => /^[0-9a-f]{32}$/.test(name))
      .map((name) => join(folder.path, name))
      .filter((path) => path !== made)
      .map((path) => ({ path, usedMs: statSync(path).mtimeMs }))
      .toSorted((a, b) => b.usedMs - a.usedMs);
    for (const { path } of others.slice(mostClusters - 1)) remove(path);
  });
}
