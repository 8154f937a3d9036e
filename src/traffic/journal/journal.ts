// The journal: the last requests of each sandbox, in bounded memory. It counts what it drops.
import type { Exchange, KeptEntry, StatusCounts } from '../entry.ts';
import { append, ByteLog, type BytePool, createPool, decode, encode, measure } from './entry-bytes.ts';
import { giveWay } from './give-way.ts';

/** Called with each added entry, and without one if the journal was emptied. */
type Watcher = (added?: KeptEntry, found?: Found) => void;

export type Journal = ReturnType<typeof createJournal>;

/** The bounds of one sandbox's journal. */
const usualBounds = { entries: 5000, headBytes: 5 << 20, bodyBytes: 1 << 20 };
export type JournalBounds = Readonly<typeof usualBounds>;
/** The name for requests that reach no sandbox. No sandbox has this name. */
export const strays = '';
// Even an empty journal takes memory, and stays if another process drops the sandbox.
const maxSandboxes = 10_000;

/** An entry's place, and what is known without its texts. */
export type Found = ReturnType<typeof measure> & { readonly journal: SandboxJournal };

class SandboxJournal {
  readonly sandbox: string;
  readonly heads: ByteLog;
  readonly bodies: ByteLog;
  entries = 0;
  dropped = 0;
  /** When the latest of the dropped requests arrived. */
  droppedUntil = -Infinity;
  /** Requests that arrived before this time aren't added. */
  clearedAt = 0;
  lastAt: number | undefined;
  readonly watchers = new Set<Watcher>();
  /** Watchers are told of one entry after the other. */
  telling: Promise<void> = Promise.resolve();
  /** Clients' requests in the journal, by the first digit of the status. */
  readonly counts = [0, 0, 0, 0, 0, 0];

  constructor(pool: BytePool, sandbox: string) {
    this.sandbox = sandbox;
    this.heads = new ByteLog(pool);
    this.bodies = new ByteLog(pool);
  }

  count({ status, from_page }: Pick<Exchange, 'status' | 'from_page'>, by: 1 | -1) {
    if (!from_page) this.counts[Math.floor(status / 100)]! += by;
  }

  dropOldest() {
    const head = measure(this.heads, this.heads.start);
    this.count(head, -1);
    if (head.bodiesAt >= this.bodies.start) this.dropOldestBodies();
    this.heads.dropTo(this.heads.start + head.length);
    this.entries--;
    this.countDropped(head);
  }

  countDropped({ startedAt }: Pick<Exchange, 'startedAt'>) {
    this.dropped++;
    this.droppedUntil = Math.max(this.droppedUntil, startedAt);
  }

  dropOldestBodies() {
    const { bodies } = this;
    bodies.dropTo(bodies.start + measure(bodies, bodies.start).length);
  }

  get oldestNumber() {
    return this.entries === 0 ? Infinity : measure(this.heads, this.heads.start).number;
  }

  /** The entries in the order of the answers. Between steps, entries may be dropped or added. */
  *found(): Generator<Found> {
    const { heads } = this;
    for (let at = heads.start; at < heads.end;) {
      const head = measure(heads, at);
      yield { journal: this, ...head };
      at = Math.max(at + head.length, heads.start);
    }
  }

  /** Undefined if the entry was dropped. */
  entryAt(position: number): KeptEntry | undefined {
    return position < this.heads.start ? undefined : decode(this.heads, this.bodies, position);
  }

  find(number: number): KeptEntry | undefined {
    for (const found of this.found()) if (found.number === number) return this.entryAt(found.position);
    return undefined;
  }

  /** How many requests were dropped; 0 if all of these had arrived by `since`. */
  droppedAfter(since = -Infinity) {
    return this.droppedUntil > since ? this.dropped : 0;
  }

  /** As droppedAfter, and how many of the entries that arrived after `since` have lost their bodies. */
  lostAfter(since = -Infinity) {
    let dropped_bodies = 0;
    for (const { startedAt, bodiesAt } of this.found())
      if (startedAt > since && bodiesAt !== -1 && bodiesAt < this.bodies.start) dropped_bodies++;
    return { dropped: this.droppedAfter(since), dropped_bodies };
  }

  countByStatus() {
    return Object.fromEntries(this.counts.map((count, digit) => [`${digit}xx`, count])) as StatusCounts;
  }

  empty() {
    this.heads.dropTo(this.heads.end);
    this.bodies.dropTo(this.bodies.end);
    this.entries = this.dropped = 0;
    this.lastAt = undefined;
    this.droppedUntil = -Infinity;
    this.counts.fill(0);
  }
}

