// The public modules of the package.
import manifest from '../package.json' with { type: 'json' };

/** The sources of the bundles, under the names of the bundles. */
export const modules = {
  index: 'src/package/library/index.ts',
  setup: 'src/package/library/setup.ts',
  vitest: 'src/package/library/vitest.ts',
  playwright: 'src/package/library/playwright.ts',
} as const;

/** The modules that are built as CommonJS too. vitest itself is only ESM. */
export const commonJsModules: readonly (keyof typeof modules)[] = ['index', 'setup', 'playwright'];

/** Packages of the user's project that modules and their declarations import. */
export const external: readonly string[] = Object.keys(manifest.peerDependencies);
