// Node loads this file before each test file (.taprc). To save time, it bundles the large packages into a few
// files, and turns off the source maps that tap asks for: the sources run as they are, so maps are no use.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Node 26 has this function; our type declarations are those of the oldest Node that we support. */
interface Hooks {
  readonly registerHooks: (hooks: { readonly resolve: module.ResolveHook }) => void;
}

const packages = [
  '@fastify/sensible',
  '@fastify/type-provider-typebox',
  '@sinclair/typebox',
  '@sinclair/typebox/compiler',
  '@sinclair/typebox/value',
  'fastify',
  'kysely',
  'pg',
];

const modules = join(import.meta.dirname, '../../node_modules');
/** The folder's name changes with an installation and with an edit of this file. */
const madeFor = [join(modules, '.package-lock.json'), import.meta.filename].map((file) => statSync(file).mtimeMs);
const folder = join(modules, '.cache', `understudy-packages-${Math.max(...madeFor)}`);
const fileOf = (name: string): string => `${name.replaceAll('/', '-')}.mjs`;
const urls = new Map(packages.map((name) => [name, pathToFileURL(join(folder, fileOf(name))).href]));

process.setSourceMapsEnabled(false);
if (!existsSync(folder)) await bundle();
(module as typeof module & Hooks).registerHooks({
  resolve(specifier, context, next) {
    const url = context.conditions.includes('import') ? urls.get(specifier) : undefined;
    if (url !== undefined) return { url, format: 'module', shortCircuit: true };
    // Our imports are complete paths, so Node's search for file, links and package can be skipped.
    if (!/^\.\.?\/.*\.ts$/.test(specifier)) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
  },
});

/** Several processes may bundle at once. */
async function bundle(): Promise<void> {
  const { build } = await import('esbuild');
  const draft = `${folder}-${randomUUID()}`;
  const sources = join(draft, 'sources');
  mkdirSync(sources, { recursive: true });
  for (const name of packages) {
    const exported = Object.keys((await import(name)) as object).filter((each) => /^\w+$/.test(each));
    writeFileSync(join(sources, fileOf(name)), `export { ${exported.join(', ')} } from '${name}';\n`);
  }
  await build({
    entryPoints: packages.map((name) => join(sources, fileOf(name))),
    outdir: draft,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['pg-native'],
    // Packages in CommonJS call `require`, which ES modules lack.
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  });
  try {
    renameSync(draft, folder);
  } catch {
    // Another process has made the folder.
    rmSync(draft, { recursive: true });
  }
}
