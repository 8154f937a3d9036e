// The journal: the last requests of each sandbox, in memory and bounded. What it drops it counts.
import { EventEmitter } from 'node:events';
import { type BytePool, ByteLog, createPool } from './byte-log.ts';
import type { Exchange, KeptEntry, StatusCounts } from '../entry.ts';
import { append, decode, encode, measure } from './entry-bytes.ts';

/**
 * Of the journal of one sandbox. Called within `add`, before the response is sent, so it must not take long; and
 * without an entry when the journal was emptied, maybe because the sandbox was dropped.
 */
type Watcher = (added?: KeptEntry) => void;

export type Journal = ReturnType<typeof createJournal>;

/** Of one sandbox. */
const usualBounds = { entries: 5000, headBytes: 5 << 20, bodyBytes: 1 << 20 };
export type JournalBounds = Readonly<typeof usualBounds>;
/** So many entries are read, and compared, without a pause. */
export const pageSize = 200;
/** The journal of requests that reach no sandbox: no sandbox has this name. */
export const strays = '';
// Without entries, each keeps some hundred bytes, even if another process dropped its sandbox.
const maxSandboxes = 10_000;

/** By the figures of an entry, which are read without the rest. */
type IsWanted = (head: Pick<KeptEntry, 'number' | 'startedAt'>) => boolean;

class Room {
  readonly heads: ByteLog;
  readonly bodies: ByteLog;
  entries = 0;
  dropped = 0;
  /** Every one that was dropped had arrived by then. */
  droppedUntil = -Infinity;
  /** Requests that arrived before are ignored. */
  clearedAt = 0;
  lastAt: number | undefined;
  /** Requests of clients, by the first digit of their status. */
  readonly counts = [0, 0, 0, 0, 0, 0];

  constructor(pool: BytePool) {
    this.heads = new ByteLog(pool);
    this.bodies = new ByteLog(pool);
  }

  count({ status, from_page }: Pick<Exchange, 'status' | 'from_page'>, by: 1 | -1): void {
    if (!from_page) this.counts[Math.floor(status / 100)]! += by;
  }

  dropOldest(): void {
    const { heads, bodies } = this;
    const head = measure(heads, heads.start);
    const { length, bodiesAt } = head;
    this.count(head, -1);
    if (bodiesAt >= bodies.start) bodies.dropTo(bodiesAt + measure(bodies, bodiesAt).length);
    heads.dropTo(heads.start + length);
    this.entries--;
    this.countDropped(head);
  }

  countDropped({ startedAt }: Pick<Exchange, 'startedAt'>): void {
    this.dropped++;
    this.droppedUntil = Math.max(this.droppedUntil, startedAt);
  }

  dropOldestBodies(): void {
    const { bodies } = this;
    bodies.dropTo(bodies.start + measure(bodies, bodies.start).length);
  }

  get oldestNumber(): number {
    return this.entries === 0 ? Infinity : measure(this.heads, this.heads.start).number;
  }

  /** Others than the wanted ones aren't decoded. */
  read(from: number, most: number, isWanted: IsWanted): { readonly entries: KeptEntry[]; readonly next: number } {
    const { heads, bodies } = this;
    const entries: KeptEntry[] = [];
    let at = Math.max(from, heads.start);
    while (at < heads.end && entries.length < most) {
      const head = measure(heads, at);
      if (isWanted(head)) entries.push(decode(heads, bodies, at).entry);
      at += head.length;
    }
    return { entries, next: at };
  }

  droppedAfter(since = -Infinity): number {
    return this.droppedUntil > since ? this.dropped : 0;
  }

  /** Of the entries that arrived later, those without their bodies. */
  countLostBodies(since = -Infinity): number {
    const { heads, bodies } = this;
    let count = 0;
    for (let at = heads.start, head; at < heads.end; at += head.length) {
      head = measure(heads, at);
      if (head.startedAt > since && head.bodiesAt !== -1 && head.bodiesAt < bodies.start) count++;
    }
    return count;
  }

