// The embedded server that a running service has started, for the commands that join it.
import { resolve } from 'node:path';
import { readPassword } from './cluster.ts';
import { databaseUrl } from './create-database.ts';
import { layOut } from './folder.ts';
import { readPidFile, runsOn } from './pid-file.ts';

/** The URL of the server that runs on the data folder, or undefined where none does, or none that we have to do with. */
export function findRunning(dataDir: string): string | undefined {
  const folder = layOut(resolve(dataDir));
  const found = readPidFile(folder);
  // A server that was killed leaves the file, and its number is another process's some day.
  if (!found?.isReady || !runsOn(folder, found.pid)) return undefined;
  return databaseUrl(found.port, readPassword(folder));
}
