// Reads a sandbox's journal, for lists and for searches, which may wait for requests.
import { validationError } from '../../base/errors.ts';
import type { Handle } from '../../database/prepare.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import { type KeptEntry, numberOf } from '../entry.ts';
import type { Matcher } from '../match.ts';
import { giveWay } from './give-way.ts';
import { type Found, type Journal, strays } from './journal.ts';
import { noSandbox, unknownId } from './journal-schemas.ts';

/** To be awaited before a journal is read. @throws ApiError 404 for an unknown sandbox */
export async function whenReadable(reads: Handle, journal: Journal, sandbox: string) {
  if (sandbox !== strays) await getSandboxId(reads, sandbox);
  await journal.settled();
}

/**
 * When the request with the id arrived. -Infinity without an id, and for an entry that was dropped:
 * then all entries are later.
 * @throws ApiError 400 if these journals can't have had the entry
 */
export function readSince(journal: Journal, sandboxes: readonly string[], id?: string) {
  if (id === undefined) return -Infinity;
  const number = numberOf(id) ?? Infinity;
  for (const sandbox of sandboxes) {
    const kept = journal.open(sandbox).find(number);
    if (kept !== undefined) return kept.startedAt;
  }
  // A journal drops its oldest entries first: a missing number above the oldest was never in it.
  const [only] = sandboxes;
  const oldest = only !== undefined && sandboxes.length === 1 ? journal.open(only).oldestNumber : Infinity;
  if (number > Math.min(journal.lastNumber(), oldest)) throw validationError([unknownId('since')]);
  return -Infinity;
}

/** Finds requests later than the request `id`, numbered above `after`, in the order of arrival. */
export async function findIn(journal: Journal, names: readonly string[], matcher: Matcher, id?: string, after = 0) {
  const since = readSince(journal, names, id);
  const matching: Found[] = [];
  const fits = ({ journal: own, position }: Found) => {
    const kept = own.entryAt(position);
    return kept !== undefined && matcher.fits(kept);
  };
  const head = { dropped: 0, dropped_bodies: 0 };
  for (const name of names) {
    for (const found of journal.open(name).found()) {
      await giveWay();
      const isLater = found.number > after && found.startedAt > since;
      if (isLater && (matcher.isAny || fits(found))) matching.push(found);
    }
    const { dropped, dropped_bodies: bodies } = journal.open(name).lostAfter(since);
    head.dropped += dropped;
    head.dropped_bodies += bodies;
  }
  return { head, found: matching.toSorted((a, b) => a.startedAt - b.startedAt) };
}

/** A search of all sandboxes reads only this many of their last requests. */
export const mostOfAll = 5000;

/** Searches the requests of all sandboxes, or of `chosen`, which may be `noSandbox`. */
export function findInAll(journal: Journal, matcher: Matcher, chosen?: string, id?: string) {
  const names = chosen === undefined ? journal.sandboxes() : [chosen === noSandbox ? strays : chosen];
  return findIn(journal, names, matcher, id, journal.lastNumber() - mostOfAll);
}

/** Reads the entries one by one, except those dropped since they were found. */
export async function* entriesOf<T>(found: readonly Found[], show: (kept: KeptEntry, found: Found) => T) {
  for (const one of found) {
    await giveWay();
    const kept = one.journal.entryAt(one.position);
    if (kept !== undefined) yield show(kept, one);
  }
}

/** What a search keeps of an entry. */
export interface Seen extends Found {
  /** The indexes of the matchers that the entry fits. */
  readonly fits: readonly number[];
  /** Whether the entry may have fitted a matcher before its body was dropped. */
  readonly isUnclear: boolean;
}

/** Reads the journal once, and after that only new entries. */
export function startSearch(
  journal: Journal,
  sandbox: string,
  since: number,
  matchers: readonly Pick<Matcher, 'fits' | 'mayHaveFitted'>[],
) {
  let seen: Seen[] = [];
  let last = 0;

  const isNew = ({ number, startedAt }: Found) => number > last && startedAt > since;

  /** Notes an entry, and returns whether it may change the verdict. */
  function take(kept: KeptEntry, found: Found) {
    if (!isNew(found)) return false;
    const fits = matchers.flatMap((matcher, index) => (matcher.fits(kept) ? [index] : []));
    const isUnclear = matchers.some((matcher) => matcher.mayHaveFitted(kept));
    const before = seen.findLastIndex(({ startedAt }) => startedAt <= found.startedAt);
    seen.splice(before + 1, 0, { ...found, fits, isUnclear });
    last = found.number;
    return fits.length > 0;
  }

  function* takeNew() {
    for (const found of journal.open(sandbox).found()) {
      const kept = isNew(found) ? found.journal.entryAt(found.position) : undefined;
      if (kept !== undefined) yield take(kept, found);
    }
  }

  return {
    take,
    /** Takes the entries of the journal that the search hasn't seen. */
    readNew: async () => {
      await giveWay();
      for (const _taken of takeNew()) await giveWay();
    },
    /** As `readNew`, but at once: for what came since `readNew` last paused. */
    readLatest: () => void Array.from(takeNew()),
    /** The seen entries that the journal still holds, and how many requests can't be compared any more. */
    review: () => {
      const own = journal.open(sandbox);
      const oldest = own.oldestNumber;
      seen = seen.filter(({ number }) => number >= oldest);
      return { seen, lost: own.droppedAfter(since) + seen.filter(({ isUnclear }) => isUnclear).length };
    },
  };
}
