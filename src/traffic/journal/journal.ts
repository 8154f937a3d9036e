// The journal: the last requests of each sandbox, in memory and bounded. Every request of the mirrored API is added, so
// an entry only keeps what exists already; it is formatted when a client reads it.
import { randomBytes } from 'node:crypto';
import { longestMediaType } from '../../api/wire/media-type.ts';

/** A request with its answer. */
export interface KeptEntry {
  /** Ascends in the order of the answers. The journal sets it. */
  number: number;
  /** The arrival of the request, in milliseconds since 1970; and by the clock of `performance.now()`. */
  readonly at: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly method: string;
  /** Under the base, as it was written. */
  readonly path: string;
  readonly search: string;
  /** 0 where the connection was closed instead. */
  readonly status: number;
  /** SHA-256 of the token, in hex; the user is looked up on reading. Null without a token. */
  readonly tokenHash: string | null;
  /** Whether no such path is served. */
  readonly unmatched: boolean;
  /** The rule that struck. */
  readonly fault: string | null;
  /** See keepBody. */
  readonly requestBody: string | null;
  /** That of a body, unless it is too long to mean anything. */
  readonly contentType: string | null;
  readonly responseBody: string | null;
}

/** Notified of what happens to the journal of one sandbox. */
export interface Watcher {
  readonly added: (entry: KeptEntry) => void;
  /** It was emptied, maybe because the sandbox was dropped. */
  readonly emptied: () => void;
}

export type Journal = ReturnType<typeof createJournal>;

// Beyond so many sandboxes, or so many characters in all, the least recently used sandbox is evicted.
const maxSandboxes = 100;
const maxCharacters = 16_000_000;
export const maxBodyLength = 2000;
// A request that arrived before a clear ends long before so many further ones.
const maxClears = 10_000;

/** @param size entries a sandbox; 0 keeps no journal */
export function createJournal(size: number) {
  const all = new Map<string, KeptEntry[]>();
  const cleared = new Map<string, number>();
  const watchers = new Map<string, Set<Watcher>>();
  let characters = 0;

  function drop(sandbox: string): void {
    for (const entry of all.get(sandbox) ?? []) characters -= charactersOf(entry);
    all.delete(sandbox);
  }

  function notify(sandbox: string, what: (watcher: Watcher) => void): void {
    for (const watcher of watchers.get(sandbox) ?? []) what(watcher);
  }

  return {
    /** False if the journal is switched off. */
    isKept: size > 0,
    /** The sandbox must exist. */
    add(sandbox: string, entry: KeptEntry): void {
      if (entry.startedAt < (cleared.get(sandbox) ?? 0)) return;
      entry.number = ++lastNumber;
      const entries = all.get(sandbox) ?? [];
      entries.push(entry);
      characters += charactersOf(entry);
      // Last in the map: the most recently used.
      all.delete(sandbox);
      all.set(sandbox, entries);
      for (const name of all.keys()) {
        if (all.size <= maxSandboxes && characters <= maxCharacters) break;
        if (name !== sandbox) drop(name);
      }
      while (entries.length > size || characters > maxCharacters) characters -= charactersOf(entries.shift());
      notify(sandbox, (watcher) => watcher.added(entry));
    },
    /** In the order of arrival; answers may come in another. */
    list: (sandbox: string): readonly KeptEntry[] =>
      (all.get(sandbox) ?? []).toSorted((a, b) => a.startedAt - b.startedAt),
    /** Empties it, and ignores requests that arrived before but are answered later. */
    clear(sandbox: string): void {
      drop(sandbox);
      cleared.delete(sandbox);
      cleared.set(sandbox, performance.now());
      if (cleared.size > maxClears) cleared.delete(cleared.keys().next().value as string);
      notify(sandbox, (watcher) => watcher.emptied());
    },
    /** To be called when the sandbox is dropped. */
    forget(sandbox: string): void {
      drop(sandbox);
      cleared.delete(sandbox);
      notify(sandbox, (watcher) => watcher.emptied());
    },
    /** Returns a function that ends it. The caller bounds the number of watchers. */
    watch(sandbox: string, watcher: Watcher): () => void {
      const ofSandbox = watchers.get(sandbox) ?? new Set();
      watchers.set(sandbox, ofSandbox.add(watcher));
      return () => {
        ofSandbox.delete(watcher);
        if (ofSandbox.size === 0) watchers.delete(sandbox);
      };
    },
  };
}

const charactersOf = (entry: KeptEntry | undefined): number =>
  entry === undefined
    ? 0
    : entry.path.length +
      entry.search.length +
      (entry.requestBody?.length ?? 0) +
      (entry.contentType?.length ?? 0) +
      (entry.responseBody?.length ?? 0);

// Numbers begin anew with each process, and several services may stand behind one URL: an id of another one must find nothing.
const run = randomBytes(4).toString('hex');
let lastNumber = 0;

/** What clients know an entry by. */
export const idOf = (number: number): string => `${run}-${number}`;

/** Undefined for what is no id of this process. */
export function numberOf(id: string): number | undefined {
  const [, ofRun, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? [];
  return ofRun === run ? Number(digits) : undefined;
}

const scratch = Buffer.allocUnsafeSlow(4 * (maxBodyLength + 1));

/** As much of a body as the journal shows, and one character more if it is longer. */
export function keepBody(body: unknown): string | null {
  if (Buffer.isBuffer(body)) return keepBody(body.toString('utf8', 0, scratch.length));
  if (typeof body !== 'string' || body === '') return null;
  if (body.length <= maxBodyLength) return body;
  // By way of bytes: a slice would keep the whole body in memory.
  const length = scratch.write(body.slice(0, maxBodyLength + 1));
  return scratch.toString('utf8', 0, length);
}

/** What is kept of a body's Content-Type. */
export const keepType = (contentType: string | undefined): string | null =>
  contentType === undefined || contentType.length > longestMediaType ? null : contentType;

export const shownBody = (kept: string | null): string | null =>
  kept === null ? null : withoutTokens(kept.length > maxBodyLength ? `${kept.slice(0, maxBodyLength)}…` : kept);

/** Replaces every token of Weblate's form by `wlu_…`. */
export const withoutTokens = (text: string): string => text.replaceAll(/wl[up]_[A-Za-z0-9_-]+/g, 'wlu_…');
