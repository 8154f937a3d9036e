// The PostgreSQL that comes from npm: started with the service, ended with it.
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { Undo } from '../base/undo.ts';
import { type Account, asAccount, getServerAccount, isRoot } from './account.ts';
import { findBinaries, findVersion } from './binaries.ts';
import { databaseUrl, makeContent, type Packed, readPacked, writeContent } from './cluster.ts';
import { type Folder, folderAt, folderError, hasCluster, holdsCluster, openFolder } from './folder.ts';
import { takeLock } from './lock.ts';
import { keepRunning } from './keep-running.ts';
import { endFormerServer, findServer } from './server/postmaster.ts';
import type { ServerContext } from './server/start-server.ts';
import { holdFolder } from './server/watchdog.ts';
import { largePlaces, smallPlaces } from './temporary-folder.ts';

export interface EmbeddedOptions {
  /** The folder that keeps all data between starts; made if missing. Default: a temporary folder. */
  readonly dataDir?: string | undefined;
  /** The cluster for a new folder. Default: an empty one. */
  readonly packed?: Packed | undefined;
  /** Takes lines about slow steps and repairs. */
  readonly note?: (line: string) => void;
  /** More settings of the server. They win over the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
}

// With the name of the socket, a longer path exceeds the system's limit.
const maxSocketsLength = 88;

/**
 * Starts a PostgreSQL on the data folder, which is made if it is missing. The server ends when this
 * process ends or is killed. Resolves when PostgreSQL is starting. The result's `ready` resolves when
 * PostgreSQL takes connections. `url` names a socket, a superuser and a database that exists.
 * @throws UserError; `ready` rejects with one if PostgreSQL doesn't start
 */
export async function launchEmbedded({ dataDir, packed, note = () => {}, settings = {} }: EmbeddedOptions) {
  // First, because another thread decompresses the cluster meanwhile.
  const isNew = dataDir === undefined || !holdsData(dataDir);
  const content = isNew && packed ? readPacked(packed, findVersion()) : undefined;
  // `makeCluster` gets the error.
  content?.catch(() => undefined);
  await using undo = new Undo();
  try {
    const { folder, sockets, lock, temporary } = await openFolders(undo, dataDir, note);
    const context = { folder, sockets, binaries: findBinaries(folder.account, note), settings, note };
    const { major, version } = context.binaries;
    await endFormerServer(folder, note);
    const origin = hasCluster(folder, major) ? 'kept' : await makeCluster(context, content);
    const running = keepRunning(context, origin, lock, temporary);
    undo.move();
    return { url: databaseUrl(sockets), version, ...running };
  } catch (error) {
    throw folderError(dataDir, error);
  }
}

async function openFolders(undo: Undo, dataDir: string | undefined, note: (line: string) => void) {
  const hold = async (account: Account | undefined, places: string[]) => undo.use(await holdFolder(account, places));
  const place = dataDir ?? (await hold(isRoot ? getServerAccount() : undefined, largePlaces()));
  const folder = typeof place === 'string' ? openFolder(resolve(place)) : folderAt(place.path, true);
  const lock = await takeLock(folder, note);
  undo.defer(() => lock.close());
  const { account, cluster } = folder;
  if (typeof place !== 'string') return { folder, lock, temporary: place, sockets: cluster };
  if (Buffer.byteLength(cluster) <= maxSocketsLength && takesSockets(folder)) return { folder, lock, sockets: cluster };
  // This folder has only the socket. Without a lock file, no other start removes it as abandoned.
  const temporary = await hold(account, smallPlaces());
  return { folder, lock, temporary, sockets: temporary.path };
}

/** Some file systems support no sockets, for example those shared with another machine. */
function takesSockets({ path, account }: Folder) {
  const probe = join(path, 'probe.socket');
  const server = createServer().on('error', () => undefined);
  return asAccount(account, () => {
    // A start that was killed here left its probe.
    rmSync(probe, { force: true });
    const { listening } = server.listen(probe);
    server.close();
    return listening;
  });
}

async function makeCluster({ folder, binaries, note }: ServerContext, reading?: ReturnType<typeof readPacked>) {
  const content = await reading;
  if (typeof content === 'object') {
    writeContent(folder, content);
    return 'packed';
  }
  const why = content === undefined ? '' : `, without the cluster that ships: ${content}`;
  note(`making a PostgreSQL ${binaries.major} in ${folder.path}${why}`);
  writeContent(folder, await makeContent(folder, note));
  return 'empty';
}

export function findRunning(dataDir: string) {
  const server = findServer(folderAt(resolve(dataDir)), 'ready');
  return server && databaseUrl(server.sockets);
}

export const holdsData = (dataDir: string) => holdsCluster(folderAt(resolve(dataDir)));
