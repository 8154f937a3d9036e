// The bundles of dist/: the command, split so that each subcommand loads its own code, and the library.
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { programs } from '../src/base/files.ts';
import { commonJsModules, external, modules } from './entries.ts';

export const root = join(import.meta.dirname, '..');
export const dist = join(root, 'dist');

// Libraries load these packages for features that the service doesn't use: validation with Ajv, requests without a socket, logs in
// threads, media types of file names, HTTP/2.
const unused =
  /^(?:@fastify\/ajv-compiler|@fastify\/fast-json-stringify-compiler|light-my-request|thread-stream|mime-db|node:http2)$/;

const leaveOut: Plugin = {
  name: 'leave-out',
  setup(bundler) {
    bundler.onResolve({ filter: unused }, ({ path }) => ({ path, namespace: 'unused' }));
    bundler.onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: '' }));
  },
};

// An import of a module of Node reads all names that the module exports, and the read of some names loads more modules. `require` reads
// no names.
const requireBuiltins: Plugin = {
  name: 'require-builtins',
  setup(bundler) {
    bundler.onResolve({ filter: /^node:/ }, ({ path, kind, namespace }) =>
      kind === 'import-statement' && namespace === 'file' && isBuiltin(path)
        ? { path, namespace: 'builtin' }
        : undefined,
    );
    bundler.onLoad({ filter: /./, namespace: 'builtin' }, async ({ path }) => {
      const names = Object.keys((await import(path)) as object).filter((name) => name !== 'default');
      const lines = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`);
      return { contents: [`const all = require('${path}');`, 'export default all;', ...lines].join('\n') };
    });
  },
};

const shared = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  external: [...external],
  platform: 'node',
  // The oldest Node that `engines` in package.json allows.
  target: 'node22.13',
  // The notices contain the licences.
  legalComments: 'none',
  metafile: true,
  // Node reads the maps with --enable-source-maps; they name lines of the repository.
  sourcemap: true,
  sourcesContent: false,
  // With a single character beyond ASCII, V8 would keep two bytes for each character of the file.
  charset: 'ascii',
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

const esm = (entries: Record<string, string>) =>
  build({
    ...shared,
    entryPoints: entries,
    format: 'esm',
    // Commands share code, and each command loads only the code that it needs.
    splitting: true,
    plugins: [leaveOut, requireBuiltins],
    chunkNames: '[name]-[hash]',
    // Bundled CommonJS packages call `require` for Node's modules.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module';\nconst require = requireFor(import.meta.url);",
    },
  });

const commonJs = (entries: Record<string, string>) =>
  build({
    ...shared,
    entryPoints: entries,
    format: 'cjs',
    // attw, a check in test/package/, finds a default export only on a line of its own, so line breaks stay.
    minifyWhitespace: false,
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  });

/** Writes all bundles to dist/, and returns which files each is made of. */
export async function bundle(): Promise<Metafile[]> {
  const commands = Object.fromEntries(programs.map((source) => [basename(source, '.ts'), join('src', source)]));
  const libraries = Object.fromEntries(commonJsModules.map((name) => [name, modules[name]]));
  const results = await Promise.all([esm({ ...commands, ...modules }), commonJs(libraries)]);
  return results.map(({ metafile }) => metafile);
}
