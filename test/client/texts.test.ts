// What failed tests print, word by word. test/package/python compares the Python client with the same texts.
import { test } from 'tap';
import { describeLast, describeUnserved } from '../../src/package/client/describe-requests.ts';
import { describeDisorder, describeMismatch, describeOthers } from '../../src/package/client/request-mismatch.ts';
import type {
  ExchangeMatch,
  JournalEntry,
  NearMiss,
  RequestsFound,
  RequestTimes,
} from '../../src/package/client/wire-types.ts';
import texts from './texts.json' with { type: 'json' };

interface Case {
  readonly found: object;
  /** How often `found` has its only request. */
  readonly repeated?: number;
  readonly within_seconds?: number;
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

const waitOf = ({ within_seconds: seconds }: Case) => ({
  ...(seconds !== undefined && { within: `${seconds}s` as const }),
});

interface Mismatch extends Case {
  readonly match: ExchangeMatch;
  readonly times?: RequestTimes;
}

for (const { title, text, ...mismatch } of texts.mismatches)
  await test(`a mismatch: ${title}`, async (t) => {
    const { match, times } = mismatch as Mismatch;
    const expectation = { ...(times !== undefined && { times }), ...waitOf(mismatch) };
    t.equal(describeMismatch('job', match, expectation, foundOf(mismatch)), text.join('\n'));
  });

for (const { title, text, ...disorder } of texts.disorders)
  await test(`an order: ${title}`, async (t) => {
    const { matches, count } = disorder;
    const shown = describeDisorder('job', matches, waitOf(disorder), count, foundOf(disorder));
    t.equal(shown, text.join('\n'));
  });

for (const { title, text, ...rest } of texts.others)
  await test(`others: ${title}`, async (t) => {
    const found = foundOf(rest);
    t.equal(describeOthers('job', waitOf(rest), found.requests, found), text.join('\n'));
  });

for (const { title, text, ...report } of texts.last)
  await test(`a report: ${title}`, async (t) => t.equal(describeLast(foundOf(report)), text.join('\n')));

for (const { title, text, ...report } of texts.unserved)
  await test(`paths: ${title}`, async (t) => t.equal(describeUnserved(foundOf(report), 'say so'), text.join('\n')));
