// The cluster: made by initdb at the first start, by the account that will serve it.
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Binaries } from './binaries.ts';
import { elsewhere, EmbeddedError, folderFault } from './embedded-error.ts';
import { hasCluster } from './folder.ts';
import type { Folder } from './folder.ts';
import { asAccount } from './rights.ts';
import { listInitdbOptions } from './settings.ts';
import { bareEnvironment } from './watchdog.ts';
import type { Command, Watchdog } from './watchdog.ts';

export interface Place {
  readonly watchdog: Watchdog;
  readonly folder: Folder;
  readonly binaries: Binaries;
  readonly say: (line: string) => void;
}

/** Makes the cluster if there is none yet, and answers its password. */
export async function ensureCluster(place: Place): Promise<string> {
  const { folder, binaries } = place;
  if (!hasCluster(folder, binaries.major)) await makeCluster(place);
  try {
    return readPassword(folder);
  } catch (error) {
    throw new EmbeddedError(
      `The password of the embedded PostgreSQL can't be read from ${folder.password}.\nPut it back, or remove ${folder.path} to start anew.`,
      { cause: error },
    );
  }
}

/** With the account's rights: a link in its place would show root what that account may not see. */
export const readPassword = ({ account, password }: Folder): string =>
  asAccount(account, () => readFileSync(password, 'utf8').trim());

async function makeCluster(place: Place): Promise<void> {
  const { watchdog, folder, binaries, say } = place;
  say(`making a PostgreSQL ${binaries.major} in ${folder.path}`);
  const password = randomBytes(24).toString('base64url');
  try {
    asAccount(folder.account, () => {
      rmSync(folder.unfinished, { recursive: true, force: true });
      writeFileSync(folder.password, `${password}\n`, { mode: 0o600 });
    });
    const made = await watchdog.ask('run', command(folder, binaries.initdb, listInitdbOptions(folder)));
    const { code, signal, output } = made;
    if (code !== 0) throw initdbFault(folder, signal ?? `exit code ${code}`, output);
    asAccount(folder.account, () => renameSync(folder.unfinished, folder.cluster));
  } catch (error) {
    throw error instanceof EmbeddedError ? error : folderFault(folder.path, error);
  }
}

/** A command as the watchdog runs it. */
export function command(folder: Folder, file: string, args: readonly string[]): Command {
  return { file, args, options: { cwd: folder.path, env: bareEnvironment() } };
}

function initdbFault(folder: Folder, ending: string, output: string): EmbeddedError {
  const said = output
    .split('\n')
    .findLast((line) => line.startsWith('initdb: ') || line.includes('FATAL:'))
    ?.replace(/^(?:initdb: (?:error: )?|.*?FATAL: *)/, '');
  const advice = said?.includes('effective user ID')
    ? 'PostgreSQL needs an entry in /etc/passwd for the user that it runs as. Start as another user, or set DATABASE_URL.'
    : elsewhere;
  return new EmbeddedError(`PostgreSQL's data could not be made in ${folder.path}: ${said ?? ending}.\n${advice}`);
}
