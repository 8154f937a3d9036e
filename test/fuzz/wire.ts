// Sends requests, odd ones as raw bytes: an HTTP client library would reject or repair half of these.
import { once } from 'node:events';
import { connect } from 'node:net';
import { NoAnswerError, encodeBody, type Received, send, type Target } from '../transcripts/engine/send-request.ts';
import { fillTokens, getToken } from '../transcripts/engine/placeholders.ts';
import type { FuzzRequest } from './requests.ts';

export type Outcome = Received | { readonly missing: string };

/** Time limit for an answer to a complete request. */
const timeoutMs = 20_000;
/** When we end our side of the connection, in case the bytes are no complete request. */
const endAfterMs = 400;

/** @param id the id by which the log names the request */
export async function ask(asked: FuzzRequest, target: Target, id: string): Promise<Outcome> {
  const request = { ...asked.request, headers: { 'X-Request-Id': id, ...asked.request.headers } };
  if (asked.raw !== undefined) return sendBytes(await toBytes({ ...asked, request }, target), target.baseUrl);
  try {
    return await send(request, { ...target, timeoutMs });
  } catch (error) {
    return { missing: error instanceof NoAnswerError ? error.reason : (error as Error).message };
  }
}

async function toBytes({ request, raw }: FuzzRequest, { tokens }: Target): Promise<Buffer> {
  const { method, path, as, headers = {} } = request;
  const { type, bytes } = await encodeBody(request, (text) => text);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(as === undefined ? [] : [`Authorization: Token ${getToken(tokens, as)}`]),
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...(bytes === undefined ? [] : [`Content-Length: ${bytes.length}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${fillTokens(value, tokens)}`),
    ...(raw?.lines ?? []),
    'Connection: close',
  ];
  let whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes ?? Buffer.alloc(0)]);
  for (const { at, cut, insert } of raw?.mutations ?? []) {
    const index = Math.floor((at * whole.length) / 1000);
    whole = Buffer.concat([whole.subarray(0, index), Buffer.from(insert, 'latin1'), whole.subarray(index + cut)]);
  }
  return whole;
}

async function sendBytes(bytes: Buffer, baseUrl: string): Promise<Outcome> {
  const { hostname, port } = new URL(baseUrl);
  const chunks: Buffer[] = [];
  const socket = connect(Number(port), hostname);
  let hasTimedOut = false;
  const patience = setTimeout(() => {
    hasTimedOut = true;
    socket.destroy();
  }, timeoutMs);
  const end = setTimeout(() => socket.end(), endAfterMs);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server may answer and reset the connection without reading the rest.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close').catch(() => undefined);
  clearTimeout(patience);
  clearTimeout(end);
  return hasTimedOut ? { missing: `nothing within ${timeoutMs} ms` } : parse(Buffer.concat(chunks).toString());
}

/** The answer after any `100 Continue`. If the bytes hold two requests, the body has the second answer too. */
function parse(text: string): Outcome {
  if (text === '') return { missing: 'closed' };
  const end = text.indexOf('\r\n\r\n');
  const [start = '', ...lines] = text.slice(0, Math.max(0, end)).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(start)?.[1];
  const pairs = lines.map((line) => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?(.*)$/.exec(line));
  if (status === undefined || pairs.includes(null)) return { missing: `HPE: ${text.slice(0, 200)}` };
  const body = text.slice(end + 4);
  if (status === '100') return parse(body);
  const headers = Object.fromEntries(pairs.map((pair) => [pair?.[1]?.toLowerCase(), [pair?.[2] ?? '']]));
  return { status: Number(status), headers, body };
}
