// Makes the package.json of dist/ from the checkout's: without the keys that only the checkout needs, and with the bundles' exports.
import manifest from '../package.json' with { type: 'json' };
import { commonJsModules, modules } from './entries.ts';
import { inManifest } from './repository.ts';

/** Keys that only the checkout needs. The code of its `dependencies` is in the bundles. */
const ofCheckout = new Set([
  'private',
  'repository',
  'scripts',
  'allowScripts',
  'scarfSettings',
  'dependencies',
  'devDependencies',
  'devEngines',
]);

type Name = keyof typeof modules;

const typesOf = (name: Name, extension: 'd.ts' | 'd.cts') =>
  `./${modules[name].replace('src/', 'types/').replace(/ts$/, extension)}`;

function exportOf(name: Name) {
  const esm = { types: typesOf(name, 'd.ts'), default: `./${name}.js` };
  if (!commonJsModules.includes(name)) return esm;
  return { import: esm, default: { types: typesOf(name, 'd.cts'), default: `./${name}.cjs` } };
}

export function makeManifest(repository: string | undefined): object {
  const names = Object.keys(modules) as Name[];
  return {
    ...Object.fromEntries(Object.entries(manifest).filter(([key]) => !ofCheckout.has(key))),
    ...inManifest(repository),
    bin: { [manifest.name]: 'understudy.js' },
    main: './index.cjs',
    types: typesOf('index', 'd.cts'),
    exports: {
      ...Object.fromEntries(names.map((name) => [name === 'index' ? '.' : `./${name}`, exportOf(name)])),
      './package.json': './package.json',
    },
  };
}
