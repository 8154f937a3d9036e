// Builds dist/, the package that npm publishes: its manifest, bundles of the command and the library, the files that are read as they
// are, declarations, the filled cluster, and the notices and the list of all that is bundled (docs/decisions/0018).
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { assets, watchdogScript } from '../src/base/files.ts';
import { checksum, type Described, parseNamed } from '../src/seeds/load/named-seed.ts';
import { listShippedSeeds, readNamedText } from '../src/seeds/load/seed-name.ts';
import { makeBillOfMaterials } from './bill-of-materials.ts';
import { bundle, dist, root } from './bundle.ts';
import { writeDeclarations } from './declarations.ts';
import { external, modules } from './entries.ts';
import { makeManifest } from './manifest.ts';
import { listBundled, noticesOf } from './notices.ts';
import { packCluster } from './pack-cluster.ts';
import { wireTypes } from './wire-types.ts';

/** What people read or use of the checkout as it is. */
const copied = [
  'clients/python/{pyproject.toml,README.md}',
  'clients/python/src/**/{*.py,py.typed}',
  'seeds/*',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
];

rmSync(dist, { recursive: true, force: true });
const metafiles = await bundle();
cpSync(watchdogScript, join(dist, basename(watchdogScript)));
mkdirSync(join(dist, 'assets'));
for (const [name, path] of Object.entries(assets))
  writeFileSync(join(dist, 'assets', `${name}.gz`), gzipSync(readFileSync(join(root, path)), { level: 9 }));
writeDeclarations(root, {
  sources: Object.values(modules).map((source) => relative('src', source)),
  external,
  replaced: { 'package/client/wire-types.ts': wireTypes() },
  folder: join(dist, 'types'),
});
await packCluster();
for (const path of globSync(copied, { cwd: root })) cpSync(join(root, path), join(dist, path));
const bundled = listBundled(root, metafiles);
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES'), noticesOf(root, bundled));
writeJson('bom.cdx.json', makeBillOfMaterials(bundled));
writeJson('seeds.json', await describeSeeds());
writeJson('package.json', makeManifest());

async function describeSeeds(): Promise<Described> {
  const texts = await Promise.all((await listShippedSeeds()).map((name) => readNamedText(name)));
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
