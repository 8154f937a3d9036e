// What a test gets, in vitest and in Playwright.
import type { Client } from '../client/client.ts';
import type { Sandbox } from '../client/sandbox-client.ts';
import type { Seed } from '../client/wire-types.ts';

export interface Fixtures {
  /** A sandbox of the test's own, which is dropped after it. */
  readonly box: Sandbox;
  /** The client of the service. */
  readonly api: Client;
  /** What `box` is made from: `test.override({ from: 'empty' })` in vitest, `test.use({ from: 'empty' })` in Playwright. */
  readonly from: string | undefined;
  /** Instead of `from`: a seed as an object, or as YAML or JSON text. A suite that sets one of both replaces both. */
  readonly seed: string | Seed | undefined;
  /** Whether the test may request paths that aren't served. It fails otherwise. */
  readonly allowUnmatched: boolean;
}
