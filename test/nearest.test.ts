// Suggestions for misspelt names.
import { test } from 'tap';
import { findNearest } from '../src/base/nearest.ts';

await test('the nearest name', (t) => {
  const known = ['UNDERSTUDY_HOST', 'UNDERSTUDY_SEED', 'UNDERSTUDY_RATE_LIMIT_USER', 'documented', 'export'];
  const cases = {
    UNDERSTUDY_SEDE: 'UNDERSTUDY_SEED',
    UNDERSTUDY_RATE_LIMIT_USR: 'UNDERSTUDY_RATE_LIMIT_USER',
    UNDERSTUDY_RATELIMIT_USER: 'UNDERSTUDY_RATE_LIMIT_USER',
    UNDERSTDY_HOST: 'UNDERSTUDY_HOST',
    documnetde: 'documented',
    // Only what follows the prefix that both have can be a slip.
    UNDERSTUDY_FOO: undefined,
    UNDERSTUDY_RATE_LIMIT_ALL: undefined,
    port: undefined,
  };
  for (const [word, name] of Object.entries(cases)) t.equal(findNearest(word, known), name, word);
  t.end();
});
