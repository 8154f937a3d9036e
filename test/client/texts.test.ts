// What failed tests print, word by word. test/package/python compares the Python client with the same texts.
import { test } from 'tap';
import { describeLast, describeUnserved } from '../../src/package/client/describe-requests.ts';
import { RequestMismatchError } from '../../src/package/client/request-mismatch.ts';
import type {
  JournalEntry,
  NearMiss,
  RequestMatch,
  RequestsFound,
  RequestTimes,
} from '../../src/package/client/wire-types.ts';
import texts from './texts.json' with { type: 'json' };

interface Case {
  readonly found: object;
  /** How often `found` has its only request. */
  readonly repeated?: number;
}

/** The texts name entries, and these only the fields in which they differ from a usual one. */
const entryOf = (name: string): JournalEntry => ({ ...texts.entry, ...texts.entries[name as 'read'] });

function foundOf({ found, repeated = 1 }: Case): RequestsFound {
  const {
    requests,
    near_misses: others,
    ...same
  } = found as RequestsFound & {
    readonly requests: readonly unknown[];
    readonly near_misses: readonly unknown[];
  };
  const all = Array.from({ length: repeated }, () => requests as unknown as string[]).flat();
  return {
    ...same,
    requests: all.map(entryOf),
    near_misses: (others as unknown as (NearMiss & { readonly request: string })[]).map((near) => ({
      ...near,
      request: entryOf(near.request),
    })),
  };
}

interface Mismatch extends Case {
  readonly match: RequestMatch;
  readonly times?: RequestTimes;
  readonly within_seconds?: number;
}

for (const { title, text, ...mismatch } of texts.mismatches)
  await test(`a mismatch: ${title}`, async (t) => {
    const { match, times, within_seconds: seconds } = mismatch as Mismatch;
    const expectation = {
      ...(times !== undefined && { times }),
      ...(seconds !== undefined && { within: `${seconds}s` as const }),
    };
    t.equal(new RequestMismatchError('job', match, expectation, foundOf(mismatch)).message, text.join('\n'));
  });

for (const { title, text, ...report } of texts.last)
  await test(`a report: ${title}`, async (t) => t.equal(describeLast(foundOf(report)), text.join('\n')));

for (const { title, text, ...report } of texts.unserved)
  await test(`paths: ${title}`, async (t) =>
    t.equal(describeUnserved(foundOf(report)), text.join('\n').replace('say so', 'set allowUnmatched')));
