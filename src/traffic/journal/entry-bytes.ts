// An entry of the journal as bytes, and back: a head, which has room of its own, and its bodies, which may go before it.
import type { ByteLog } from './byte-log.ts';

/** A request with its answer. */
export interface Exchange {
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
  readonly hasToken: boolean;
  /** The user of the token when the request came, as statements return it: see AccessResult. */
  readonly caller: string | null;
  /** Whether no such path is served. */
  readonly unmatched: boolean;
  /** The rule that applied. */
  readonly fault: string | null;
  /** The value of X-Understudy-Hint, and of X-Understudy-Not-Mirrored. */
  readonly hint: string | null;
  readonly notMirrored: string | null;
  /** The first error of the answer, as JSON. */
  readonly error: string | null;
  readonly fromPage: boolean;
  /** See joinHeaders. */
  readonly requestHeaders: string;
  readonly responseHeaders: string;
  /** See keepBody. */
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

export interface KeptEntry extends Exchange {
  /** Ascends in the order of the answers. */
  readonly number: number;
  /** The request had a body, kept or not. */
  readonly hadBody: boolean;
  /** It had bodies, which are null since they were dropped. */
  readonly areBodiesDropped: boolean;
}

export const usernameOf = ({ caller }: Exchange): string | null => caller?.slice(caller.indexOf(' ') + 1) ?? null;

/** Of the headers, these are kept. */
export const requestHeaderNames = ['accept', 'content-type', 'user-agent', 'x-request-id'] as const;
export const responseHeaderNames = [
  'allow',
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

const longestHeader = 1000;
const longestErrors = 100_000;
// No URL, header or username holds it, and JSON escapes it.
const separator = '\0';

/** The values of headers in the order of their names, empty for those that are missing. */
export function joinHeaders<Name extends string>(
  names: readonly Name[],
  get: (name: Name) => string | string[] | number | undefined,
): string {
  let text = '';
  for (const name of names) {
    const value = get(name);
    if (value !== undefined) text += typeof value === 'string' ? value.slice(0, longestHeader) : String(value);
    text += separator;
  }
  return text.slice(0, -1);
}

export function splitHeaders(names: readonly string[], text: string): Record<string, string> {
  const values = text.split(separator);
  return Object.fromEntries(names.flatMap((name, at) => (values[at] ? [[name, values[at]]] : [])));
}

/** The first error of an answer in the documented form, as JSON. */
export function firstErrorIn(body: unknown): string | null {
  try {
    const text = Buffer.isBuffer(body) ? body.toString('utf8', 0, longestErrors) : String(body);
    const { code, detail, attr } = (JSON.parse(text) as { errors: Record<string, unknown>[] }).errors[0] ?? {};
    if (typeof code !== 'string' || typeof detail !== 'string') return null;
    const isField = typeof attr === 'string';
    return JSON.stringify({
      code,
      detail: detail.slice(0, longestHeader),
      attr: isField ? attr.slice(0, longestHeader) : null,
    });
  } catch {
    // A page, or what a fault rule says.
    return null;
  }
}

export const maxBodyLength = 2000;

/** As much of a body as the journal shows, and one character more if it is longer. */
export function keepBody(body: unknown): string | null {
  if (Buffer.isBuffer(body)) return keepBody(body.toString('utf8', 0, 4 * (maxBodyLength + 1)));
  return typeof body !== 'string' || body === '' ? null : body.slice(0, maxBodyLength + 1);
}

// A UTF-16 unit takes three bytes at most.
const longestBodies = 8 + 2 * 3 * (maxBodyLength + 1);
const figuresBytes = 7 * 8;
// Longer than the request line and the headers that Node takes.
const longestHead = figuresBytes + 65_536;

// Nothing waits between the parts of a write or of a read, so one place is enough for each.
const written = { head: Buffer.allocUnsafeSlow(longestHead), bodies: Buffer.allocUnsafeSlow(longestBodies) };
const figures = new Float64Array(written.head.buffer, 0, figuresBytes / 8);
const read = Buffer.allocUnsafeSlow(longestHead);
const readFigures = new Float64Array(read.buffer, 0, figuresBytes / 8);

const flags = { hasToken: 1, unmatched: 2, fromPage: 4, hadBody: 8 };

/** An entry in bytes, until the next one is encoded. */
interface Encoded {
  head: number;
  /** 0 for none. */
  bodies: number;
}
const encoded: Encoded = { head: 0, bodies: 0 };

/** Returns the lengths of its parts. */
export function encode(exchange: Exchange, number: number): Readonly<Encoded> {
  const { method, caller, fault, hint, notMirrored, error, requestHeaders, responseHeaders, path, search } = exchange;
  // The path comes last: one that is too long is cut.
  const text = `${method}\0${caller ?? ''}\0${fault ?? ''}\0${hint ?? ''}\0${notMirrored ?? ''}\0${error ?? ''}\0${requestHeaders}\0${responseHeaders}\0${search}\0${path}`;
  encoded.head = figuresBytes + written.head.write(text, figuresBytes);
  encoded.bodies = writeBodies(exchange);
  figures[0] = encoded.head;
  figures[1] = number;
  figures[3] = exchange.at;
  figures[4] = exchange.startedAt;
  figures[5] = exchange.durationMs;
  figures[6] =
    exchange.status * 16 +
    (exchange.hasToken ? flags.hasToken : 0) +
    (exchange.unmatched ? flags.unmatched : 0) +
    (exchange.fromPage ? flags.fromPage : 0) +
    (exchange.requestBody === null ? 0 : flags.hadBody);
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

/** The length of a head, its number, and the position of its bodies, -1 for none. */
export function measureHead(heads: ByteLog, position: number) {
  heads.read(position, figuresBytes, read);
  const [length = 0, number = 0, bodiesAt = 0] = readFigures;
  return { length, number, bodiesAt };
}

export function measureBodies(bodies: ByteLog, position: number): number {
  bodies.read(position, 8, read);
  return read.readUInt32LE(0);
}

/** The entry whose head is at a position, and the position of the next one. */
export function decode(heads: ByteLog, bodies: ByteLog, position: number): { entry: KeptEntry; next: number } {
  const { length, number, bodiesAt } = measureHead(heads, position);
  const [, , , at = 0, startedAt = 0, durationMs = 0, last = 0] = readFigures;
  heads.read(position, length, read);
  const texts = read.toString('utf8', figuresBytes, length).split(separator);
  const [method = '', caller, fault, hint, notMirrored, error] = texts;
  const responses = 6 + requestHeaderNames.length;
  const rest = responses + responseHeaderNames.length;
  const areKept = bodiesAt >= bodies.start;
  const entry = {
    number,
    at,
    startedAt,
    durationMs,
    method,
    path: texts[rest + 1] ?? '',
    search: texts[rest] ?? '',
    status: Math.floor(last / 16),
    hasToken: (last & flags.hasToken) !== 0,
    caller: caller || null,
    unmatched: (last & flags.unmatched) !== 0,
    fault: fault || null,
    hint: hint || null,
    notMirrored: notMirrored || null,
    error: error || null,
    fromPage: (last & flags.fromPage) !== 0,
    hadBody: (last & flags.hadBody) !== 0,
    areBodiesDropped: bodiesAt !== -1 && !areKept,
    requestHeaders: texts.slice(6, responses).join(separator),
    responseHeaders: texts.slice(responses, rest).join(separator),
    ...(areKept ? readBodies(bodies, bodiesAt) : noBodies),
  };
  return { entry, next: position + length };
}

const noBodies = { requestBody: null, responseBody: null };

function readBodies(bodies: ByteLog, position: number): Pick<KeptEntry, 'requestBody' | 'responseBody'> {
  const end = measureBodies(bodies, position);
  bodies.read(position, end, read);
  const middle = read.readUInt32LE(4);
  return {
    requestBody: read.toString('utf8', 8, middle) || null,
    responseBody: read.toString('utf8', middle, end) || null,
  };
}
