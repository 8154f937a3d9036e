// Reads a sandbox's journal: for lists, and for searches, which may wait for requests to arrive.
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
 * When the entry with this id arrived; -Infinity if it was dropped, because other dropped ones may have arrived later.
 * @throws ApiError 400 if these journals never had it
 */
export function readSince(journal: Journal, sandboxes: readonly string[], id?: string) {
  if (id === undefined) return -Infinity;
  const number = numberOf(id) ?? Infinity;
  for (const sandbox of sandboxes) {
    const kept = journal.find(sandbox, number);
    if (kept !== undefined) return kept.startedAt;
  }
  // What one journal dropped is older than all that it holds.
  const [only] = sandboxes;
  const oldest = only !== undefined && sandboxes.length === 1 ? journal.open(only).oldestNumber : Infinity;
  if (number > Math.min(journal.lastNumber(), oldest)) throw validationError([unknownId('since')]);
  return -Infinity;
}

/** What matches, in the order of arrival, of requests later than the one with the id and with numbers above `after`. */
export async function findIn(journal: Journal, names: readonly string[], matcher: Matcher, id?: string, after = 0) {
  const since = readSince(journal, names, id);
  const matching: Found[] = [];
  const fits = ({ room, position }: Found) => {
    const kept = room.entryAt(position);
    return kept !== undefined && matcher.fits(kept);
  };
  const head = { dropped: 0, dropped_bodies: 0 };
  for (const name of names) {
    for (const found of journal.open(name).found()) {
      await giveWay();
      const isLater = found.number > after && found.startedAt > since;
      if (isLater && (matcher.isAny || fits(found))) matching.push(found);
    }
    const { dropped, dropped_bodies: bodies } = journal.droppedOf(name, since);
    head.dropped += dropped;
    head.dropped_bodies += bodies;
  }
  return { head, found: matching.toSorted((a, b) => a.startedAt - b.startedAt) };
}

/** How many of the last requests are searched: as many as the journal of one sandbox keeps. */
export const mostOfAll = 5000;

/** Searches the requests of all sandboxes. @param chosen a single sandbox, or `noSandbox` */
export function findInAll(journal: Journal, matcher: Matcher, chosen?: string, id?: string) {
  const names = chosen === undefined ? journal.sandboxes() : [chosen === noSandbox ? strays : chosen];
  return findIn(journal, names, matcher, id, journal.lastNumber() - mostOfAll);
}

/** The entries as they are shown, read one after the other. Those that were dropped meanwhile are left out. */
export async function* entriesOf<T>(found: readonly Found[], show: (kept: KeptEntry, found: Found) => T) {
  for (const one of found) {
    await giveWay();
    const kept = one.room.entryAt(one.position);
    if (kept !== undefined) yield show(kept, one);
  }
}

/** What a search keeps of an entry. */
export interface Seen extends Found {
  /** Which of the matchers it fits. */
  readonly fits: readonly number[];
  /** It may have fitted before its body was dropped. */
  readonly isUnclear: boolean;
}

/** Reads the journal once, and from then on only what arrives. */
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
    last = found.number;
    const fits = matchers.flatMap((matcher, index) => (matcher.fits(kept) ? [index] : []));
    const isUnclear = matchers.some((matcher) => matcher.mayHaveFitted(kept));
    const before = seen.findLastIndex(({ startedAt }) => startedAt <= found.startedAt);
    seen.splice(before + 1, 0, { ...found, fits, isUnclear });
    return fits.length > 0;
  }

  function* takeNew() {
    for (const found of journal.open(sandbox).found()) {
      const kept = isNew(found) ? found.room.entryAt(found.position) : undefined;
      if (kept !== undefined) yield take(kept, found);
    }
  }

  return {
    take,
    /** Takes what the journal holds and the search hasn't seen. */
    readNew: async () => {
      await giveWay();
      for (const _taken of takeNew()) await giveWay();
    },
    /** The same without giving way, for what came since the last pause. */
    readLatest: () => void Array.from(takeNew()),
    /** What it has seen and the journal still holds, in the order of arrival, and how many more may have fitted. */
    review: () => {
      const room = journal.open(sandbox);
      const oldest = room.oldestNumber;
      seen = seen.filter(({ number }) => number >= oldest);
      return { seen, lost: room.droppedAfter(since) + seen.filter(({ isUnclear }) => isUnclear).length };
    },
  };
}
