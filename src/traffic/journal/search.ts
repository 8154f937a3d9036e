// Searches a sandbox's journal: what matches, whether it is as expected, and other requests where too few match.
import { setImmediate } from 'node:timers/promises';
import type { Handle } from '../../database/prepare.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import type { KeptEntry } from '../entry.ts';
import type { NearMiss, RequestsFound } from './find-schemas.ts';
import type { Difference, Range } from '../request-match.ts';
import { shownEntry } from './journal-entries.ts';
import { type Journal, pageSize, strays } from './journal.ts';
import type { Matcher } from '../match.ts';

const mostNearMisses = 5;

/** To be awaited before a journal is read. @throws ApiError 404 for an unknown sandbox */
export async function whenReadable(reads: Handle, journal: Journal, sandbox: string): Promise<void> {
  if (sandbox !== strays) await getSandboxId(reads, sandbox);
  await journal.settled();
}

interface Search {
  readonly journal: Journal;
  readonly sandbox: string;
  readonly matcher: Matcher;
  /** The number of an entry: older ones are left out. */
  readonly after?: number;
}

type Found = Awaited<ReturnType<typeof find>>;

// Searches take turns, with other work between them: many that waited may end at the same moment, and paths and
// patterns may be long.
let lastTurn: Promise<void> = Promise.resolve();
const nextTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => setImmediate()));

export async function find({ journal, sandbox, matcher, after }: Search) {
  const readOn = journal.reader(sandbox, after);
  const read: KeptEntry[] = [];
  const fitting = new Set<KeptEntry>();
  const unclear = new Set<KeptEntry>();
  let page: KeptEntry[];
  do {
    await nextTurn();
    page = readOn();
    for (const entry of page) {
      read.push(entry);
      if (matcher.fits(entry)) fitting.add(entry);
      else if (matcher.mayHaveFitted(entry)) unclear.add(entry);
    }
  } while (page.length === pageSize);
  // Others were dropped meanwhile, and count so. Answers may come in another order than requests arrive.
  const oldest = journal.oldestNumber(sandbox);
  const all = read.filter(({ number }) => number >= oldest).toSorted((a, b) => a.startedAt - b.startedAt);
  const lost = journal.droppedOf(sandbox).dropped + all.filter((entry) => unclear.has(entry)).length;
  return { all, matching: all.filter((entry) => fitting.has(entry)), lost, readOn };
}

/**
 * Counts on from what was found: whether an entry that arrives makes the answer certain. Each is compared once, however
 * many follow it.
 */
export function countOn({ journal, sandbox, matcher }: Search, { matching }: Found, range: Range) {
  const counted = new Set(matching.map(({ number }) => number));
  return (entry: KeptEntry): boolean => {
    if (!matcher.fits(entry)) return false;
    counted.add(entry.number);
    const oldest = journal.oldestNumber(sandbox);
    for (const number of counted) if (number < oldest) counted.delete(number);
    return isCertain(counted.size, journal.droppedOf(sandbox).dropped, range);
  };
}

export function answerFound({ journal, sandbox, matcher }: Search, found: Found, range: Range): RequestsFound {
  const { matching, lost } = found;
  const count = matching.length;
  return {
    count,
    lost,
    matched: range.min <= count && count + lost <= range.max,
    ...journal.droppedOf(sandbox),
    requests: matching.map(shownEntry),
    near_misses: count < range.min ? listNearMisses(found, matcher) : [],
  };
}

/**
 * Whether further requests, or none, can't change the answer. What has to arrive is waited for until it has: an exact
 * number too, although more may follow. Where nothing has to arrive, a limit is watched to the end.
 */
export const isCertain = (count: number, lost: number, { min, max }: Range): boolean =>
  count + lost > max || (count >= min && (min > 0 || max === Infinity));

function listNearMisses({ all, matching }: Found, { isPath, findDifference }: Matcher): NearMiss[] {
  const matches = new Set(matching);
  return all
    .filter((kept) => !matches.has(kept))
    .slice(-pageSize)
    .toReversed()
    .map((kept) => ({ kept, isOfPath: isPath(kept) }))
    .toSorted((a, b) => Number(b.isOfPath) - Number(a.isOfPath))
    .slice(0, mostNearMisses)
    .map(({ kept }) => ({ request: shownEntry(kept), differs: findDifference(kept) as Difference }));
}
