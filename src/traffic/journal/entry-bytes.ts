// An entry of the journal as bytes, and back: a head, which has room of its own, and its bodies, which may go before it.
import type { ByteLog } from './byte-log.ts';
import { type Exchange, type KeptEntry, longestHeader, maxBodyLength, parts, withoutTokens } from '../entry.ts';

const longestErrors = 100_000;
// No URL, header or username holds it, and JSON escapes it.
const separator = '\0';

/** The first error of an answer in the documented form, as JSON. */
export function firstErrorIn(body: unknown): string | null {
  try {
    const text = Buffer.isBuffer(body) ? body.toString('utf8', 0, longestErrors) : String(body);
    const { code, detail, attr } = (JSON.parse(text) as { errors: Record<string, unknown>[] }).errors[0] ?? {};
    if (typeof code !== 'string' || typeof detail !== 'string') return null;
    const field = typeof attr === 'string' ? attr.slice(0, longestHeader) : null;
    return JSON.stringify({ code, detail: detail.slice(0, longestHeader), attr: field });
  } catch {
    // A page, or what a fault rule says.
    return null;
  }
}

// A UTF-16 unit takes three bytes at most.
const longestBodies = 8 + 2 * 3 * (maxBodyLength + 1);
// The length of the head, the number, the position of the bodies and the flags, before the other numbers.
const firstNumber = 4;
const figuresBytes = (firstNumber + parts.numbers.length) * 8;
// Longer than the request line and the headers that Node takes.
const longestHead = figuresBytes + 65_536;

// Nothing waits between the parts of a write or of a read, so one place is enough for each.
const written = { head: Buffer.allocUnsafeSlow(longestHead), bodies: Buffer.allocUnsafeSlow(longestBodies) };
const figures = new Float64Array(written.head.buffer, 0, figuresBytes / 8);
const read = Buffer.allocUnsafeSlow(longestHead);
const readFigures = new Float64Array(read.buffer, 0, figuresBytes / 8);

const hadBody = 1 << parts.flags.length;
const texts = [...parts.optional, ...parts.texts] as const;

/** The lengths of an entry's parts, until the next one is encoded; 0 for no bodies. */
const encoded = { head: 0, bodies: 0 };

export function encode(exchange: Exchange, number: number): Readonly<typeof encoded> {
  let text = '';
  for (const name of texts) text += (exchange[name] ?? '') + separator;
  encoded.head = figuresBytes + written.head.write(text, figuresBytes);
  encoded.bodies = writeBodies(exchange);
  figures[0] = encoded.head;
  figures[1] = number;
  let bits = exchange.requestBody === null ? 0 : hadBody;
  parts.flags.forEach((name, bit) => (bits |= exchange[name] ? 1 << bit : 0));
  figures[3] = bits;
  parts.numbers.forEach((name, at) => (figures[firstNumber + at] = exchange[name]));
  return encoded;
}

function writeBodies({ requestBody, responseBody }: Exchange): number {
  if (requestBody === null && responseBody === null) return 0;
  const middle = 8 + (requestBody === null ? 0 : written.bodies.write(requestBody, 8));
  const end = middle + (responseBody === null ? 0 : written.bodies.write(responseBody, middle));
  written.bodies.writeUInt32LE(end, 0);
  written.bodies.writeUInt32LE(middle, 4);
  return end;
}

/** Appends what was encoded last. */
export function append(heads: ByteLog, bodies: ByteLog): void {
  figures[2] = encoded.bodies === 0 ? -1 : bodies.end;
  heads.append(written.head, encoded.head);
  bodies.append(written.bodies, encoded.bodies);
}

const statusAt = firstNumber + parts.numbers.indexOf('status');
const fromPage = 1 << parts.flags.indexOf('from_page');

/** The length of a head, its number, the position of its bodies, -1 for none, and what is counted of it. */
export function measureHead(heads: ByteLog, position: number) {
  heads.read(position, figuresBytes, read);
  const [length = 0, number = 0, bodiesAt = 0, bits = 0] = readFigures;
  return { length, number, bodiesAt, status: readFigures[statusAt] ?? 0, from_page: (bits & fromPage) !== 0 };
}

export function measureBodies(bodies: ByteLog, position: number): number {
  bodies.read(position, 8, read);
  return read.readUInt32LE(0);
}

/** The entry whose head is at a position, and the position of the next one. */
export function decode(heads: ByteLog, bodies: ByteLog, position: number): { entry: KeptEntry; next: number } {
  const { length, number, bodiesAt } = measureHead(heads, position);
  const [, , , bits = 0, ...numbers] = readFigures;
  heads.read(position, length, read);
  const values = withoutTokens(read.toString('utf8', figuresBytes, length)).split(separator);
  const areKept = bodiesAt >= bodies.start;
  const entry: Record<string, unknown> = { number };
  parts.numbers.forEach((name, at) => (entry[name] = numbers[at]));
  parts.flags.forEach((name, bit) => (entry[name] = (bits & (1 << bit)) !== 0));
  texts.forEach((name, at) => (entry[name] = values[at] || (at < parts.optional.length ? null : '')));
  const ofBodies = {
    hadBody: (bits & hadBody) !== 0,
    areBodiesDropped: bodiesAt !== -1 && !areKept,
    ...(areKept ? readBodies(bodies, bodiesAt) : { requestBody: null, responseBody: null }),
  };
  return { entry: Object.assign(entry, ofBodies) as unknown as KeptEntry, next: position + length };
}

function readBodies(bodies: ByteLog, position: number): Pick<KeptEntry, 'requestBody' | 'responseBody'> {
  const end = measureBodies(bodies, position);
  bodies.read(position, end, read);
  const middle = read.readUInt32LE(4);
  return {
    requestBody: read.toString('utf8', 8, middle) || null,
    responseBody: read.toString('utf8', middle, end) || null,
  };
}
