// A PostgreSQL for one run: a cluster in a temporary folder, copied from one that is kept in the user's cache, and
// removed with the service however that ends (docs/decisions/0019).
import { rmSync } from 'node:fs';
import { asAccount, getServerAccount, isRoot } from '../embedded-postgres/account.ts';
import { findBinaries, findPackage, prepareBinaries } from '../embedded-postgres/binaries.ts';
import { databaseUrl, ensureCluster, type Place, readPassword } from '../embedded-postgres/cluster.ts';
import type { EmbeddedServer } from '../embedded-postgres/embedded.ts';
import type { Folder } from '../embedded-postgres/folder.ts';
import { keepRunning } from '../embedded-postgres/keep-running.ts';
import { type StartedServer, startServer } from '../embedded-postgres/start-server.ts';
import { Watchdog } from '../embedded-postgres/watchdog.ts';
import {
  type Cache,
  discard,
  findCluster,
  openCache,
  provideCluster,
  readCopy,
  type Unprepared,
} from './cached-clusters.ts';
import { fillCluster, initdbArgs } from './fill-cluster.ts';
import { listPlaces, makeFolder, sweep } from './temporary-folder.ts';

/** What the database holds before the service uses it. */
export interface Contents {
  /** The same for the same contents. */
  readonly key: Promise<string>;
  /** Fills an empty database. */
  readonly fill: (url: string) => Promise<void>;
  /** Called when PostgreSQL is at work, and this process has time; with the URL that the server will have. */
  readonly onLaunched?: (url?: string) => void;
}

/**
 * Starts it with its contents.
 *
 * @throws EmbeddedError where the person who starts the service can do something about it, and what `fill` throws
 */
export async function startTemporary(contents: Contents, say: (line: string) => void): Promise<EmbeddedServer> {
  const packageFolder = findPackage();
  const cache = openCache(packageFolder);
  const account = cache?.folder.account ?? (isRoot ? getServerAccount(undefined) : undefined);
  const places = listPlaces(cache !== undefined);
  // First of all: while it starts, the key is computed and modules are loaded.
  const watchdog = new Watchdog({ path: places[0] ?? '', account });
  const { onLaunched } = contents;
  try {
    const [key, folder] = await Promise.all([contents.key, makeFolder(watchdog, places, account)]);
    await watchdog.lock(folder, say);
    const unprepared = { watchdog, folder, settings: {}, initdbArgs, onLaunched, say };
    const { place, server } =
      (cache && (await startCopy(cache, key, contents, unprepared))) ??
      (await startOwn(packageFolder, contents, unprepared));
    await sweep(places, folder, watchdog, say);
    watchdog.release();
    const url = databaseUrl(server.port, place.password);
    return { url, version: place.binaries.version, stop: keepRunning(place, server) };
  } catch (error) {
    await watchdog.end();
    throw error;
  }
}

type Started = { place: Place & { password: string }; server: StartedServer };

/** On a copy of the cached cluster, which is made where it is missing or damaged; undefined where that can't be done. */
async function startCopy(
  cache: Cache,
  key: string,
  contents: Contents,
  unprepared: Unprepared,
): Promise<Started | undefined> {
  const { folder, say } = unprepared;
  const start = async (cluster: Folder): Promise<Started> => {
    const binaries = findBinaries(cache.packageFolder, cache.folder);
    const place = { ...unprepared, binaries, copyFrom: readCopy(cluster), password: readPassword(cluster) };
    return { place, server: await startServer(place) };
  };
  const known = findCluster(cache, key);
  if (known)
    try {
      return await start(known);
    } catch (error) {
      say(`the cached PostgreSQL doesn't start and is made anew: ${(error as Error).message.split('\n')[0]}`);
      discard(cache, key);
      asAccount(folder.account, () => rmSync(folder.cluster, { recursive: true, force: true }));
    }
  const made = await provideCluster(cache, key, unprepared, contents.fill);
  return made && start(made);
}

/** On a cluster that is made in the temporary folder itself. */
async function startOwn(packageFolder: string, contents: Contents, unprepared: Unprepared): Promise<Started> {
  const { folder, say } = unprepared;
  const place = { ...unprepared, binaries: await prepareBinaries(packageFolder, folder, say) };
  const password = await ensureCluster(place);
  const server = await startServer(place);
  await fillCluster(server.port, password, contents.fill);
  return { place: { ...place, password }, server };
}
