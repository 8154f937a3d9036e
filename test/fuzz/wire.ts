// Sends raw bytes and reads the raw answer: an HTTP client library would reject or repair half of them.
import { connect } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Sent in chunks, of which the last is missing. */
  readonly breaksOff?: boolean;
}

export interface Outcome {
  /** Undefined if the connection closed without an answer. */
  readonly answer?: WireAnswer;
  /** The request timed out before the answer was complete. */
  readonly hung: boolean;
  /** The bytes received were no HTTP answer. */
  readonly garbage?: string;
}

export interface SendOptions {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  /** For bytes that may not be a complete request: after this silence we end our side of the connection. */
  readonly endAfterMs?: number;
}

export function sendBytes(bytes: Buffer, { host, port, timeoutMs, endAfterMs }: SendOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, host);
    let hung = false;
    const patience = setTimeout(() => {
      hung = true;
      socket.destroy();
    }, timeoutMs);
    const end = endAfterMs === undefined ? undefined : setTimeout(() => socket.end(), endAfterMs);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The server answered and reset the connection without reading the rest.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      clearTimeout(end);
      resolve({ ...parse(Buffer.concat(chunks)), hung });
    });
  });
}

/** The last answer received: the first may be `100 Continue`, and mutated bytes may hold two requests. */
function parse(bytes: Buffer): Omit<Outcome, 'hung'> {
  if (bytes.length === 0) return {};
  const end = bytes.indexOf('\r\n\r\n');
  const [start = '', ...lines] = bytes.toString('latin1', 0, end === -1 ? bytes.length : end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(start)?.[1];
  if (status === undefined || end === -1) return { garbage: start };
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { garbage: line };
    headers.set(name.toLowerCase(), value);
  }
  const rest = bytes.subarray(end + 4);
  if (status === '100') return parse(rest);
  const body = headers.get('transfer-encoding') === 'chunked' ? joinChunks(rest) : { body: rest };
  return { answer: { status: Number(status), headers, ...body } };
}

function joinChunks(bytes: Buffer): Pick<WireAnswer, 'body' | 'breaksOff'> {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    const length = end === -1 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (length === 0) return { body: Buffer.concat(chunks) };
    at = end + 2 + length + 2;
    if (Number.isNaN(length) || at > bytes.length) return { body: Buffer.concat(chunks), breaksOff: true };
    chunks.push(bytes.subarray(at - 2 - length, at - 2));
  }
}
