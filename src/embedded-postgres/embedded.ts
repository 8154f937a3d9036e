// The PostgreSQL that comes from npm, for those who bring none: started with the service, ended with it.
import { resolve } from 'node:path';
import { findPackage, prepareBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { ensureDatabase } from './create-database.ts';
import { EmbeddedError, folderFault } from './embedded-error.ts';
import { endFormerServer } from './former-server.ts';
import { openFolder } from './folder.ts';
import { takeFolder } from './holder.ts';
import { keepRunning } from './keep-running.ts';
import { keepLog, startServer } from './server.ts';
import { Watchdog, WatchdogFault } from './watchdog.ts';

export { EmbeddedError } from './embedded-error.ts';

export interface EmbeddedServer {
  /** `postgres://…`, with a password, of a database that exists. Its user is a superuser of this server. */
  readonly url: string;
  /** The server's version, such as `18.4`. */
  readonly version: string;
  /** Ends the server and waits for its end. May be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Holds everything between starts; made where missing, never shared with anything else. */
  readonly dataDir: string;
  /** Is told in a line what takes time or was put right. */
  readonly say?: (line: string) => void;
  /** Further settings of the server, which win over ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The platform package, where it isn't the one that npm installed for this machine. */
  readonly packageFolder?: string;
}

/**
 * Starts a PostgreSQL on the data folder, making it at the first start. The server lives as long as this process: it is started again
 * on the same port where it or its watchdog ends unasked, and it doesn't outlive the process even if that is killed.
 *
 * @throws EmbeddedError where the person who starts the service can do something about it
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { say = () => {}, settings = {}, packageFolder = findPackage() } = options;
  const folder = openFolder(resolve(options.dataDir));
  const watchdog = new Watchdog(folder.path, folder.account);
  try {
    await takeFolder(watchdog, folder, say);
    const binaries = await prepareBinaries({
      packageFolder,
      dataFolder: folder.path,
      account: folder.account,
      say,
    });
    const place = { watchdog, folder, binaries, say };
    const password = await ensureCluster(place);
    await endFormerServer(folder, watchdog.pid, say);
    keepLog(folder);
    const server = await startServer(place, settings);
    const { url, version } = await ensureDatabase(server.port, password);
    watchdog.release();
    return { url, version, stop: keepRunning(place, settings, server) };
  } catch (error) {
    await watchdog.end();
    if (error instanceof WatchdogFault) throw translate(folder.path, error);
    throw error;
  }
}

function translate(path: string, error: WatchdogFault): EmbeddedError {
  if (error.code === undefined || error.code.startsWith('ERR_')) {
    return new EmbeddedError(`PostgreSQL could not be started on ${path}: ${error.message}`, { cause: error });
  }
  return folderFault(path, error);
}
