// Searches a sandbox's journal: what matches, whether it is as expected, and other requests where too few match.
import { setImmediate } from 'node:timers/promises';
import { checkValue } from '../../base/check-value.ts';
import { apiError } from '../../base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { Handle } from '../../database/prepare.ts';
import type { Answer, Call } from '../../http/call.ts';
import { shown } from '../../http/own.ts';
import { readValue } from '../../sandboxes/own-body.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import { type KeptEntry, withTokensRemoved } from '../entry.ts';
import { compileMatch, type Matcher } from '../match.ts';
import { type Difference, type Range, rangeOf } from '../request-match.ts';
import { type NearMiss, RequestsFind, type RequestsFound, shownEntry } from './journal-entries.ts';
import { type Journal, pageSize, strays } from './journal.ts';
import type { Waits } from './waits.ts';

const mostNearMisses = 5;

/** To be awaited before a journal is read. @throws ApiError 404 for an unknown sandbox */
export async function whenReadable(reads: Handle, journal: Journal, sandbox: string): Promise<void> {
  if (sandbox !== strays) await getSandboxId(reads, sandbox);
  await journal.settled();
}

// Searches take turns, with other work between them: many that waited may end at the same moment, and paths and
// patterns may be long.
let lastTurn: Promise<void> = Promise.resolve();
const nextTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => setImmediate()));

/** @param after the number of an entry: older ones are left out */
export async function find(journal: Journal, sandbox: string, matcher: Matcher, after?: number) {
  const readOn = journal.reader(sandbox, after);
  const [matching, others, unclear]: [KeptEntry[], KeptEntry[], KeptEntry[]] = [[], [], []];
  let page: KeptEntry[];
  do {
    await nextTurn();
    page = readOn();
    for (const entry of page) {
      const fits = matcher.fits(entry);
      (fits ? matching : others).push(entry);
      if (!fits && matcher.mayHaveFitted(entry)) unclear.push(entry);
    }
  } while (page.length === pageSize);
  // Others were dropped meanwhile, and count so. Answers may come in another order than requests arrive.
  const oldest = journal.oldestNumber(sandbox);
  const inOrder = (entries: readonly KeptEntry[]): KeptEntry[] =>
    entries.filter(({ number }) => number >= oldest).toSorted((a, b) => a.startedAt - b.startedAt);
  const lost = journal.droppedOf(sandbox).dropped + inOrder(unclear).length;
  return { matching: inOrder(matching), others: inOrder(others), lost, readOn };
}

interface Searched {
  readonly database: Database;
  readonly journal: Journal;
  readonly waitFor: Waits;
}

export async function findRequests(
  call: Call<{ readonly name: string }>,
  { database, journal, waitFor }: Searched,
): Promise<Answer> {
  const { name: sandbox } = call.params;
  const {
    times = { min: 1 },
    within_ms: withinMs = 0,
    ...match
  } = withTokensRemoved(checkValue(RequestsFind, (await readValue(call)) ?? {}));
  if (!journal.isKept) throw apiError('journal_off');
  const range = rangeOf(times);
  const matcher = compileMatch(match);
  const findNow = async () => {
    // Throws 404 if the sandbox was deleted. Before the search: the journal of one that is replaced meanwhile is
    // empty.
    await whenReadable(database.read, journal, sandbox);
    return find(journal, sandbox, matcher);
  };
  let found = await findNow();
  if (withinMs > 0 && !isCertain(found.matching.length, found.lost, range)) {
    const counted = new Set(found.matching.map(({ number }) => number));
    // Counts on, so that each request that arrives is compared once, however many follow it.
    const isEnough = (entry: KeptEntry): boolean => {
      if (!matcher.fits(entry)) return false;
      counted.add(entry.number);
      const oldest = journal.oldestNumber(sandbox);
      for (const number of counted) if (number < oldest) counted.delete(number);
      return isCertain(counted.size, journal.droppedOf(sandbox).dropped, range);
    };
    const wait = { sandbox, withinMs, left: call.idle?.() };
    const isEmptied = !found.readOn().some(isEnough) && (await waitFor(wait, isEnough));
    found = await findNow();
    if (isEmptied && !isCertain(found.matching.length, found.lost, range)) throw apiError('journal_emptied');
  }
  const { matching, others, lost } = found;
  const count = matching.length;
  return shown({
    count,
    lost,
    matched: range.min <= count && count + lost <= range.max,
    ...journal.droppedOf(sandbox),
    requests: matching.map(shownEntry),
    near_misses: count < range.min ? listNearMisses(others, matcher) : [],
  } satisfies RequestsFound);
}

/**
 * Whether further requests, or none, can't change the answer. What has to arrive is waited for until it has: an
 * exact number too, although more may follow. Where nothing has to arrive, a limit is watched to the end.
 */
const isCertain = (count: number, lost: number, { min, max }: Range): boolean =>
  count + lost > max || (count >= min && (min > 0 || max === Infinity));

function listNearMisses(others: readonly KeptEntry[], { isPath, findDifference }: Matcher): NearMiss[] {
  return others
    .slice(-pageSize)
    .toReversed()
    .map((kept) => ({ kept, isOfPath: isPath(kept) }))
    .toSorted((a, b) => Number(b.isOfPath) - Number(a.isOfPath))
    .slice(0, mostNearMisses)
    .map(({ kept }) => ({ request: shownEntry(kept), differs: findDifference(kept) as Difference }));
}
