// Searches a sandbox's journal: what matches, whether it is as expected, and other requests where too few match.
import type { Handle } from '../../database/prepare.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import type { Difference } from './compare-body.ts';
import type { KeptEntry } from './entry-bytes.ts';
import type { NearMiss, Range, RequestsFound } from './find-schemas.ts';
import { type JournalQuery, matchOf, shownDropped, shownEntry } from './journal-entries.ts';
import { type Journal, strays } from './journal.ts';
import { compileMatch, type Matcher } from './match.ts';

const mostNearMisses = 5;

/** To be awaited before a journal is read. @throws ApiError 404 for an unknown sandbox */
export async function whenReadable(reads: Handle, journal: Journal, sandbox: string): Promise<void> {
  if (sandbox !== strays) await getSandboxId(reads, sandbox);
  await journal.settled();
}

/** Those that fit a list's filters, oldest first, and how many there are in all. */
export function view(journal: Journal, sandbox: string, filters: JournalQuery) {
  const all = journal.list(sandbox);
  return {
    fitting: all.filter(compileMatch(matchOf(filters)).fits),
    held: all.length,
    ...shownDropped(journal, sandbox),
  };
}

interface Search {
  readonly journal: Journal;
  readonly sandbox: string;
  readonly matcher: Matcher;
}

interface Found {
  readonly all: readonly KeptEntry[];
  /** Those of them that match. */
  readonly matching: readonly KeptEntry[];
  /** How many may have matched that can't be compared any more. */
  readonly lost: number;
}

export function find({ journal, sandbox, matcher }: Search): Found {
  const all = journal.list(sandbox);
  const withoutBodies = all.filter(matcher.mayHaveFitted).length;
  const lost = journal.droppedOf(sandbox).dropped + withoutBodies;
  return { all, matching: all.filter(matcher.fits), lost };
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
    ...shownDropped(journal, sandbox),
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

/** Those of the same path first, then the latest. */
function listNearMisses({ all, matching }: Found, { isPath, findDifference }: Matcher): NearMiss[] {
  const matches = new Set(matching);
  return all
    .filter((kept) => !matches.has(kept))
    .toReversed()
    .map((kept) => ({ kept, isOfPath: isPath(kept) }))
    .toSorted((a, b) => Number(b.isOfPath) - Number(a.isOfPath))
    .slice(0, mostNearMisses)
    .map(({ kept }) => ({ request: shownEntry(kept), differs: findDifference(kept) as Difference }));
}
