// The bundles of dist/: the command, split so that each subcommand loads its own code, and the library.
import { basename, join } from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { programs } from '../src/base/files.ts';
import { commonJsModules, external, modules } from './entries.ts';

export const root = join(import.meta.dirname, '..');
export const dist = join(root, 'dist');

const shared = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  external: [...external],
  platform: 'node',
  // The oldest that package.json's engines allow.
  target: 'node22.13',
  // The notices hold the licences.
  legalComments: 'none',
  metafile: true,
  // Node reads the maps with --enable-source-maps; they name lines of the repository.
  sourcemap: true,
  sourcesContent: false,
  // With a single other letter, V8 would keep two bytes of each character.
  charset: 'ascii',
  logLevel: 'warning',
} as const satisfies BuildOptions;

const esm = (entries: Record<string, string>) =>
  build({
    ...shared,
    entryPoints: entries,
    format: 'esm',
    // Commands share code, and each loads only its own.
    splitting: true,
    chunkNames: '[name]-[hash]',
    // CommonJS packages require Node's modules.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module';\nconst require = requireFor(import.meta.url);",
    },
  });

const commonJs = (entries: Record<string, string>) =>
  build({
    ...shared,
    entryPoints: entries,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  });

/** Writes all bundles to dist/, and tells what each is made of. */
export async function bundle(): Promise<Metafile[]> {
  const commands = Object.fromEntries(programs.map((source) => [basename(source, '.ts'), join('src', source)]));
  const libraries = Object.fromEntries(commonJsModules.map((name) => [name, modules[name]]));
  const results = await Promise.all([esm({ ...commands, ...modules }), commonJs(libraries)]);
  return results.map(({ metafile }) => metafile);
}
