// The journal as bytes: as objects, entries would outlive the garbage collector's first passes, and be
// expensive to remove later (docs/decisions/0027). A log is first in, first out; all logs share the chunks of
// a pool. An entry is two records: its head, and its bodies, which may be dropped first. Each record begins
// with figures that can be read without the rest.
import { cutText, type Exchange, type KeptEntry, withoutTokens } from '../entry.ts';

const chunkBytes = 4096;

export type BytePool = ReturnType<typeof createPool>;

/** The pool allocates chunks when they are needed, and keeps them. */
export function createPool(bytes: number) {
  const mostChunks = Math.floor(bytes / chunkBytes);
  const free: Buffer[] = [];
  let made = 0;
  return {
    left: () => mostChunks - made + free.length,
    usedBytes: () => (made - free.length) * chunkBytes,
    take() {
      const chunk = free.pop();
      if (chunk !== undefined) return chunk;
      made++;
      return Buffer.allocUnsafeSlow(chunkBytes);
    },
    giveBack: (chunk: Buffer) => void free.push(chunk),
  };
}

export class ByteLog {
  readonly #pool: BytePool;
  readonly #chunks: Buffer[] = [];
  /** Positions only ascend. Records before `start` were dropped. */
  start = 0;
  end = 0;

  constructor(pool: BytePool) {
    this.#pool = pool;
  }

  get size() {
    return this.end - this.start;
  }

  /** How many chunks the log has to take from the pool to append `length` bytes. */
  needs(length: number) {
    return Math.ceil((this.end + length) / chunkBytes) - Math.ceil(this.end / chunkBytes);
  }

  append(from: Buffer, length: number) {
    for (let done = 0; done < length;) {
      const at = this.end % chunkBytes;
      if (at === 0) this.#chunks.push(this.#pool.take());
      const count = Math.min(chunkBytes - at, length - done);
      from.copy(this.#chunks.at(-1) as Buffer, at, done, done + count);
      done += count;
      this.end += count;
    }
  }

  /** Copies bytes from a position that wasn't dropped. */
  read(position: number, into: Buffer, length: number) {
    const first = Math.floor(this.start / chunkBytes);
    for (let done = 0; done < length;) {
      const at = (position + done) % chunkBytes;
      const chunk = this.#chunks[Math.floor((position + done) / chunkBytes) - first] as Buffer;
      const count = Math.min(chunkBytes - at, length - done);
      chunk.copy(into, done, at, at + count);
      done += count;
    }
  }

  dropTo(position: number) {
    // An empty log holds no chunk: the next record begins one.
    if (position === this.end) this.end = position = Math.ceil(position / chunkBytes) * chunkBytes;
    const unused = Math.floor(position / chunkBytes) - Math.floor(this.start / chunkBytes);
    for (let n = 0; n < unused; n++) this.#pool.giveBack(this.#chunks.shift() as Buffer);
    this.start = position;
  }
}

const longestErrors = 100_000;

/** The first error of an answer that lists errors. */
export function firstErrorIn(body: unknown): Exchange['error'] {
  try {
    const text = Buffer.isBuffer(body) ? body.toString('utf8', 0, longestErrors) : String(body);
    const { code, detail, attr } = (JSON.parse(text) as { errors: Record<string, unknown>[] }).errors[0] ?? {};
    if (typeof code !== 'string' || typeof detail !== 'string') return null;
    return { code: cutText(code), detail: cutText(detail), attr: typeof attr === 'string' ? cutText(attr) : null };
  } catch {
    // The body is a page, or is from a fault rule.
    return null;
  }
}

// Buffers for a record that is written or measured: its figures, then its texts. Each is filled and used
// without an await, so one for heads and one for bodies are enough. All texts fit: Node bounds paths and
// headers, and other texts are cut.
const [headRecord, bodyRecord] = [Buffer.allocUnsafeSlow(256 << 10), Buffer.allocUnsafeSlow(32 << 10)];
const figuresOf = (record: Buffer) => new Float64Array(record.buffer, 0, 8);
const [figures, bodyFigures] = [figuresOf(headRecord), figuresOf(bodyRecord)];
const figureBytes = figures.byteLength;

// The values in a head's text, in this order. Keys would double its length.
const keys = [
  'method',
  'path',
  'query',
  'hasToken',
  'caller',
  'request_headers',
  'response_headers',
  'unmatched',
  'fault',
  'hint',
  'not_mirrored',
  'error',
] as const satisfies readonly (keyof Exchange)[];

/** Writes an entry's texts, for `append`. Without bodies, `bodyBytes` is 0. */
export function encode(exchange: Exchange) {
  const { requestBody, responseBody } = exchange;
  const text = JSON.stringify([requestBody !== null, ...keys.map((key) => exchange[key])]);
  const headBytes = figureBytes + headRecord.write(text, figureBytes);
  const sentBytes = bodyRecord.write(requestBody ?? '', figureBytes);
  const bodies = sentBytes + bodyRecord.write(responseBody ?? '', figureBytes + sentBytes);
  return { headBytes, sentBytes, bodyBytes: bodies === 0 ? 0 : figureBytes + bodies };
}

export function append(
  heads: ByteLog,
  bodies: ByteLog,
  { headBytes, sentBytes, bodyBytes }: ReturnType<typeof encode>,
  number: number,
  { status, from_page: fromPage, startedAt, at, durationMs }: Exchange,
) {
  const bodiesAt = bodyBytes === 0 ? -1 : bodies.end;
  figures.set([headBytes, number, bodiesAt, status, Number(fromPage), startedAt, at, durationMs]);
  heads.append(headRecord, headBytes);
  bodyFigures.set([bodyBytes, sentBytes]);
  bodies.append(bodyRecord, bodyBytes);
}

/** A head's figures; `bodiesAt` is -1 without bodies. Of a record of bodies, only `length` is right. */
export function measure(log: ByteLog, position: number) {
  log.read(position, headRecord, figureBytes);
  const [length = 0, number = 0, bodiesAt = 0, status = 0, fromPage = 0, startedAt = 0, at = 0, durationMs = 0] =
    figures;
  return { position, length, number, bodiesAt, status, from_page: fromPage === 1, startedAt, at, durationMs };
}

/** The texts that follow a record's figures. */
function readTexts(log: ByteLog, position: number) {
  const { length } = measure(log, position);
  const record = Buffer.allocUnsafe(length);
  log.read(position, record, length);
  return record.subarray(figureBytes);
}

/** The entry whose head is at a position. */
export function decode(heads: ByteLog, bodies: ByteLog, position: number): KeptEntry {
  const { position: _position, length: _length, bodiesAt, ...figuresOfHead } = measure(heads, position);
  const [hadBody, ...values] = JSON.parse(withoutTokens(readTexts(heads, position).toString())) as [boolean];
  const areKept = bodiesAt >= bodies.start;
  const texts = areKept ? readTexts(bodies, bodiesAt) : Buffer.alloc(0);
  // The request body's length: `figures` was last read from the bodies' record, if there is one.
  const [, middle] = figures;
  return {
    ...(Object.fromEntries(keys.map((key, n) => [key, values[n]])) as unknown as Exchange),
    ...figuresOfHead,
    hadBody,
    areBodiesDropped: bodiesAt !== -1 && !areKept,
    requestBody: texts.toString('utf8', 0, middle) || null,
    responseBody: texts.toString('utf8', middle) || null,
  };
}