  empty(): void {
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
  // Those that hold entries, the longest silent first.
  const filled = new Set<Room>();
  const arriving = new Set<Promise<unknown>>();
  // By the sandboxes' names. Each call has listeners, or a sandbox of the name `error` would make it throw.
  const watchers = new EventEmitter().setMaxListeners(0);
  // In place of a sandbox that has none yet.
  const nothing = new Room(pool);
  const peek = (sandbox: string): Room => rooms.get(sandbox) ?? nothing;

  function roomOf(sandbox: string): Room {
    const known = rooms.get(sandbox);
    if (known !== undefined) return known;
    const [oldest] = rooms.keys();
    if (rooms.size >= maxSandboxes && oldest !== undefined) forget(oldest);
    const room = new Room(pool);
    rooms.set(sandbox, room);
    return room;
  }

  /** False if the pool is too small for the entry. */
  function makePlace(room: Room, head: number, bodies: number): boolean {
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

  function empty(sandbox: string): void {
    const room = rooms.get(sandbox);
    if (room !== undefined) {
      room.empty();
      filled.delete(room);
    }
    if (watchers.listenerCount(sandbox) > 0) watchers.emit(sandbox);
  }

  function forget(sandbox: string): void {
    empty(sandbox);
    rooms.delete(sandbox);
  }

  return {
    isKept: bytes > 0,
    usedBytes: pool.usedBytes,
    /** The sandbox must exist. Returns the entry's number; undefined if it isn't kept. */
    add(sandbox: string, exchange: Exchange): number | undefined {
      const room = roomOf(sandbox);
      if (exchange.startedAt < room.clearedAt) return undefined;
      const number = ++lastNumber;
      const encoded = encode(exchange);
      if (!makePlace(room, encoded.headBytes, encoded.bodyBytes)) {
        room.countDropped(exchange);
        return undefined;
      }
      const at = room.heads.end;
      append(room.heads, room.bodies, encoded, number, exchange);
      room.entries++;
      room.count(exchange, 1);
      room.lastAt = exchange.at;
      filled.delete(room);
      filled.add(room);
      if (watchers.listenerCount(sandbox) > 0) watchers.emit(sandbox, decode(room.heads, room.bodies, at).entry);
      return number;
    },
    /** Readers wait for what adds an entry later. */
    addLater(work: Promise<void>): void {
      const done: Promise<unknown> = work.catch(() => undefined).finally(() => arriving.delete(done));
      arriving.add(done);
    },
    /** Resolves once it has every request that was answered before. */
    settled: async (): Promise<void> => void (await Promise.all(arriving)),
    /** Whether the sandbox was made, or requested something, since the service was started. */
    knows: (sandbox: string): boolean => rooms.has(sandbox),
    sandboxes: (): string[] => [...rooms].flatMap(([name, room]) => (room.entries > 0 ? [name] : [])),
    lastNumber: (): number => lastNumber,
    /** Returns a function that reads on, in the order of the answers: fewer than `pageSize` are the last ones by now. */
    reader(sandbox: string, isWanted: IsWanted = () => true): () => KeptEntry[] {
      const room = peek(sandbox);
      let at = 0;
      return () => {
        const { entries, next } = room.read(at, pageSize, isWanted);
        at = next;
        return entries;
      };
    },
    find: (sandbox: string, number: number): KeptEntry | undefined =>
      peek(sandbox).read(0, 1, (head) => head.number === number).entries[0],
    lastAt: (sandbox: string): number | undefined => peek(sandbox).lastAt,
    /** Of the requests of clients that it holds. */
    countByStatus: (sandbox: string): StatusCounts =>
      Object.fromEntries(peek(sandbox).counts.map((count, digit) => [`${digit}xx`, count])) as StatusCounts,
    oldestNumber: (sandbox: string): number => peek(sandbox).oldestNumber,
    /** How many it has dropped; none if all of them had arrived by `since`. */
    countDropped: (sandbox: string, since?: number): number => peek(sandbox).droppedAfter(since),
    droppedOf: (sandbox: string, since?: number) => ({
      dropped: peek(sandbox).droppedAfter(since),
      dropped_bodies: peek(sandbox).countLostBodies(since),
    }),
    /** Empties it, and ignores requests that arrived before but are answered later. */
    clear(sandbox: string): void {
      empty(sandbox);
      roomOf(sandbox).clearedAt = performance.now();
    },
    forget,
    /** Returns a function that ends it. The caller bounds the number of watchers. */
    watch(sandbox: string, watcher: Watcher): () => void {
      watchers.on(sandbox, watcher);
      return () => void watchers.off(sandbox, watcher);
    },
  };
}

let lastNumber = 0;
