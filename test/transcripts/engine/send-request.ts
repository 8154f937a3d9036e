// Sends one recorded request unchanged: some answers depend on Accept, Content-Type, and the path's bytes.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { UserError } from '../../../src/base/failure.ts';
import { fillBaseUrl, fillTokens, getToken, type Tokens } from './placeholders.ts';
import { mapStrings } from './raw-json.ts';
import type { TranscriptRequest } from './transcript.ts';

export interface Received {
  status: number;
  /** Lower-case names; a header that was sent on several lines has several values. */
  headers: Record<string, string[] | undefined>;
  body: string;
}

export interface Target {
  /** Without a final slash. */
  baseUrl: string;
  tokens: Tokens;
  signal?: AbortSignal | undefined;
  /** Keeps connections open. Only for a server that doesn't close them between two requests. */
  agent?: http.Agent | undefined;
  /** The longest silence of the server; default 30,000. */
  timeoutMs?: number | undefined;
}

/** No server accepts connections at the base URL. */
export class UnreachableError extends UserError {
  override readonly name = 'UnreachableError';
  constructor(baseUrl: string, reason: string) {
    super(`${baseUrl} is not reachable (${reason})`);
  }
}
/** The server accepted the connection and sent no answer, or half of one. */
export class NoAnswerError extends UserError {
  override readonly name = 'NoAnswerError';
  readonly reason: string;
  constructor(baseUrl: string, reason: string) {
    super(`${baseUrl} took a request and gave no answer, or no whole one (${reason})`);
    this.reason = reason;
  }
}

/** Throws UnreachableError, NoAnswerError, or the signal's reason. */
export async function send(request: TranscriptRequest, target: Target): Promise<Received> {
  const { baseUrl, tokens, signal, timeoutMs = 30_000 } = target;
  const url = new URL(baseUrl);
  const { type, bytes } = await encodeBody(request, (text) => fillBaseUrl(text, baseUrl));
  const headers: Record<string, string | number> = {};
  if (request.as !== undefined) headers['authorization'] = `Token ${getToken(tokens, request.as)}`;
  if (type !== undefined) headers['content-type'] = type;
  if (bytes !== undefined) headers['content-length'] = bytes.length;
  for (const [name, value] of Object.entries(request.headers ?? {}))
    headers[name.toLowerCase()] = fillTokens(fillBaseUrl(value, baseUrl), tokens);

  const isSecure = url.protocol === 'https:';
  const outgoing = (isSecure ? https : http).request(url, {
    method: request.method,
    path: (url.pathname === '/' ? '' : url.pathname) + request.path,
    headers,
    // Without an agent, each request has its own connection: a kept one may have been closed meanwhile.
    agent: target.agent ?? false,
    timeout: timeoutMs,
    ...(signal ? { signal } : {}),
  });
  let isConnected = false;
  outgoing.on('socket', (socket) => {
    if (outgoing.reusedSocket) isConnected = true;
    else socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true));
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error(`nothing within ${timeoutMs} ms`)));
  const failed = new Promise<never>((_resolve, reject) => outgoing.on('error', reject));
  const answered = once(outgoing, 'response').then(([incoming]) => readAll(incoming as http.IncomingMessage));
  outgoing.end(bytes);
  try {
    return await Promise.race([failed, answered]);
  } catch (error) {
    signal?.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    const Failure = isConnected ? NoAnswerError : UnreachableError;
    throw new Failure(baseUrl, code ?? message);
  }
}

async function readAll(incoming: http.IncomingMessage): Promise<Received> {
  const { statusCode: status = 0, headersDistinct: headers } = incoming;
  return { status, headers, body: (await buffer(incoming)).toString() };
}

export async function encodeBody(request: TranscriptRequest, fill: (text: string) => string) {
  if (request.json !== undefined)
    return { type: 'application/json', bytes: Buffer.from(JSON.stringify(mapStrings(request.json, fill))) };
  if (request.form !== undefined) {
    const fields = Object.entries(request.form).map(([name, value]): [string, string] => [
      name,
      fill(typeof value === 'string' ? value : JSON.stringify(value)),
    ]);
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(new URLSearchParams(fields).toString()) };
  }
  if (request.multipart !== undefined) {
    const form = new FormData();
    for (const [name, value] of Object.entries(request.multipart)) form.append(name, fill(value));
    const encoded = new Response(form);
    return { type: encoded.headers.get('content-type') ?? '', bytes: Buffer.from(await encoded.arrayBuffer()) };
  }
  return { type: undefined, bytes: request.raw === undefined ? undefined : Buffer.from(fill(request.raw)) };
}
