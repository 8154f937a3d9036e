// The public modules of the package.
import manifest from '../package.json' with { type: 'json' };

/** Sources by the names of their bundles. */
export const modules = {
  index: 'src/package/library/index.ts',
  setup: 'src/package/library/setup.ts',
  vitest: 'src/package/library/vitest.ts',
  playwright: 'src/package/library/playwright.ts',
} as const;

/** Those that are built as CommonJS too. vitest itself is ESM alone. */
export const commonJsModules: readonly (keyof typeof modules)[] = ['index', 'setup', 'playwright'];

/** Packages of the host that a module imports, and its declarations too. */
export const external: readonly string[] = Object.keys(manifest.peerDependencies);
