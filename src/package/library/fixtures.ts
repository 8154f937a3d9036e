// The fixtures of a test, in vitest and in Playwright.
import type { Client } from '../client/client.ts';
import type { Sandbox } from '../client/sandbox-client.ts';
import type { Seed } from '../client/wire-types.ts';

export interface Fixtures {
  /** The test's own sandbox, which is dropped after the test. */
  readonly box: Sandbox;
  /** The client of the service. */
  readonly api: Client;
  /** The seed or sandbox that `box` is made from. Set by `test.override` or, in Playwright, `test.use`. */
  readonly from: string | undefined;
  /** Instead of `from`: a seed as an object, or as YAML or JSON text. Setting either unsets the other. */
  readonly seed: string | Seed | undefined;
  /** Whether the test may request paths that aren't served. By default, such a test fails. */
  readonly allowUnmatched: boolean;
}
