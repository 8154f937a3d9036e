// The fixtures for vitest.
import { type TestAPI, test as base } from 'vitest';
import { connect } from '../client/client.ts';
import type { Fixtures } from './fixtures.ts';
import type { StartOptions } from './start-options.ts';

declare module 'vitest' {
  /** In the configuration: `provide: { understudy: { … } }`. */
  interface ProvidedContext {
    understudy?: StartOptions;
  }
}

export type { Fixtures } from './fixtures.ts';

/** vitest's `test` with the fixtures `box` and `api`, and the options `from`, `seed` and `allowUnmatched`. */
export const test: TestAPI<Fixtures> = replacingBoth(
  base.extend<Fixtures>({
    // vitest reads the parameter's text: a fixture that needs no other has an empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    api: [({}, use) => use(connect()), { scope: 'worker' }],
    from: undefined,
    seed: undefined,
    allowUnmatched: false,
    box: ({ api, from, seed, allowUnmatched, task }, use) =>
      api.withSandbox(use, {
        from,
        seed,
        allowUnmatched,
        // vitest can't annotate a failed test: one more error lists its requests.
        failed: () => task.result?.state === 'fail',
      }),
  }),
);

type Setter = (this: unknown, given: string | object, ...more: unknown[]) => TestAPI<Fixtures>;

/** Setting `from` or `seed` unsets the other, if an outer suite set it. */
function replacingBoth(api: TestAPI<Fixtures>): TestAPI<Fixtures> {
  // Before version 4.1, vitest has no `override`, and `scoped` returns nothing.
  const setters = Object.entries({ extend: api.extend, override: api.override, scoped: api.scoped });
  for (const [name, set] of setters as [string, Setter | undefined][]) {
    const replace: Setter = function (given, ...more) {
      const names = typeof given === 'string' ? [given] : Object.keys(given);
      const [isFrom, isSeed] = [names.includes('from'), names.includes('seed')];
      const cleared = isFrom === isSeed ? this : set?.call(this, { [isFrom ? 'seed' : 'from']: undefined });
      const changed = set?.call(cleared ?? this, given, ...more) as TestAPI<Fixtures>;
      return name === 'extend' ? replacingBoth(changed) : changed;
    };
    if (set !== undefined) Object.assign(api, { [name]: replace });
  }
  return api;
}
