// The fixtures of a test, in vitest and in Playwright.
import type { Client } from '../client/client.ts';
import type { Sandbox } from '../client/sandbox-client.ts';
import type { Seed } from '../client/wire-types.ts';

export interface Fixtures {
  /** The test's own sandbox, which is dropped after the test. */
  readonly box: Sandbox;
  /** The client of the service. */
  readonly api: Client;
  /** The source of `box`. `test.override({ from: 'empty' })` (vitest) or `test.use(…)` (Playwright) sets it. */
  readonly from: string | undefined;
  /** Instead of `from`: a seed as an object, or as YAML or JSON text. Setting either unsets the other. */
  readonly seed: string | Seed | undefined;
  /** Whether the test may request paths that aren't served. Default: such a request fails it. */
  readonly allowUnmatched: boolean;
}
