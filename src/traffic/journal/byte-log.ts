// Bytes of the journal: first in, first out, in chunks of one pool. The garbage collector doesn't see them. As
// objects, entries would outlive its first passes and be expensive to remove later (docs/decisions/0027).

const chunkBytes = 4096;

export type BytePool = ReturnType<typeof createPool>;

/** It takes memory as it needs it, and keeps it. */
export function createPool(bytes: number) {
  const mostChunks = Math.floor(bytes / chunkBytes);
  const free: Buffer[] = [];
  let made = 0;
  return {
    left: (): number => mostChunks - made + free.length,
    usedBytes: (): number => (made - free.length) * chunkBytes,
    take(): Buffer {
      const chunk = free.pop();
      if (chunk !== undefined) return chunk;
      made++;
      return Buffer.allocUnsafeSlow(chunkBytes);
    },
    giveBack: (chunk: Buffer): void => void free.push(chunk),
  };
}

export class ByteLog {
  readonly #pool: BytePool;
  readonly #chunks: Buffer[] = [];
  /** Positions only ascend: one before `start` was dropped. */
  start = 0;
  end = 0;

  constructor(pool: BytePool) {
    this.#pool = pool;
  }

  get size(): number {
    return this.end - this.start;
  }

  /** How many chunks it has to take to append so many bytes. */
  needs(length: number): number {
    return Math.ceil((this.end + length) / chunkBytes) - Math.ceil(this.end / chunkBytes);
  }

  append(from: Buffer, length: number): void {
    for (let done = 0; done < length;) {
      const at = this.end % chunkBytes;
      if (at === 0) this.#chunks.push(this.#pool.take());
      const count = Math.min(chunkBytes - at, length - done);
      from.copy(this.#chunks.at(-1) as Buffer, at, done, done + count);
      done += count;
      this.end += count;
    }
  }

  /** Copies bytes from a position that is still there. */
  read(position: number, into: Buffer, length: number): void {
    const first = Math.floor(this.start / chunkBytes);
    for (let done = 0; done < length;) {
      const at = (position + done) % chunkBytes;
      const chunk = this.#chunks[Math.floor((position + done) / chunkBytes) - first] as Buffer;
      const count = Math.min(chunkBytes - at, length - done);
      chunk.copy(into, done, at, at + count);
      done += count;
    }
  }

  dropTo(position: number): void {
    // An empty log holds no chunk.
    if (position === this.end) this.end = position = Math.ceil(position / chunkBytes) * chunkBytes;
    const unused = Math.floor(position / chunkBytes) - Math.floor(this.start / chunkBytes);
    for (let n = 0; n < unused; n++) this.#pool.giveBack(this.#chunks.shift() as Buffer);
    this.start = position;
  }
}
