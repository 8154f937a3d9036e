// Builds dist/, the package that npm publishes: its manifest, the bundles of the command and the library, the files that are copied
// unchanged, declarations, the filled cluster, and the notices and the list of the bundled packages (docs/decisions/0018).
import { appendFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { assets, watchdogScript } from '../src/base/files.ts';
import { checksum, type Described, parseNamed } from '../src/seeds/load/named-seed.ts';
import { readNamedText } from '../src/seeds/load/seed-name.ts';
import { makeBillOfMaterials } from './bill-of-materials.ts';
import { bundle, dist, root } from './bundle.ts';
import { writeDeclarations } from './declarations.ts';
import { external, modules } from './entries.ts';
import { makeManifest } from './manifest.ts';
import { listBundled, noticesOf } from './notices.ts';
import { packCluster } from './pack-cluster.ts';
import { findRepository, inPyproject, withAbsoluteLinks } from './repository.ts';
import { wireTypes } from './wire-types.ts';

// Only these seeds ship, because other seeds in the folder may have secrets.
const shippedSeeds = ['documented', 'empty'];

/** Files of the checkout that are copied unchanged. */
const copied = [
  'clients/python/pyproject.toml',
  'clients/python/src/**/{*.py,py.typed}',
  'seeds/seed.schema.json',
  ...shippedSeeds.map((name) => `seeds/${name}.yaml`),
  'LICENSE',
];

/** Pages that people read outside of the repository. */
const pages = ['clients/python/README.md', 'CHANGELOG.md', 'README.md'];

const repository = findRepository();

rmSync(dist, { recursive: true, force: true });
const metafiles = await bundle();
cpSync(watchdogScript, join(dist, basename(watchdogScript)));
mkdirSync(join(dist, 'assets'));
for (const [name, path] of Object.entries(assets))
  writeFileSync(join(dist, 'assets', `${name}.gz`), gzipSync(readFileSync(join(root, path)), { level: 9 }));
// The image has no declarations, so its build needs no TypeScript.
if (!process.argv.includes('--without-types'))
  writeDeclarations(root, {
    sources: Object.values(modules).map((source) => relative('src', source)),
    external,
    replaced: { 'package/client/wire-types.ts': wireTypes() },
    folder: join(dist, 'types'),
  });
await packCluster();
for (const path of globSync(copied, { cwd: root })) cpSync(join(root, path), join(dist, path));
for (const page of pages)
  writeFileSync(join(dist, page), withAbsoluteLinks(readFileSync(join(root, page), 'utf8'), dirname(page), repository));
// dist/clients/python is published on PyPI.
appendFileSync(join(dist, 'clients/python/pyproject.toml'), inPyproject(repository));
cpSync(join(root, 'LICENSE'), join(dist, 'clients/python/LICENSE'));
const bundled = listBundled(root, metafiles);
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES'), noticesOf(root, bundled));
writeJson('bom.cdx.json', makeBillOfMaterials(bundled));
writeJson('seeds.json', await describeSeeds());
writeJson('package.json', makeManifest(repository));

async function describeSeeds(): Promise<Described> {
  const texts = await Promise.all(shippedSeeds.map((name) => readNamedText(name)));
  return Object.fromEntries(
    texts.map((text) => {
      const { digest, samples } = parseNamed(text.file, text);
      return [checksum(text.text), { digest, samples }];
    }),
  );
}

function writeJson(name: string, value: object): void {
  writeFileSync(join(dist, name), `${JSON.stringify(value, null, 2)}\n`);
}
