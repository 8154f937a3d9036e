// Reads a sandbox's journal: for lists, and for searches, which may wait for requests to arrive.
import { setImmediate } from 'node:timers/promises';
import { validationError } from '../../base/errors.ts';
import type { Handle } from '../../database/prepare.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import { type KeptEntry, numberOf } from '../entry.ts';
import type { Matcher } from '../match.ts';
import { unknownId } from './expectations.ts';
import { type Journal, pageSize, strays } from './journal.ts';

/** To be awaited before a journal is read. @throws ApiError 404 for an unknown sandbox */
export async function whenReadable(reads: Handle, journal: Journal, sandbox: string): Promise<void> {
  if (sandbox !== strays) await getSandboxId(reads, sandbox);
  await journal.settled();
}

/**
 * When the entry with this id arrived. Before all others if the journal doesn't hold it any more: what it dropped may
 * have arrived later.
 * @throws ApiError 400 if these journals never had it
 */
export function readSince(journal: Journal, sandboxes: readonly string[], id?: string): number {
  if (id === undefined) return -Infinity;
  const number = numberOf(id) ?? Infinity;
  for (const sandbox of sandboxes) {
    const kept = journal.find(sandbox, number);
    if (kept !== undefined) return kept.startedAt;
  }
  // What one journal dropped is older than all that it holds.
  const [only] = sandboxes;
  const oldest = only !== undefined && sandboxes.length === 1 ? journal.oldestNumber(only) : Infinity;
  if (number > Math.min(journal.lastNumber(), oldest)) throw validationError([unknownId('since')]);
  return -Infinity;
}

// Searches take turns, with other work between them: many that waited may end at the same moment, and paths and
// patterns may be long.
let lastTurn: Promise<void> = Promise.resolve();
const nextTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => setImmediate()));

/** @param read see Journal.reader */
async function readOn(read: () => KeptEntry[], take: (kept: KeptEntry) => void): Promise<void> {
  for (let page = read(); ; page = read()) {
    page.forEach(take);
    if (page.length < pageSize) return;
    await nextTurn();
  }
}

// Answers may come in another order.
const byArrival = (a: Pick<KeptEntry, 'startedAt'>, b: Pick<KeptEntry, 'startedAt'>) => a.startedAt - b.startedAt;

/** Those that match, in the order of their arrival. */
export async function find(
  journal: Journal,
  sandbox: string,
  matcher: Matcher,
  isWanted?: Parameters<Journal['reader']>[1],
): Promise<KeptEntry[]> {
  const matching: KeptEntry[] = [];
  await nextTurn();
  await readOn(journal.reader(sandbox, isWanted), (kept) => {
    if (matcher.fits(kept)) matching.push(kept);
  });
  // Others were dropped meanwhile.
  const oldest = journal.oldestNumber(sandbox);
  return matching.filter(({ number }) => number >= oldest).toSorted(byArrival);
}

/** What a search keeps of an entry. The entries themselves would fill the memory while many searches wait. */
export interface Seen {
  readonly number: number;
  readonly startedAt: number;
  /** Which of the matchers it fits. */
  readonly fits: readonly number[];
  /** It may have fitted before its body was dropped. */
  readonly isUnclear: boolean;
}

export interface Question<V extends Verdict = Verdict> {
  readonly matchers: readonly Pick<Matcher, 'fits' | 'mayHaveFitted'>[];
  /**
   * @param seen in the order of arrival
   * @param lost how many more may have fitted
   */
  readonly judge: (seen: readonly Seen[], lost: number) => V;
}

export interface Verdict {
  readonly found: readonly Seen[];
  readonly isMatched: boolean;
  /** Whether further requests, or none, can't change it. */
  readonly isCertain: boolean;
}

interface Searched {
  readonly journal: Journal;
  readonly sandbox: string;
  /** See readSince. */
  readonly since: number;
}

const fitsNone: readonly number[] = [];

/** Reads the journal once, and from then on only what arrives. */
export function startSearch<V extends Verdict>(
  { journal, sandbox, since }: Searched,
  { matchers, judge }: Question<V>,
) {
  let seen: Seen[] = [];
  let last = 0;

  /** Whether it may change the verdict. */
  function take(kept: KeptEntry): boolean {
    const { number, startedAt } = kept;
    if (!isNew(kept)) return false;
    last = number;
    const fits = matchers.flatMap((matcher, index) => (matcher.fits(kept) ? [index] : []));
    const isUnclear = matchers.some((matcher) => matcher.mayHaveFitted(kept));
    const before = seen.findLastIndex((one) => one.startedAt <= startedAt);
    seen.splice(before + 1, 0, { number, startedAt, fits: fits.length > 0 ? fits : fitsNone, isUnclear });
    return fits.length > 0;
  }
  const isNew = ({ number, startedAt }: Pick<Seen, 'number' | 'startedAt'>) => number > last && startedAt > since;

  function review() {
    const oldest = journal.oldestNumber(sandbox);
    seen = seen.filter(({ number }) => number >= oldest);
    const lost = journal.countDropped(sandbox, since) + seen.filter(({ isUnclear }) => isUnclear).length;
    return { ...judge(seen, lost), lost };
  }

  return {
    review,
    /** Takes what the journal holds and the search hasn't seen. */
    readNew: async (): Promise<void> => {
      await nextTurn();
      await readOn(journal.reader(sandbox, isNew), take);
    },
    /** The same of what came since this step of the event loop began. */
    readLatest: (): void => journal.reader(sandbox, isNew)().forEach(take),
    /** Whether what came since makes the verdict certain. */
    isSettledBy: (arrived: KeptEntry): boolean => take(arrived) && review().isCertain,
    /** The entries. Those that were dropped meanwhile are left out. */
    fetch: async (wanted: readonly Seen[]): Promise<KeptEntry[]> => {
      const numbers = new Set(wanted.map(({ number }) => number));
      const entries: KeptEntry[] = [];
      await readOn(
        journal.reader(sandbox, ({ number }) => numbers.has(number)),
        (kept) => void entries.push(kept),
      );
      return entries.toSorted(byArrival);
    },
  };
}
