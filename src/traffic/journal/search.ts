// Reads a sandbox's journal for an answer: with the users of the tokens, and what comes near where too little matches.
import type { Handle } from '../../database/prepare.ts';
import { getSandboxId } from '../../sandboxes/sandboxes.ts';
import { listOwners } from '../queries.ts';
import type { Range, RequestsFound } from './find-schemas.ts';
import { shownEntry } from './journal-entries.ts';
import type { Journal, KeptEntry } from './journal.ts';
import type { Candidate, Matcher } from './match.ts';

const mostNearMisses = 3;
const mostDifferences = 20;
/** Only so many of the last requests are compared for near misses. */
const mostCompared = 1000;

/** Oldest first. @throws ApiError 404 for an unknown sandbox */
export async function readJournal(reads: Handle, journal: Journal, name: string): Promise<Candidate[]> {
  // Before the entries are read: a sandbox that is replaced meanwhile has an empty journal.
  const sandbox_id = await getSandboxId(reads, name);
  return withUsers(reads, sandbox_id, journal.list(name));
}

/** @throws ApiError 404 for an unknown sandbox */
export const describeEntries = async (
  reads: Handle,
  name: string,
  entries: readonly KeptEntry[],
): Promise<Candidate[]> => withUsers(reads, await getSandboxId(reads, name), entries);

async function withUsers(reads: Handle, sandbox_id: number, entries: readonly KeptEntry[]): Promise<Candidate[]> {
  const hashes = [...new Set(entries.flatMap(({ tokenHash }) => tokenHash ?? []))];
  const owners = hashes.length === 0 ? [] : await listOwners(reads, { sandbox_id, hashes });
  const usernames = new Map(owners.map(({ hash, username }) => [hash, username]));
  return entries.map((kept) => ({ kept, username: usernames.get(kept.tokenHash ?? '') }));
}

export function find(candidates: readonly Candidate[], matcher: Matcher, { min, max }: Range): RequestsFound {
  const matching = candidates.filter(matcher.fits);
  const count = matching.length;
  return {
    count,
    matched: min <= count && count <= max,
    requests: matching.map(shownEntry),
    near_misses: count < min ? listNearMisses(candidates, matcher) : [],
  };
}

/**
 * Whether further requests, or none, can't change the answer. What has to arrive is waited for until it has: an exact
 * number too, although more may follow. Where nothing has to arrive, a limit is watched to the end.
 */
export const isCertain = ({ count }: RequestsFound, { min, max }: Range): boolean =>
  count > max || (count >= min && (min > 0 || max === Infinity));

/** The closest first; of two that are as close, the later one. */
function listNearMisses(candidates: readonly Candidate[], { compare }: Matcher): RequestsFound['near_misses'] {
  return candidates
    .slice(-mostCompared)
    .toReversed()
    .map((candidate) => ({ candidate, ...compare(candidate) }))
    .filter(({ differs }) => differs.length > 0)
    .toSorted((a, b) => b.nearness - a.nearness)
    .slice(0, mostNearMisses)
    .map(({ candidate, differs }) => ({ request: shownEntry(candidate), differs: differs.slice(0, mostDifferences) }));
}
