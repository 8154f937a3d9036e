// Builds dist/, which the tarball contains: bundles of the command and the library, the files that are read as they
// are, declarations, the filled cluster, and the notices of all that is bundled (docs/decisions/0018).
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { assets, plainFiles } from '../src/files.ts';
import { bundle, dist, root } from './bundle.ts';
import { writeDeclarations } from './declarations.ts';
import { external, modules } from './entries.ts';
import { listBundled, noticesOf } from './notices.ts';
import { packCluster } from './pack-cluster.ts';

rmSync(dist, { recursive: true, force: true });
const metafiles = await bundle(true);
for (const file of plainFiles) cpSync(join(root, 'src', file), join(dist, basename(file)));
for (const [name, path] of Object.entries(assets)) cpSync(join(root, path), join(dist, 'assets', name));
writeDeclarations(root, { sources: Object.values(modules), external, folder: join(dist, 'types') });
writeFileSync(join(root, 'THIRD-PARTY-NOTICES'), noticesOf(root, listBundled(root, metafiles)));
await packCluster();
