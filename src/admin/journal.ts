// The journal: the last requests of each sandbox, in this process's memory and bounded. Tokens are left out. That of `default` begins
// when somebody first asks for it, for its requests are those that should cost nothing.
import { defaultSandbox } from '../http/reply.ts';
import { pathPattern } from './faults.ts';

export interface JournalEntry {
  readonly at: string;
  readonly method: string;
  /** Under the base, as it was written. */
  readonly path: string;
  readonly query: string;
  /** 0 where the connection was closed instead. */
  readonly status: number;
  readonly duration_ms: number;
  /** Whose token it carried; null without one, and where it is nobody's. */
  readonly principal: string | null;
  /** True where no such path is served. */
  readonly unmatched: boolean;
  /** The rule that struck. */
  readonly fault: string | null;
  /** At most some 2,000 characters, null where there is none. */
  readonly request_body: string | null;
  readonly response_body: string | null;
}

/** As it is kept: the token's hash instead of whose it is, which is looked up when somebody asks. */
export type KeptEntry = Omit<JournalEntry, 'principal'> & { readonly tokenHash: Buffer | null };

export interface Journal {
  isKept(sandbox: string): boolean;
  add(sandbox: string, entry: KeptEntry): void;
  /** Oldest first. From now on the sandbox's journal is kept. */
  list(sandbox: string): readonly KeptEntry[];
  clear(sandbox: string): void;
  /** After the sandbox went. */
  forget(sandbox: string): void;
}

// Beyond so many, or so many characters in all, the one longest unused goes: names come from requests, and memory has a bound.
const maxSandboxes = 100;
const maxCharacters = 16_000_000;
const maxBodyLength = 2000;

/** @param size entries a sandbox; 0 keeps no journal */
export function createJournal(size: number): Journal {
  const all = new Map<string, KeptEntry[]>();
  let characters = 0;

  /** The sandbox's entries, which were used last from now on. */
  function entriesOf(sandbox: string): KeptEntry[] {
    const entries = all.get(sandbox) ?? [];
    all.delete(sandbox);
    all.set(sandbox, entries);
    return entries;
  }

  function drop(entries: readonly KeptEntry[]): void {
    for (const entry of entries) characters -= charactersOf(entry);
  }

  function forget(sandbox: string): void {
    drop(all.get(sandbox) ?? []);
    all.delete(sandbox);
  }

  function makeRoom(keep: string): void {
    for (const name of all.keys()) {
      if (all.size <= maxSandboxes && characters <= maxCharacters) return;
      if (name !== defaultSandbox && name !== keep) forget(name);
    }
  }

  return {
    isKept: (sandbox) => size > 0 && (sandbox !== defaultSandbox || all.has(defaultSandbox)),
    add(sandbox, entry) {
      const entries = entriesOf(sandbox);
      entries.push(entry);
      characters += charactersOf(entry);
      if (entries.length > size) drop(entries.splice(0, 1));
      makeRoom(sandbox);
    },
    list(sandbox) {
      if (size === 0) return [];
      const entries = [...entriesOf(sandbox)];
      makeRoom(sandbox);
      return entries;
    },
    clear: (sandbox) => drop(entriesOf(sandbox).splice(0)),
    forget,
  };
}

const charactersOf = ({ path, query, request_body, response_body }: KeptEntry): number =>
  path.length + query.length + (request_body?.length ?? 0) + (response_body?.length ?? 0);

/** A body as the journal keeps it: text, bounded, without tokens. */
export function bodyText(body: unknown): string | null {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return null;
  if (body.length === 0) return null;
  const text = typeof body === 'string' ? body : body.subarray(0, 4 * maxBodyLength).toString('utf8');
  return withoutTokens(text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text);
}

/** Tokens of the real system's form become `wlu_…`, wherever they stand. */
export const withoutTokens = (text: string): string => text.replaceAll(/wl[up]_[A-Za-z0-9_-]+/g, 'wlu_…');

type Wanted = Readonly<Record<string, string>>;
const filters: Readonly<Record<string, (entry: JournalEntry, wanted: string) => boolean>> = {
  method: (entry, wanted) => entry.method === wanted.toUpperCase(),
  path: (entry, wanted) => pathPattern(wanted).test(entry.path),
  query: (entry, wanted) => entry.query.includes(wanted),
  // `404`, or `4xx`
  status: (entry, wanted) => new RegExp(`^${wanted.toLowerCase().replaceAll('x', '\\d')}$`).test(String(entry.status)),
  principal: (entry, wanted) => entry.principal?.toLowerCase() === wanted.toLowerCase(),
  unmatched: (entry, wanted) => String(entry.unmatched) === wanted,
  fault: (entry, wanted) => entry.fault === wanted,
};

export const filterNames = [...Object.keys(filters), 'limit'];

/** What is wrong with a query, by its key. */
export function findFilterFaults(query: Wanted): [key: string, must: string][] {
  return Object.entries(query).flatMap(([key, value]): [string, string][] => {
    if (key === 'status' && !/^[0-9x]{3}$/i.test(value)) return [[key, 'be a status such as 404 or 4xx']];
    if (key === 'limit' && !/^\d{1,5}$/.test(value)) return [[key, 'be a number']];
    if (key === 'unmatched' && value !== 'true' && value !== 'false') return [[key, 'be true or false']];
    return [];
  });
}

/** Those that fit every filter; of many the last `limit`. */
export function filterEntries(entries: readonly JournalEntry[], { limit, ...query }: Wanted): JournalEntry[] {
  const fitting = entries.filter((entry) =>
    Object.entries(query).every(([key, wanted]) => filters[key]?.(entry, wanted) ?? true),
  );
  return limit === undefined ? fitting : fitting.slice(-Number(limit) || fitting.length);
}
