// An entry of the journal as bytes, and back: its head, which is JSON, and its bodies, which may be dropped before
// it. Each is a record that begins with figures, which are read without the rest.
import type { ByteLog } from './byte-log.ts';
import { cutText, type Exchange, type KeptEntry, withoutTokens } from '../entry.ts';

const longestErrors = 100_000;

/** The first error of an answer in the documented form. */
export function firstErrorIn(body: unknown): Exchange['error'] {
  try {
    const text = Buffer.isBuffer(body) ? body.toString('utf8', 0, longestErrors) : String(body);
    const { code, detail, attr } = (JSON.parse(text) as { errors: Record<string, unknown>[] }).errors[0] ?? {};
    if (typeof code !== 'string' || typeof detail !== 'string') return null;
    return { code: cutText(code), detail: cutText(detail), attr: typeof attr === 'string' ? cutText(attr) : null };
  } catch {
    // A page, or what a fault rule says.
    return null;
  }
}

// Nothing waits between a write or a read and its use, so one place is enough.
const figures = new Float64Array(6);
const figureBytes = Buffer.from(figures.buffer);

/** The texts of an entry, and the lengths of its records: 0 if it has no bodies. */
export function encode(exchange: Exchange) {
  const { requestBody, responseBody } = exchange;
  const head = { ...exchange, hadBody: requestBody !== null, requestBody: undefined, responseBody: undefined };
  const json = Buffer.from(JSON.stringify(head));
  const [sent, answered] = [Buffer.from(requestBody ?? ''), Buffer.from(responseBody ?? '')];
  const bodies = sent.length + answered.length;
  return {
    json,
    sent,
    answered,
    headBytes: figureBytes.length + json.length,
    bodyBytes: bodies === 0 ? 0 : figureBytes.length + bodies,
  };
}

export function append(
  heads: ByteLog,
  bodies: ByteLog,
  { json, sent, answered, headBytes, bodyBytes }: ReturnType<typeof encode>,
  number: number,
  { status, from_page: fromPage, startedAt }: Exchange,
): void {
  figures.set([headBytes, number, bodyBytes === 0 ? -1 : bodies.end, status, Number(fromPage), startedAt]);
  heads.append(figureBytes);
  heads.append(json);
  if (bodyBytes === 0) return;
  figures.set([bodyBytes, sent.length]);
  for (const bytes of [figureBytes, sent, answered]) bodies.append(bytes);
}

/** The length of a record. Of a head, its number, the position of its bodies, -1 for none, and what is counted of it. */
export function measure(log: ByteLog, position: number) {
  log.read(position, figureBytes);
  const [length = 0, number = 0, bodiesAt = 0, status = 0, fromPage = 0, startedAt = 0] = figures;
  return { position, length, number, bodiesAt, status, from_page: fromPage === 1, startedAt };
}

/** What follows a record's figures. */
function readRecord(log: ByteLog, position: number): Buffer {
  const record = Buffer.allocUnsafe(measure(log, position).length);
  log.read(position, record);
  return record.subarray(figureBytes.length);
}

/** The entry whose head is at a position. */
export function decode(heads: ByteLog, bodies: ByteLog, position: number): KeptEntry {
  const { number, bodiesAt } = measure(heads, position);
  const head = JSON.parse(withoutTokens(readRecord(heads, position).toString())) as KeptEntry;
  const areKept = bodiesAt >= bodies.start;
  const texts = areKept ? readRecord(bodies, bodiesAt) : Buffer.alloc(0);
  // Where there are bodies, their record was read last: the length of the request's.
  const [, middle] = figures;
  return {
    ...head,
    number,
    areBodiesDropped: bodiesAt !== -1 && !areKept,
    requestBody: texts.toString('utf8', 0, middle) || null,
    responseBody: texts.toString('utf8', middle) || null,
  };
}
