// The lockfile pins the content of every package, and no package needs an install script.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

const root = join(import.meta.dirname, '../..');
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
const { allowScripts } = read('package.json') as { allowScripts: Readonly<Record<string, boolean>> };

await test('the lockfile pins each package by its hash', async (t) => {
  const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  t.ok(installed.length > 500);
  // Bundled packages are covered by the hash of their package.
  const unpinned = installed.filter(([, { integrity, link, inBundle }]) => !integrity && !link && !inBundle);
  t.same(
    unpinned.map(([path]) => path),
    [],
  );
  const { optionalDependencies } = read('packaging/node/package.json') as { optionalDependencies: object };
  for (const name of Object.keys(optionalDependencies))
    t.match(packages[`node_modules/${name}`]?.integrity, /^sha512-/);
});

await test('no package needs its install script', async (t) => {
  const scripts = Object.entries(packages).filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript);
  const names = scripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
  t.same(
    names.filter((name) => allowScripts[name] !== false),
    [],
    'each is known and refused',
  );
});
