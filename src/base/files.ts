// The only module that knows where the program's own files are. In a checkout, `src/base/` is two levels
// below the root; the package is `dist/`, with the bundles at its root (docs/decisions/0018).
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const here = import.meta.dirname;
const isBundled = !import.meta.filename.endsWith('.ts');
const root = isBundled ? here : join(here, '../..');
const code = isBundled ? here : join(root, 'src');

/** Files that pages load by name: ours, and an npm package's. The build compresses them. */
export const assets = {
  'style.css': 'src/pages/frame/style.css',
  'send-form.js': 'src/pages/browsable/send-form.js',
  'live.js': 'src/pages/console/traffic/live.js',
  'page.js': 'src/pages/frame/page.js',
  'documentation.js': 'src/pages/documentation/documentation.js',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
} as const;

export type Asset = keyof typeof assets;

/** Modules that are started by path. The build bundles each. */
export const programs = ['cli/understudy.ts', 'seeds/thread-entry.ts'] as const;

export const watchdogScript = join(code, isBundled ? 'watchdog.sh' : 'postgres/server/watchdog.sh');

export const assetFile = (name: Asset) => join(root, isBundled ? `assets/${name}.gz` : assets[name]);

export const programFile = (path: (typeof programs)[number]) =>
  join(code, isBundled ? `${basename(path, '.ts')}.js` : path);

/** The packed cluster. A checkout has none before a build or a test. */
export const packedCluster = join(root, isBundled ? '.' : 'dist', 'cluster.br');

/** The files that turn seeds into rows: the packed cluster must agree with them. None in the package. */
export const seedingCode = () =>
  (isBundled ? [] : ['database', 'model', 'seeds/format', 'seeds/load']).flatMap((folder) =>
    readdirSync(join(code, folder))
      .filter((name) => /\.[jt]s$/.test(name))
      .map((name) => join(code, folder, name)),
  );

export const shippedSeeds = join(root, 'seeds');

/** The build's description of shipped seeds. A checkout has none. */
export const describedSeeds = join(root, 'seeds.json');

export const manifestFile = join(root, 'package.json');
