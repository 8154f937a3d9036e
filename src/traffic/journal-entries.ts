// The journal as it is read: entries in their documented form, and the filters.
import { type KeptEntry, shownBody, withoutTokens } from './journal.ts';
import { maxPatternLength, pathPattern } from './path-pattern.ts';

export interface JournalEntry {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly duration_ms: number;
  /** Whose token it carried; null without one, and where it is nobody's. */
  readonly principal: string | null;
  readonly unmatched: boolean;
  readonly fault: string | null;
  /** At most some 2,000 characters, null where there is none. */
  readonly request_body: string | null;
  readonly response_body: string | null;
}

export const hexHashOf = ({ tokenHash }: KeptEntry): string | undefined =>
  tokenHash === null ? undefined : Buffer.from(tokenHash, 'latin1').toString('hex');

/** @param owners usernames by the hashes of tokens in hex */
export const shownEntry = (kept: KeptEntry, owners: ReadonlyMap<string, string>): JournalEntry => ({
  at: new Date(kept.at).toISOString(),
  method: kept.method,
  path: withoutTokens(kept.path),
  query: withoutTokens(kept.search),
  status: kept.status,
  duration_ms: Math.round(kept.durationMs * 100) / 100,
  principal: owners.get(hexHashOf(kept) ?? '') ?? null,
  unmatched: kept.unmatched,
  fault: kept.fault,
  request_body: shownBody(kept.requestBody),
  response_body: shownBody(kept.responseBody),
});

type Wanted = Readonly<Record<string, string>>;
type Fits = (entry: JournalEntry) => boolean;
const filters: Readonly<Record<string, (wanted: string) => Fits>> = {
  method: (wanted) => {
    const method = wanted.toUpperCase();
    return (entry) => entry.method === method;
  },
  path: (wanted) => {
    const fits = pathPattern(wanted);
    return (entry) => fits(entry.path);
  },
  query: (wanted) => (entry) => entry.query.includes(wanted),
  // `404`, or `4xx`
  status: (wanted) => {
    const digits = wanted.toLowerCase().split('');
    return ({ status }) => digits.every((digit, i) => digit === 'x' || digit === String(status).padStart(3, '0')[i]);
  },
  principal: (wanted) => {
    const name = wanted.toLowerCase();
    return (entry) => entry.principal?.toLowerCase() === name;
  },
  unmatched: (wanted) => (entry) => String(entry.unmatched) === wanted,
  fault: (wanted) => (entry) => entry.fault === wanted,
};

export const filterNames = [...Object.keys(filters), 'limit'];

/** What is wrong with a query, by its key. */
export function findFilterFaults(query: Wanted): [key: string, must: string][] {
  return Object.entries(query).flatMap(([key, value]): [string, string][] => {
    if (value.length > maxPatternLength) return [[key, `have at most ${maxPatternLength} characters`]];
    if (key === 'status' && !/^[0-9x]{3}$/i.test(value)) return [[key, 'be a status such as 404 or 4xx']];
    if (key === 'limit' && !/^\d{1,5}$/.test(value)) return [[key, 'be a number']];
    if (key === 'unmatched' && value !== 'true' && value !== 'false') return [[key, 'be true or false']];
    return [];
  });
}

/** Those that fit every filter; of many the last `limit`. */
export function filterEntries(entries: readonly JournalEntry[], { limit, ...query }: Wanted): JournalEntry[] {
  const wanted = Object.entries(query).flatMap(([key, value]) => filters[key]?.(value) ?? []);
  const fitting = entries.filter((entry) => wanted.every((fits) => fits(entry)));
  return limit === undefined ? fitting : fitting.slice(-Number(limit) || fitting.length);
}
