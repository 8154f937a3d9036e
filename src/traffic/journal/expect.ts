// POST …/requests/find and …/expect: whether requests are as expected, and what came instead.
import type { Static, TSchema } from '@sinclair/typebox';
import { checkValue } from '../../base/check-value.ts';
import { apiError } from '../../base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { Answer, Call } from '../../http/call.ts';
import { readValue } from '../../sandboxes/sandbox-requests.ts';
import { numberOf, shownEntry, removeTokens } from '../entry.ts';
import { compileMatch, type Matcher } from '../match.ts';
import { type ExchangeMatch, type Range, rangeOf } from '../request-match.ts';
import type { Journal } from './journal.ts';
import { type NearMiss, RequestsExpect, RequestsFind, usualLimit } from './journal-schemas.ts';
import { lastOf, type Lists } from './lists.ts';
import * as messages from './messages.ts';
import { entriesOf, readSince, type Seen, startSearch, whenReadable } from './search.ts';
import type { Waits } from './waits.ts';

const mostNearMisses = 5;
/** How many of the latest requests are searched for near misses. */
const mostCompared = 200;

export interface JournalServices {
  readonly database: Database;
  readonly journal: Journal;
  readonly waitFor: Waits;
  readonly lists: Lists;
}
type SearchCall = Call<{ readonly name: string }>;

export async function findRequests(call: SearchCall, services: JournalServices): Promise<Answer> {
  const { times, within_ms, since, limit, ...match } = await readSearch(RequestsFind, call);
  const { head, found } = await search(call, services, askFor(match, times), { within_ms, since });
  const { message: _message, ...shown } = head;
  return services.lists(call.params.name, call, limit, async () => ({ head: shown, found }));
}

export async function expectRequests(call: SearchCall, services: JournalServices): Promise<Answer> {
  const { match, times, in_order: matches = [], except, limit, ...options } = await readSearch(RequestsExpect, call);
  const assertion =
    match === undefined ? (except === undefined ? askInOrder(matches) : askForOthers(except)) : askFor(match, times);
  const listing = await search(call, services, assertion, options);
  return services.lists(call.params.name, { accept: undefined }, limit ?? usualLimit, async () => listing);
}

const readSearch = async <S extends TSchema>(schema: S, call: SearchCall): Promise<Static<S>> =>
  removeTokens(checkValue(schema, (await readValue(call)) ?? {}));

async function search(
  call: SearchCall,
  { database, journal, waitFor }: JournalServices,
  assertion: Assertion,
  { within_ms: withinMs = 0, since: id }: { readonly [K in 'within_ms' | 'since']?: RequestsExpect[K] | undefined },
) {
  if (!journal.isKept) throw apiError('journal_off');
  const { name: sandbox } = call.params;
  // To be awaited before each read. Throws 404 if the sandbox was deleted.
  const untilReadable = () => whenReadable(database.read, journal, sandbox);
  await untilReadable();
  const since = readSince(journal, [sandbox], id);
  const { take, readNew, readLatest, review } = startSearch(journal, sandbox, since, assertion.matchers);
  const judge = () => {
    const { seen, lost } = review();
    return { ...assertion.judge(seen, lost), lost };
  };
  await readNew();
  readLatest();
  if (withinMs > 0 && !judge().isCertain) {
    const isSettled: typeof take = (...arrived) => take(...arrived) && judge().isCertain;
    const isEmptied = await waitFor({ sandbox, withinMs, left: call.becomeIdle() }, isSettled);
    await untilReadable();
    await readNew();
    if (isEmptied && !judge().isCertain) throw apiError('journal_emptied');
  }
  const { found, isMatched, lost, told, missing } = judge();
  const counts = { count: found.length, lost, ...journal.open(sandbox).lostAfter(since) };
  const nearMisses = missing ? await listNearMisses(lastOf(missing.others, mostCompared), missing.matcher) : [];
  const shown = isMatched ? [] : lastOf(told, messages.mostInReport);
  const last = { requests: await Array.fromAsync(entriesOf(shown, shownEntry)), total: told.length };
  const head = {
    matched: isMatched,
    message: isMatched ? null : assertion.describe({ sandbox, withinMs, ...counts }, last, nearMisses),
    ...counts,
    near_misses: nearMisses,
  };
  return { head, found };
}

/** What is expected of the requests, and the message if they differ. */
type Assertion = ReturnType<typeof askFor>;

function askFor(match: ExchangeMatch, times: RequestsFind['times'] = { min: 1 }) {
  const range = rangeOf(times);
  const matcher = compileMatch(match);
  return {
    matchers: [matcher] as Parameters<typeof startSearch>[3],
    /**
     * @param seen in the order of arrival
     * @param lost how many dropped requests or bodies may have fitted
     */
    judge(seen: readonly Seen[], lost: number) {
      const found = seen.filter(({ fits }) => fits.length > 0);
      const count = found.length;
      return {
        found,
        isMatched: range.min <= count && count + lost <= range.max,
        isCertain: isCertain(count, lost, range),
        /** The requests that the message shows. */
        told: found.slice(0, messages.mostShown) as readonly Seen[],
        /** If requests are missing: the match to fit, and requests that don't fit it. */
        missing: count < range.min ? { matcher, others: seen.filter(({ fits }) => fits.length === 0) } : undefined,
      };
    },
    describe: (outcome: messages.Outcome, told: messages.Last, nearMisses: readonly NearMiss[]) =>
      messages.describeMismatch(outcome, match, range, told.requests, nearMisses),
  };
}

/**
 * Whether a search may end: too many requests arrived, or the minimum has arrived, even if more may come.
 * With a minimum of 0 and a maximum, the search uses the whole wait: too many may still come.
 */
const isCertain = (count: number, lost: number, { min, max }: Range) =>
  count + lost > max || (count >= min && (min > 0 || max === Infinity));

/** Each match takes the first request that fits and came after the previous match's request. */
function askInOrder(matches: readonly ExchangeMatch[]): Assertion {
  const matchers = matches.map((match) => compileMatch(match));
  return {
    matchers,
    judge(seen) {
      const found: Seen[] = [];
      for (const one of seen) if (one.fits.includes(found.length)) found.push(one);
      const matcher = matchers[found.length];
      const after = found.at(-1)?.startedAt ?? -Infinity;
      const isMatched = matcher === undefined;
      const missing = matcher && { matcher, others: seen.filter(({ startedAt }) => startedAt > after) };
      return { found, isMatched, isCertain: isMatched, told: seen, missing };
    },
    describe: (outcome, last) => messages.describeDisorder(outcome, matches, last),
  };
}

/** @param ids the ids of the requests that are allowed */
function askForOthers(ids: readonly string[]): Assertion {
  const known = new Set(ids.map(numberOf));
  return {
    matchers: [{ fits: ({ number }) => !known.has(number), mayHaveFitted: () => false }],
    judge(seen, lost) {
      const found = seen.filter(({ fits }) => fits.length > 0);
      const isMatched = found.length + lost === 0;
      return { found, isMatched, isCertain: !isMatched, told: found, missing: undefined };
    },
    describe: messages.describeOthers,
  };
}

/** The requests with the fewest differences; among equals, the latest. */
async function listNearMisses(others: readonly Seen[], { findDifferences }: Matcher) {
  const all = await Array.fromAsync(entriesOf(others.toReversed(), (kept) => [kept, findDifferences(kept)] as const));
  const nearest = all.toSorted(([, a], [, b]) => a.length - b.length).slice(0, mostNearMisses);
  return nearest.map(([kept, differs]) => ({ request: shownEntry(kept), differs }));
}
