// The journal: the last requests of each sandbox, in this process's memory and bounded. It is kept for every request of the mirrored
// API, so adding one only keeps what is there already; text is made of it when somebody reads.

/** A request with its answer as it is kept. */
export interface KeptEntry {
  /** When the request came, in milliseconds since 1970; and by the clock of `performance.now()`. */
  readonly at: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly method: string;
  /** Under the base, as it was written. */
  readonly path: string;
  readonly search: string;
  /** 0 where the connection was closed instead. */
  readonly status: number;
  /** SHA-256 of the token, a character for each byte: whose it is, is looked up by the reader. Null without a token. */
  readonly tokenHash: string | null;
  /** True where no such path is served. */
  readonly unmatched: boolean;
  /** The rule that struck. */
  readonly fault: string | null;
  /** By keepBody. */
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

export interface Journal {
  /** False where no journal is kept at all. */
  readonly isKept: boolean;
  /** Of a sandbox that exists. */
  add(sandbox: string, entry: KeptEntry): void;
  /** Oldest first. */
  list(sandbox: string): readonly KeptEntry[];
  /** Empties it; what came before this moment and is answered later isn't added either. */
  clear(sandbox: string): void;
  /** After the sandbox went. */
  forget(sandbox: string): void;
}

// Beyond so many, or so many characters in all, the one longest unused goes.
const maxSandboxes = 100;
const maxCharacters = 16_000_000;
const maxBodyLength = 2000;
// A request that came before a clear is over long before so many further ones.
const maxClears = 10_000;

/** @param size entries a sandbox; 0 keeps no journal */
export function createJournal(size: number): Journal {
  const all = new Map<string, KeptEntry[]>();
  const cleared = new Map<string, number>();
  let last = '';
  let characters = 0;

  /** The sandbox's entries, which were used last from now on. */
  function entriesOf(sandbox: string): KeptEntry[] {
    const entries = all.get(sandbox) ?? [];
    if (sandbox === last && all.has(sandbox)) return entries;
    all.delete(sandbox);
    all.set(sandbox, entries);
    last = sandbox;
    return entries;
  }

  function dropOldest(entries: KeptEntry[]): void {
    characters -= charactersOf(entries.shift());
  }

  function drop(sandbox: string): void {
    for (const entry of all.get(sandbox) ?? []) characters -= charactersOf(entry);
    all.delete(sandbox);
  }

  function makeRoom(keep: string): void {
    for (const name of all.keys()) {
      if (all.size <= maxSandboxes && characters <= maxCharacters) return;
      if (name !== keep) drop(name);
    }
  }

  return {
    isKept: size > 0,
    add(sandbox, entry) {
      if (entry.startedAt < (cleared.get(sandbox) ?? 0)) return;
      const entries = entriesOf(sandbox);
      entries.push(entry);
      characters += charactersOf(entry);
      makeRoom(sandbox);
      while (entries.length > size || characters > maxCharacters) dropOldest(entries);
    },
    list: (sandbox) => [...(all.get(sandbox) ?? [])],
    clear(sandbox) {
      drop(sandbox);
      cleared.delete(sandbox);
      cleared.set(sandbox, performance.now());
      if (cleared.size > maxClears) cleared.delete(cleared.keys().next().value as string);
    },
    forget(sandbox) {
      drop(sandbox);
      cleared.delete(sandbox);
    },
  };
}

const charactersOf = (entry: KeptEntry | undefined): number =>
  entry === undefined
    ? 0
    : entry.path.length + entry.search.length + (entry.requestBody?.length ?? 0) + (entry.responseBody?.length ?? 0);

const scratch = Buffer.allocUnsafeSlow(4 * (maxBodyLength + 1));

/** As much of a body as the journal keeps, and one character more of one that is longer. */
export function keepBody(body: unknown): string | null {
  if (Buffer.isBuffer(body)) return keepBody(body.toString('utf8', 0, scratch.length));
  if (typeof body !== 'string' || body === '') return null;
  if (body.length <= maxBodyLength) return body;
  // By way of bytes, for a mere slice would keep the whole body in memory.
  const length = scratch.write(body.slice(0, maxBodyLength + 1));
  return scratch.toString('utf8', 0, length);
}

/** A kept body as it is shown. */
export const shownBody = (kept: string | null): string | null =>
  kept === null ? null : withoutTokens(kept.length > maxBodyLength ? `${kept.slice(0, maxBodyLength)}…` : kept);

/** Tokens of the real system's form become `wlu_…`, wherever they stand. */
export const withoutTokens = (text: string): string => text.replaceAll(/wl[up]_[A-Za-z0-9_-]+/g, 'wlu_…');
