// The journal: the last requests of each sandbox, in memory and bounded. It counts what it drops.
import type { Exchange, KeptEntry, StatusCounts } from '../entry.ts';
import { append, ByteLog, type BytePool, createPool, decode, encode, measure } from './entry-bytes.ts';
import { giveWay } from './give-way.ts';

/** Called with an entry after `add`; without one if the journal was emptied, maybe because the sandbox was dropped. */
type Watcher = (added?: KeptEntry, found?: Found) => void;

export type Journal = ReturnType<typeof createJournal>;

/** The bounds of one sandbox's journal. */
const usualBounds = { entries: 5000, headBytes: 5 << 20, bodyBytes: 1 << 20 };
export type JournalBounds = Readonly<typeof usualBounds>;
/** The journal of requests that reach no sandbox: no sandbox has this name. */
export const strays = '';
// Even without entries, a journal keeps some hundred bytes, also if another process dropped its sandbox.
const maxSandboxes = 10_000;

/** An entry's place in the journal, and what is known of it without reading the rest. */
export type Found = ReturnType<typeof measure> & { readonly room: Room };

/** The journal of one sandbox, as others read it. */
export class Room {
  readonly sandbox: string;
  readonly heads: ByteLog;
  readonly bodies: ByteLog;
  entries = 0;
  dropped = 0;
  /** All requests that were dropped had arrived by then. */
  droppedUntil = -Infinity;
  /** Requests that arrived before are ignored. */
  clearedAt = 0;
  lastAt: number | undefined;
  readonly watchers = new Set<Watcher>();
  /** Watchers are told one entry after the other. */
  telling: Promise<void> = Promise.resolve();
  /** Numbers of clients' requests, by the first digit of their status. */
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
    const { heads, bodies } = this;
    const head = measure(heads, heads.start);
    const { length, bodiesAt } = head;
    this.count(head, -1);
    if (bodiesAt >= bodies.start) bodies.dropTo(bodiesAt + measure(bodies, bodiesAt).length);
    heads.dropTo(heads.start + length);
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

  get oldestNumber(): number {
    return this.entries === 0 ? Infinity : measure(this.heads, this.heads.start).number;
  }

  /** In the order of the answers. Leaves out entries that are dropped between two steps, and includes added ones. */
  *found(): Generator<Found> {
    const { heads } = this;
    for (let at = heads.start; at < heads.end;) {
      const head = measure(heads, at);
      yield { room: this, ...head };
      at = Math.max(at + head.length, heads.start);
    }
  }

  /** Undefined if it was dropped. */
  entryAt(position: number): KeptEntry | undefined {
    return position < this.heads.start ? undefined : decode(this.heads, this.bodies, position);
  }

  find(number: number): KeptEntry | undefined {
    for (const found of this.found()) if (found.number === number) return this.entryAt(found.position);
    return undefined;
  }

  /** How many requests it has dropped; 0 if all of them had arrived by `since`. */
  droppedAfter(since = -Infinity) {
    return this.droppedUntil > since ? this.dropped : 0;
  }

