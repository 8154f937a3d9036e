// The PostgreSQL that comes from npm, for people who bring none: started with the service, ended with it.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { asAccount } from './account.ts';
import { findPackage, prepareBinaries } from './binaries.ts';
import { databaseUrl, ensureCluster, ensureDatabase, readPassword } from './cluster.ts';
import { layOut, openFolder } from './folder.ts';
import { keepRunning } from './keep-running.ts';
import { endFormerServer, findPort } from './postmaster.ts';
import { keepLog, startServer } from './start-server.ts';
import { Watchdog } from './watchdog.ts';

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
  /** Takes a line about what takes time or was put right. */
  readonly say?: (line: string) => void;
  /** Further settings of the server, which win over ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when PostgreSQL is at work, and this process has time. */
  readonly onLaunched?: ((url?: string) => void) | undefined;
}

/**
 * Starts a PostgreSQL on the data folder, making it at the first start. The server lives as long as this process: it is
 * started again on the same port where it or its watchdog ends unasked, and it doesn't outlive the process even if that
 * is killed.
 *
 * @throws EmbeddedError where the person who starts the service can do something about it
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, say = () => {}, settings = {}, onLaunched } = options;
  const packageFolder = findPackage();
  const folder = openFolder(resolve(dataDir));
  if (folder.account?.name === 'nobody')
    say(
      'warning: PostgreSQL runs as nobody, so other programs that run as nobody can read its data; ' +
        `to prevent that: useradd --system understudy && chown -R understudy ${folder.path}`,
    );
  const watchdog = new Watchdog(folder);
  try {
    await watchdog.lock(folder, say);
    const binaries = await prepareBinaries(packageFolder, folder, say);
    const unmade = { watchdog, folder, binaries, settings, onLaunched, say };
    const password = await ensureCluster(unmade);
    const place = { ...unmade, password };
    await endFormerServer(folder, watchdog.pid, say);
    keepLog(folder);
    const server = await startServer(place);
    const url = await ensureDatabase(server.port, password);
    watchdog.release();
    return { url, version: binaries.version, stop: keepRunning(place, server) };
  } catch (error) {
    await watchdog.end();
    throw error;
  }
}

/** The URL of the server that a running service has started on the folder; undefined where none runs. */
export function findRunning(dataDir: string): string | undefined {
  const folder = layOut(resolve(dataDir));
  const port = findPort(folder);
  return port === undefined ? undefined : databaseUrl(port, readPassword(folder));
}

/** Whether the folder holds a server's data. */
export function holdsData(dataDir: string): boolean {
  const { account, cluster } = layOut(resolve(dataDir));
  return asAccount(account, () => existsSync(cluster));
}
