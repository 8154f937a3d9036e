// The fixtures for Playwright Test.
import { test as base } from '@playwright/test';
import { connect } from '../client/client.ts';
import type { Fixtures } from './fixtures.ts';

export type { Fixtures } from './fixtures.ts';
export { expect } from '@playwright/test';

/** Playwright's `test` with the fixtures `box` and `api`, and the options `from`, `seed` and `allowUnmatched`. */
export const test = base.extend<Omit<Fixtures, 'api'>, Pick<Fixtures, 'api'>>({
  // Playwright requires an object pattern, even if the function uses no other fixture.
  // oxlint-disable-next-line no-empty-pattern
  api: [({}, use) => use(connect()), { scope: 'worker' }],
  from: [undefined, { option: true }],
  seed: [undefined, { option: true }],
  allowUnmatched: [false, { option: true }],
  box: ({ api, from, seed, allowUnmatched }, use, info) =>
    api.withSandbox(use, { from, seed, allowUnmatched, failed: () => info.status !== info.expectedStatus }),
});

const useAsGiven = test.use.bind(test);
// A plain `undefined` would stand for the configuration's value.
// oxlint-disable-next-line no-empty-pattern
const none = ({}, use: (value: undefined) => Promise<void>) => use(undefined);
/** Setting `from` or `seed` unsets the other, if an outer suite or the configuration set it. */
test.use = (given) =>
  useAsGiven({ ...('seed' in given && { from: none }), ...('from' in given && { seed: none }), ...given });
