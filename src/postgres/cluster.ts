// The content of a new cluster: the cluster that ships, or an empty one by initdb (docs/decisions/0025).
import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { asAccount, findListed } from './account.ts';
import { findBinaries, findReason, runAs } from './binaries.ts';
import { PassingError, UserError } from '../base/failure.ts';
import { type Folder, otherPlaces } from './folder.ts';
import type { ServerContext } from './server/start-server.ts';
import { holdFolder } from './server/watchdog.ts';
import { largePlaces } from './temporary-folder.ts';

/** The file has a line of JSON, and then the contents of the cluster's files, compressed. */
export interface Packed {
  readonly file: string;
  /** A checksum of what makes the cluster. The file's `keys` must include it. */
  readonly key: string;
}

export interface PackedHead {
  /** The key as computed in the package, and in a checkout. */
  readonly keys: readonly string[];
  /** The version of PostgreSQL's package. Each version may have another format. */
  readonly version: string;
  readonly folders: readonly string[];
  readonly files: readonly (readonly [name: string, bytes: number])[];
}

type Content = Pick<PackedHead, 'folders' | 'files'> & { readonly bytes: Buffer };

/** The superuser, and the only database that a packed cluster has. */
export const [superuser, database] = ['understudy', 'postgres'];

/** Only the server's account and root can enter the socket's folder, and so connect. */
export const databaseUrl = (sockets: string) =>
  `postgres://${superuser}@localhost:5432/${database}?host=${encodeURIComponent(sockets)}`;

/** The content of the packed cluster, or why it can't be used. Undefined in a checkout without one. */
export async function readPacked({ file, key }: Packed, version: string): Promise<Content | string | undefined> {
  if (!fs.existsSync(file)) return undefined;
  const packed = fs.readFileSync(file);
  const end = packed.indexOf('\n');
  const head = JSON.parse(packed.toString('utf8', 0, end)) as PackedHead;
  if (head.version !== version) return `it is of PostgreSQL ${head.version}, and this is ${version}`;
  if (!head.keys.includes(key)) return 'it was made by other code';
  // One chunk: to join chunks would take as long as to decompress them.
  const chunkSize = head.files.reduce((sum, [, length]) => sum + length, 64);
  return { ...head, bytes: await promisify(brotliDecompress)(packed.subarray(end + 1), { chunkSize }) };
}

/** The files of a cluster whose server has ended. */
export function readContent(cluster: string): Content {
  // Sorted, each folder comes before its content.
  const names = fs.readdirSync(cluster, { recursive: true, encoding: 'utf8' }).toSorted();
  const { folders = [], files = [] } = Object.groupBy(names, (name) =>
    fs.statSync(join(cluster, name)).isDirectory() ? 'folders' : 'files',
  );
  const contents = files.map((name) => fs.readFileSync(join(cluster, name)));
  return { folders, files: files.map((name, n) => [name, contents[n]?.length ?? 0]), bytes: Buffer.concat(contents) };
}

/** Replaces what an unfinished start left. Afterwards, `bytes` is empty. */
export const writeContent = ({ account, cluster, making }: Folder, { folders, files, bytes }: Content) =>
  asAccount(account, () => {
    fs.writeFileSync(making, '', { mode: 0o600 });
    fs.rmSync(cluster, { recursive: true, force: true });
    for (const folder of ['', ...folders]) fs.mkdirSync(join(cluster, folder), { mode: 0o700 });
    let end = 0;
    for (const [name, length] of files)
      fs.writeFileSync(join(cluster, name), bytes.subarray(end, (end += length)), { mode: 0o600 });
    // This frees the memory now.
    (bytes.buffer as ArrayBuffer).transfer(0);
  });

/** Runs initdb in a temporary folder, as an account that /etc/passwd lists: initdb insists on that. */
export async function makeContent({ path, account }: Folder, note: (line: string) => void): Promise<Content> {
  const maker = account && findListed(account);
  const { initdb } = findBinaries(maker, note);
  await using folder = await holdFolder(maker, largePlaces());
  const cluster = join(folder.path, 'cluster');
  const args = [
    ['-D', cluster, '--username', superuser, '--auth-local=trust', '--auth-host=reject'],
    // By default, a WAL segment has 16 MB, and is written in full.
    ['--encoding=UTF8', '--no-locale', '--no-sync', '--no-instructions', '--wal-segsize=1'],
  ].flat();
  await runAs(maker, initdb, args).catch((error: unknown) => {
    throw initdbError(path, error as Error);
  });
  return asAccount(maker, () => readContent(cluster));
}

function initdbError(folder: string, error: Error & { readonly stderr?: string }) {
  const reason = findReason(error.stderr);
  const text = `PostgreSQL's data could not be made for ${folder}: ${reason ?? error.message}.\n`;
  if (reason?.includes('effective user ID') !== true) return new PassingError(`${text}${otherPlaces}`);
  return new UserError(`${text}This user needs an entry in /etc/passwd. Start as another user, or set DATABASE_URL.`);
}

export const sync = ({ folder: { account, cluster }, binaries }: ServerContext) =>
  runAs(account, binaries.initdb, ['--sync-only', '-D', cluster]);

/** Marks the cluster as complete. Until then, a start replaces it. */
export const markWhole = ({ account, path, making, whole }: Folder) =>
  asAccount(account, () => {
    fs.renameSync(making, whole);
    const folder = fs.openSync(path, 'r');
    fs.fsyncSync(folder);
    fs.closeSync(folder);
  });
