// Sends one recorded request as it stands. Nothing is added but Host, Connection and Content-Length: some answers depend on
// whether an Accept or a Content-Type was sent, and on the path's bytes.
import http from 'node:http';
import https from 'node:https';
import { fillBaseUrl } from './placeholder.ts';
import type { Json } from './raw-json.ts';
import { isRawNumber, mapStrings } from './raw-json.ts';
import type { Tokens } from './tokens.ts';
import { fillTokens, getToken } from './tokens.ts';
import type { TranscriptRequest } from './transcript.ts';

export interface Received {
  status: number;
  /** Lower-case names; a header that was sent on several lines has several values. */
  headers: Record<string, string[] | undefined>;
  body: string;
}

export interface Target {
  /** As readBaseUrl gives it. */
  baseUrl: string;
  tokens: Tokens;
  signal?: AbortSignal | undefined;
  /** How long the server may be silent; default 30,000. */
  timeoutMs?: number | undefined;
}

/** Nobody answers at the base URL at all. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}
/** The server took the request and gave no answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** Throws UnreachableError, NoAnswerError, or what the signal was aborted with. */
export async function send(request: TranscriptRequest, target: Target): Promise<Received> {
  const { baseUrl, tokens, signal, timeoutMs = 30_000 } = target;
  const url = new URL(baseUrl);
  const { type, bytes } = encodeBody(request, (text) => fillBaseUrl(text, baseUrl));
  const headers: Record<string, string | number> = {};
  if (request.as !== undefined) headers['authorization'] = `Token ${getToken(tokens, request.as)}`;
  if (type !== undefined) headers['content-type'] = type;
  if (bytes !== undefined) headers['content-length'] = bytes.length;
  for (const [name, value] of Object.entries(request.headers ?? {}))
    headers[name.toLowerCase()] = fillTokens(fillBaseUrl(value, baseUrl), tokens);

  const path = (url.pathname === '/' ? '' : url.pathname) + request.path;
  // A connection a request: none is taken up that the server, or a reset between scenarios, has closed meanwhile.
  const options = {
    method: request.method,
    path,
    headers,
    agent: false,
    timeout: timeoutMs,
    ...(signal ? { signal } : {}),
  };
  const outgoing = (url.protocol === 'https:' ? https : http).request(url, options);
  return receive(outgoing, bytes, {
    timeoutMs,
    connectedOn: url.protocol === 'https:' ? 'secureConnect' : 'connect',
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}

function receive(
  outgoing: http.ClientRequest,
  bytes: Buffer | undefined,
  { timeoutMs, connectedOn }: { timeoutMs: number; connectedOn: string },
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  let connected = false;
  const fail = (error: NodeJS.ErrnoException) => {
    const reason = error.code ?? error.message;
    reject(connected ? new NoAnswerError(reason, { cause: error }) : new UnreachableError(reason, { cause: error }));
  };
  outgoing.on('socket', (socket) => socket.once(connectedOn, () => (connected = true)));
  outgoing.on('timeout', () => outgoing.destroy(new Error(`nothing within ${timeoutMs} ms`)));
  outgoing.on('error', fail);
  outgoing.on('response', (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', fail);
    incoming.on('end', () =>
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headersDistinct,
        body: Buffer.concat(chunks).toString('utf8'),
      }),
    );
  });
  outgoing.end(bytes);
  return promise;
}

function encodeBody(request: TranscriptRequest, fill: (text: string) => string): { type?: string; bytes?: Buffer } {
  if (request.json !== undefined)
    return { type: 'application/json', bytes: Buffer.from(JSON.stringify(mapStrings(request.json, fill))) };
  if (request.form !== undefined) {
    const fields = Object.entries(request.form).map(([name, value]) => [name, fill(formText(value))]);
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(new URLSearchParams(fields).toString()) };
  }
  if (request.multipart !== undefined) return encodeMultipart(mapStrings(request.multipart, fill));
  return request.raw === undefined ? {} : { bytes: Buffer.from(fill(request.raw)) };
}

function formText(value: Json): string {
  if (typeof value === 'string') return value;
  return isRawNumber(value) ? value.rawJSON : JSON.stringify(value);
}

function encodeMultipart(fields: Record<string, string>): { type: string; bytes: Buffer } {
  let boundary = 'understudy-transcript';
  while (Object.values(fields).some((value) => value.includes(boundary))) boundary += '-';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoteName(name)}"\r\n\r\n${value}\r\n`,
  );
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  };
}

function quoteName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
