// The services that the tests fuzz, each a process: one with default permissions, and one that allows little.
import type { Test } from 'tap';
import { startServing } from '../support/process.ts';
import { createSeededDatabase } from '../support/service.ts';
import { describeFault, fuzz, settings } from './fuzz.ts';
import { createTally, type Tally } from './tally.ts';

/** Fixed; `npm run fuzz` tries other seeds and more requests. */
const seed = 1;

export interface Fuzzed {
  readonly tally: Tally;
  /** The URL of the first service. */
  readonly url: string;
}

/** Sends the requests, `narrowRequests` of them to the second service; a faulty answer fails the test. */
export async function fuzzServices(
  t: Test,
  { requests, narrowRequests }: { requests: number; narrowRequests: number },
): Promise<Fuzzed> {
  const start = async (env: Readonly<Record<string, string>> = {}) =>
    startServing(t, { DATABASE_URL: await createSeededDatabase(t, 'transcripts'), ...settings, ...env });
  const service = await start();
  const narrow = await start({
    UNDERSTUDY_ANONYMOUS: 'strict',
    UNDERSTUDY_ADMIN: 'off',
    UNDERSTUDY_RATE_LIMIT_USER: '5/minute',
    UNDERSTUDY_RATE_LIMIT_ANONYMOUS: '5/minute',
  });
  const tally = createTally();
  await Promise.all([
    fuzz({ url: service.url, seed, count: requests - narrowRequests, tally }),
    fuzz({ url: narrow.url, seed: seed + 1, count: narrowRequests, tally, atOnce: 4 }),
  ]);
  const log = service.said.stdout + narrow.said.stdout;
  for (const found of tally.faults.values()) t.fail(await describeFault(found, log));
  return { tally, url: service.url };
}
