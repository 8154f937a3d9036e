// The cluster: made by initdb at the first start, with a password and a database of ours.
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Client, DatabaseError } from 'pg';
import { asAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedError, folderError, otherPlaces } from './embedded-error.ts';
import { type Folder, hasCluster } from './folder.ts';
import type { Watchdog } from './watchdog.ts';

export interface Place {
  readonly watchdog: Watchdog;
  readonly folder: Folder;
  readonly binaries: Binaries;
  /** Settings of the server, which win over ours. */
  readonly settings: Readonly<Record<string, string>>;
  /** Further arguments of initdb. */
  readonly initdbArgs?: readonly string[];
  /** Of the server, once its cluster is there. */
  readonly password?: string;
  /** Called when initdb or the server is at work, and this process has time; with the URL that the server will have. */
  readonly onLaunched?: ((url?: string) => void) | undefined;
  /** A cluster that the server gets a copy of. */
  readonly copyFrom?: { readonly from: string; readonly checksum: number };
  readonly say: (line: string) => void;
}

/** Of the superuser and of its database. */
export const name = 'understudy';
const duplicateDatabase = '42P04';
const wrongPassword = '28P01';

/** Makes the cluster if there is none yet, and returns its password. */
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

export const readPassword = ({ account, password }: Folder): string =>
  asAccount(account, () => readFileSync(password, 'utf8').trim());

async function makeCluster({ watchdog, folder, binaries, initdbArgs = [], onLaunched, say }: Place): Promise<void> {
  say(`making a PostgreSQL ${binaries.major} in ${folder.path}`);
  const password = randomBytes(24).toString('base64url');
  try {
    asAccount(folder.account, () => {
      rmSync(folder.unfinished, { recursive: true, force: true });
      writeFileSync(folder.password, `${password}\n`, { mode: 0o600 });
    });
    const args = [
      ['-D', folder.unfinished],
      ['--username', name],
      ['--pwfile', folder.password],
      ['--auth=scram-sha-256', '-c', 'scram_iterations=1'],
      // Without the sync a power failure in the first half minute may cost the new data folder; it saves seconds on a
      // slow disk.
      ['--encoding=UTF8', '--no-locale', '--no-sync', '--no-instructions', ...initdbArgs],
    ].flat();
    const running = watchdog.ask('run', { file: binaries.initdb, args, cwd: folder.path });
    onLaunched?.();
    const { code, signal, output } = await running;
    if (code !== 0) throw initdbError(folder, signal ?? `exit code ${code}`, output);
    asAccount(folder.account, () => renameSync(folder.unfinished, folder.cluster));
  } catch (error) {
    throw folderError(folder.path, error);
  }
}

function initdbError(folder: Folder, ending: string, output: string): EmbeddedError {
  const reason = output
    .split('\n')
    .findLast((line) => line.startsWith('initdb: ') || line.includes('FATAL:'))
    ?.replace(/^(?:initdb: (?:error: )?|.*?FATAL: *)/, '');
  const advice = reason?.includes('effective user ID')
    ? 'PostgreSQL needs an entry in /etc/passwd for the user that it runs as. Start as another user, or set DATABASE_URL.'
    : otherPlaces;
  return new EmbeddedError(`PostgreSQL's data could not be made in ${folder.path}: ${reason ?? ending}.\n${advice}`);
}

export const databaseUrl = (port: number, password: string, database = name): string =>
  `postgres://${name}:${password}@127.0.0.1:${port}/${database}`;

/** Makes our database in the running server at the first start, and returns its URL. */
export async function ensureDatabase(port: number, password: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl(port, password, 'postgres') });
  try {
    await client.connect();
    await client.query(`create database ${name}`);
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === wrongPassword)
      throw new EmbeddedError(
        'The embedded PostgreSQL refuses the password from its data folder.\nPut the first one back (ALTER ROLE changed it?), or remove the folder to start anew.',
        { cause: error },
      );
    if (code !== duplicateDatabase) throw error;
  } finally {
    await client.end();
  }
  return databaseUrl(port, password);
}