/** @param bytes the size of all sandboxes' journals together; 0 keeps no journal */
export function createJournal(bytes: number, bounds: JournalBounds = usualBounds) {
  const pool = createPool(bytes);
  const journals = new Map<string, SandboxJournal>();
  // The journals that hold entries, in the order of their last entries.
  const filled = new Set<SandboxJournal>();
  // The last journal in `journals`, and the last in `filled`. A new entry in a last journal doesn't
  // move it: deleting and adding a journal at each entry would fill V8's space of old objects, whose
  // collection takes 20 ms.
  let [latest, latestFilled]: (SandboxJournal | undefined)[] = [];
  const arriving = new Set<Promise<unknown>>();
  // An empty journal, read for sandboxes that have none yet.
  const nothing = new SandboxJournal(pool, '');
  const peek = (sandbox: string) => journals.get(sandbox) ?? nothing;

  /** Makes the journal if needed, and moves it to the end. Above the limit, forgets the first. */
  function journalOf(sandbox: string) {
    const journal = journals.get(sandbox) ?? new SandboxJournal(pool, sandbox);
    if (journal === latest && journals.has(sandbox)) return journal;
    latest = journal;
    journals.delete(sandbox);
    const [oldest] = journals.keys();
    if (journals.size >= maxSandboxes && oldest !== undefined) forget(oldest);
    journals.set(sandbox, journal);
    return journal;
  }

  /** False if the pool is too small for the entry. */
  function makePlace(journal: SandboxJournal, head: number, bodies: number) {
    while (journal.entries > 0 && (journal.entries >= bounds.entries || journal.heads.size + head > bounds.headBytes))
      journal.dropOldest();
    while (journal.bodies.size > 0 && journal.bodies.size + bodies > bounds.bodyBytes) journal.dropOldestBodies();
    while (journal.heads.needs(head) + journal.bodies.needs(bodies) > pool.left()) {
      const [silent] = filled;
      if (silent === undefined) return false;
      silent.dropOldest();
      if (silent.entries === 0) filled.delete(silent);
    }
    return true;
  }

  function empty(sandbox: string) {
    const journal = peek(sandbox);
    journal.empty();
    filled.delete(journal);
    for (const watcher of journal.watchers) watcher();
  }

  function forget(sandbox: string) {
    empty(sandbox);
    journals.delete(sandbox);
  }

  /** Not awaited by `add`, whose caller answers a request: the watchers may take long. */
  async function tell(found: Found) {
    const { journal, position } = found;
    await journal.telling;
    await giveWay();
    const added = journal.entryAt(position);
    for (const watcher of added ? journal.watchers : []) {
      watcher(added, found);
      await giveWay();
    }
  }

  return {
    isKept: bytes > 0,
    usedBytes: pool.usedBytes,
    /** The sandbox must exist. Returns the entry's number; undefined if it isn't kept. */
    add(sandbox: string, exchange: Exchange) {
      const journal = journalOf(sandbox);
      if (exchange.startedAt < journal.clearedAt) return undefined;
      const number = ++lastNumber;
      const encoded = encode(exchange);
      if (!makePlace(journal, encoded.headBytes, encoded.bodyBytes)) {
        journal.countDropped(exchange);
        return undefined;
      }
      const { end: position } = journal.heads;
      append(journal.heads, journal.bodies, encoded, number, exchange);
      journal.entries++;
      journal.count(exchange, 1);
      journal.lastAt = exchange.at;
      if (journal !== latestFilled || !filled.has(journal)) {
        latestFilled = journal;
        filled.delete(journal);
        filled.add(journal);
      }
      // Errors are ignored: at its end, a search reads the entries that it wasn't told of.
      if (journal.watchers.size > 0)
        journal.telling = tell({ journal, ...measure(journal.heads, position) }).catch(() => undefined);
      return number;
    },
    /** Readers of the journal wait for `work`, which adds an entry later. */
    addLater(work: Promise<void>) {
      const done: Promise<unknown> = work.catch(() => undefined).finally(() => arriving.delete(done));
      arriving.add(done);
    },
    /** Resolves when the journal has all requests that were answered before the call. */
    settled: async () => void (await Promise.all(arriving)),
    /** Whether this process made the sandbox, or received a request for it. */
    knows: (sandbox: string) => journals.has(sandbox),
    sandboxes: () => [...journals].flatMap(([name, journal]) => (journal.entries > 0 ? [name] : [])),
    lastNumber: () => lastNumber,
    /** A sandbox's journal, only to be read. */
    open: peek,
    /** Empties the journal. Requests that aren't answered yet won't be added. */
    clear(sandbox: string) {
      empty(sandbox);
      journalOf(sandbox).clearedAt = performance.now();
    },
    forget,
    /** Returns a function that ends the watch. The caller bounds the number of watches. */
    watch(sandbox: string, watcher: Watcher): () => void {
      const { watchers } = journalOf(sandbox);
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

let lastNumber = 0;