  /** How many of the entries that arrived after `since` have lost their bodies. */
  countLostBodies(since = -Infinity) {
    let count = 0;
    for (const { startedAt, bodiesAt } of this.found())
      if (startedAt > since && bodiesAt !== -1 && bodiesAt < this.bodies.start) count++;
    return count;
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

/** @param bytes of all sandboxes together; 0 keeps no journal */
export function createJournal(bytes: number, bounds: JournalBounds = usualBounds) {
  const pool = createPool(bytes);
  const rooms = new Map<string, Room>();
  // The rooms that hold entries; the one that has been silent for longest comes first.
  const filled = new Set<Room>();
  // The last room of each of the two, which stays in place: to delete and add it again for each request would fill V8's
  // space of old objects, whose collection takes 20 ms.
  let [latest, latestFilled]: (Room | undefined)[] = [];
  const arriving = new Set<Promise<unknown>>();
  // Stands for the journal of a sandbox that has none yet.
  const nothing = new Room(pool, '');
  const peek = (sandbox: string) => rooms.get(sandbox) ?? nothing;

  /** The rooms stay in the order of their last use: the longest unused one gives way to another. */
  function roomOf(sandbox: string) {
    const room = rooms.get(sandbox) ?? new Room(pool, sandbox);
    if (room === latest && rooms.has(sandbox)) return room;
    latest = room;
    rooms.delete(sandbox);
    const [oldest] = rooms.keys();
    if (rooms.size >= maxSandboxes && oldest !== undefined) forget(oldest);
    rooms.set(sandbox, room);
    return room;
  }

  /** False if the pool is too small for the entry. */
  function makePlace(room: Room, head: number, bodies: number) {
    while (room.entries > 0 && (room.entries >= bounds.entries || room.heads.size + head > bounds.headBytes))
      room.dropOldest();
    while (room.bodies.size > 0 && room.bodies.size + bodies > bounds.bodyBytes) room.dropOldestBodies();
    while (room.heads.needs(head) + room.bodies.needs(bodies) > pool.left()) {
      const [silent] = filled;
      if (silent === undefined) return false;
      silent.dropOldest();
      if (silent.entries === 0) filled.delete(silent);
    }
    return true;
  }

  function empty(sandbox: string) {
    const room = peek(sandbox);
    room.empty();
    filled.delete(room);
    for (const watcher of room.watchers) watcher();
  }

  function forget(sandbox: string) {
    empty(sandbox);
    rooms.delete(sandbox);
  }

  /** Runs after `add`, whose caller answers a request, because comparing the entry may take long. */
  async function tell(found: Found) {
    await giveWay();
    const added = found.room.entryAt(found.position);
    for (const watcher of added ? found.room.watchers : []) {
      watcher(added, found);
      await giveWay();
    }
  }

  return {
    isKept: bytes > 0,
    usedBytes: pool.usedBytes,
    /** The sandbox must exist. Returns the entry's number; undefined if it isn't kept. */
    add(sandbox: string, exchange: Exchange) {
      const room = roomOf(sandbox);
      if (exchange.startedAt < room.clearedAt) return undefined;
      const number = ++lastNumber;
      const encoded = encode(exchange);
      if (!makePlace(room, encoded.headBytes, encoded.bodyBytes)) {
        room.countDropped(exchange);
        return undefined;
      }
      const { end: position } = room.heads;
      append(room.heads, room.bodies, encoded, number, exchange);
      room.entries++;
      room.count(exchange, 1);
      room.lastAt = exchange.at;
      if (room !== latestFilled || !filled.has(room)) {
        latestFilled = room;
        filled.delete(room);
        filled.add(room);
      }
      // An error here occurs again at the end of the search, which reads what it wasn't told.
      if (room.watchers.size > 0)
        room.telling = room.telling.then(() => tell({ room, ...measure(room.heads, position) })).catch(() => undefined);
      return number;
    },
    /** Readers wait for `work`, which adds an entry later. */
    addLater(work: Promise<void>) {
      const done: Promise<unknown> = work.catch(() => undefined).finally(() => arriving.delete(done));
      arriving.add(done);
    },
    /** Resolves when the journal has every request that was answered before the call. */
    settled: async (): Promise<void> => void (await Promise.all(arriving)),
    /** Whether the sandbox was made, or requested something, since the service was started. */
    knows: (sandbox: string) => rooms.has(sandbox),
    sandboxes: () => [...rooms].flatMap(([name, room]) => (room.entries > 0 ? [name] : [])),
    lastNumber: () => lastNumber,
    /** A sandbox's journal, only to be read. */
    open: peek,
    find: (sandbox: string, number: number): KeptEntry | undefined => peek(sandbox).find(number),
    lastAt: (sandbox: string) => peek(sandbox).lastAt,
    /** Counts the requests of clients that the journal holds. */
    countByStatus: (sandbox: string): StatusCounts =>
      Object.fromEntries(peek(sandbox).counts.map((count, digit) => [`${digit}xx`, count])) as StatusCounts,
    droppedOf: (sandbox: string, since?: number) => ({
      dropped: peek(sandbox).droppedAfter(since),
      dropped_bodies: peek(sandbox).countLostBodies(since),
    }),
    /** Empties the journal, and ignores requests that arrived before but are answered later. */
    clear(sandbox: string) {
      empty(sandbox);
      roomOf(sandbox).clearedAt = performance.now();
    },
    forget,
    /** Returns a function that ends the watch. The caller bounds the number of watchers. */
    watch(sandbox: string, watcher: Watcher): () => void {
      const { watchers } = roomOf(sandbox);
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  };
}

let lastNumber = 0;
