// Reads a sandbox's journal for an answer: with the users of the tokens, and other requests where too few match.
import { setImmediate } from 'node:timers/promises';
import type { Handle } from '../../database/prepare.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import { listOwners } from '../queries.ts';
import type { Difference } from './compare-body.ts';
import type { NearMiss, Range, RequestsFound } from './find-schemas.ts';
import { shownEntry } from './journal-entries.ts';
import type { Journal, KeptEntry } from './journal.ts';
import type { Candidate, Matcher } from './match.ts';

const mostNearMisses = 5;

/** Oldest first. @throws ApiError 404 for an unknown sandbox */
export async function readJournal(reads: Handle, journal: Journal, name: string): Promise<Candidate[]> {
  // Before the entries are read: a sandbox that is replaced meanwhile has an empty journal.
  const sandbox_id = await getSandboxId(reads, name);
  return withUsers(reads, sandbox_id, journal.list(name));
}

async function withUsers(reads: Handle, sandbox_id: number, entries: readonly KeptEntry[]): Promise<Candidate[]> {
  const hashes = [...new Set(entries.flatMap(({ tokenHash }) => tokenHash ?? []))];
  const owners = hashes.length === 0 ? [] : await listOwners(reads, { sandbox_id, hashes });
  const usernames = new Map(owners.map(({ hash, username }) => [hash, username]));
  return entries.map((kept) => ({ kept, username: usernames.get(kept.tokenHash ?? '') }));
}

interface Search {
  readonly reads: Handle;
  readonly journal: Journal;
  readonly sandbox: string;
  readonly matcher: Matcher;
}

interface Found {
  readonly candidates: readonly Candidate[];
  /** Those of the candidates that match. */
  readonly matching: readonly Candidate[];
}

// Searches take turns, with other work between them: many that waited may end at the same moment.
let lastTurn: Promise<void> = Promise.resolve();
const nextTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => setImmediate()));

/** @throws ApiError 404 for an unknown sandbox */
export async function find({ reads, journal, sandbox, matcher }: Search): Promise<Found> {
  const candidates = await readJournal(reads, journal, sandbox);
  await nextTurn();
  return { candidates, matching: candidates.filter(matcher.fits) };
}

/**
 * Counts on from what was found: whether the entries that arrive make the answer certain. Each entry is compared once,
 * however many follow it. @throws ApiError 404 for an unknown sandbox
 */
export function countOn({ reads, journal, sandbox, matcher }: Search, { matching }: Found, range: Range) {
  const counted = new Set(matching.map(({ kept }) => kept.number));

  /** @param entries those for which `mayFit` is true */
  return async (entries: readonly KeptEntry[]): Promise<boolean> => {
    const fitting = matcher.needsUser
      ? (await withUsers(reads, await getSandboxId(reads, sandbox), entries))
          .filter(matcher.fits)
          .map(({ kept }) => kept)
      : entries;
    for (const { number } of fitting) counted.add(number);
    if (!isCertain(counted.size, range)) return false;
    // Those that the journal has dropped don't count.
    const kept = new Set(journal.list(sandbox).map(({ number }) => number));
    for (const number of counted) if (!kept.has(number)) counted.delete(number);
    return isCertain(counted.size, range);
  };
}

export function answerFound(found: Found, matcher: Matcher, { min, max }: Range): RequestsFound {
  const count = found.matching.length;
  return {
    count,
    matched: min <= count && count <= max,
    requests: found.matching.map(shownEntry),
    near_misses: count < min ? listNearMisses(found, matcher) : [],
  };
}

/**
 * Whether further requests, or none, can't change the answer. What has to arrive is waited for until it has: an exact
 * number too, although more may follow. Where nothing has to arrive, a limit is watched to the end.
 */
export const isCertain = (count: number, { min, max }: Range): boolean =>
  count > max || (count >= min && (min > 0 || max === Infinity));

/** Those of the same path first, then the latest. */
function listNearMisses({ candidates, matching }: Found, { isPath, findDifference }: Matcher): NearMiss[] {
  const matches = new Set(matching);
  return candidates
    .filter((candidate) => !matches.has(candidate))
    .toReversed()
    .map((candidate) => ({ candidate, isOfPath: isPath(candidate.kept) }))
    .toSorted((a, b) => Number(b.isOfPath) - Number(a.isOfPath))
    .slice(0, mostNearMisses)
    .map(({ candidate }) => ({ request: shownEntry(candidate), differs: findDifference(candidate) as Difference }));
}
