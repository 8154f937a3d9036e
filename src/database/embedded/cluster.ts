// The cluster: made by initdb at the first start, by the account that will serve it.
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { elsewhere, EmbeddedError, folderFault } from './errors.ts';
import { hasCluster } from './folder.ts';
import type { Folder } from './folder.ts';
import { listInitdbOptions } from './settings.ts';
import { bareEnvironment } from './watchdog.ts';
import type { Command, Watchdog } from './watchdog.ts';

export interface Place {
  readonly watchdog: Watchdog;
  readonly folder: Folder;
  readonly binaries: Binaries;
  /** Set where root gives the server to another account. */
  readonly account: Account | undefined;
  readonly say: (line: string) => void;
}

/** Refuses a folder that the server's account can't get to, naming the one in its way. */
export async function checkReach(watchdog: Watchdog, folder: Folder, account: Account): Promise<void> {
  const { barrier } = await watchdog.ask('findBarrier', { path: folder.path, uid: account.uid, gid: account.gid });
  if (barrier === undefined) return;
  throw new EmbeddedError(
    `PostgreSQL doesn't run as root, and ${account.name}, as whom it would run, can't enter ${barrier}, where its data would lie.\n` +
      'Set UNDERSTUDY_DATA_DIR to a folder outside, such as /var/lib/understudy, or start as an ordinary user, or set DATABASE_URL.',
  );
}

/** Makes the cluster if there is none yet, and answers its password. */
export async function ensureCluster(place: Place): Promise<string> {
  const { folder, binaries } = place;
  if (!hasCluster(folder, binaries.major)) await makeCluster(place);
  try {
    return readFileSync(folder.password, 'utf8').trim();
  } catch (error) {
    throw new EmbeddedError(
      `The password of the embedded PostgreSQL can't be read from ${folder.password}.\nPut it back, or remove ${folder.path} to start anew.`,
      { cause: error },
    );
  }
}

async function makeCluster(place: Place): Promise<void> {
  const { watchdog, folder, binaries, account, say } = place;
  say(`making a PostgreSQL ${binaries.major} in ${folder.path}`);
  const password = randomBytes(24).toString('base64url');
  // initdb must read it as its own account, which has no business with the one that stays.
  const handed = join(folder.path, 'password.initdb');
  try {
    rmSync(folder.unfinished, { recursive: true, force: true });
    writeFileSync(folder.password, `${password}\n`, { mode: 0o600 });
    writeFileSync(handed, password, { mode: 0o600 });
    const args = listInitdbOptions(folder, handed);
    if (account) {
      chownSync(handed, account.uid, account.gid);
      makeFolderOf(folder.unfinished, account);
    }
    const { code, signal, output } = await watchdog.ask('run', command(place, binaries.initdb, args));
    if (code !== 0) throw initdbFault(folder, signal ?? `exit code ${code}`, output);
    renameSync(folder.unfinished, folder.cluster);
  } catch (error) {
    throw error instanceof EmbeddedError ? error : folderFault(folder.path, error);
  } finally {
    rmSync(handed, { force: true });
  }
}

function makeFolderOf(path: string, account: Account): void {
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, account.uid, account.gid);
}

/** A command as the server's account runs it. */
export function command({ folder, account }: Place, file: string, args: readonly string[]): Command {
  const owner = account && { uid: account.uid, gid: account.gid };
  return { file, args, options: { cwd: folder.path, env: bareEnvironment(), ...owner } };
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
