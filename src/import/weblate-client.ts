// A client of the API that reads JSON within the server's rate limits, retries after transient faults, and never follows a link to
// another server.
import { setTimeout as sleep } from 'node:timers/promises';

/** The message says what is wrong with the server's responses, or why there are none. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  constructor(message: string) {
    // Some of it comes from the server and must not steer the terminal.
    super(message.replaceAll(/\p{Cc}/gu, '?'));
  }
}

export interface ClientOptions {
  /** As readBaseUrl returns it; it may carry a path. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  /** Called before a wait that a user would wonder about. */
  readonly say: (line: string) => void;
  /** The wait before the first retry, doubled for each further one; after a 429 at least twice as long. */
  readonly firstRetryMs?: number;
}

export interface Answer {
  readonly status: number;
  /** Undefined where the body is no JSON. */
  readonly body: unknown;
}

export interface ApiClient {
  /**
   * @param url below the base URL, absolute
   * @param options anonymous: without the token, and not retried
   */
  get(url: string, options?: { readonly anonymous?: boolean }): Promise<Answer>;
  /** The absolute URL of a path below the base URL. @throws ImportError where it is another server's */
  resolve(pathOrUrl: string): string;
}

interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const attempts = 6;
// Counted over all requests: those that run at once may take each other's turn.
const maxRefusals = 20;
const maxWaitSeconds = 24 * 60 * 60;
// Shorter waits need no explanation.
const explainedSeconds = 2;
const responseMs = 60_000;
const transientStatuses = new Set([502, 503, 504]);

export function makeClient({ baseUrl, token, signal, say, firstRetryMs = 500 }: ClientOptions): ApiClient {
  const base = new URL(`${baseUrl}/`);
  // The server's limit allows no request before.
  let closedUntilMs = 0;
  let refusalsInARow = 0;

  function resolve(pathOrUrl: string): string {
    const url = new URL(pathOrUrl.replace(/^\//u, ''), base);
    if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname))
      throw new ImportError(`the server's answer leads away, to ${url.origin}${url.pathname}; it is not followed`);
    return url.href;
  }

  async function get(url: string, { anonymous = false } = {}): Promise<Answer> {
    const target = resolve(url);
    for (let attempt = 1; ;) {
      if (!anonymous) await sleep(Math.max(0, closedUntilMs - Date.now()), undefined, { signal });
      // A text says why there is no reply.
      const reply = await send(target, anonymous ? undefined : token);
      const isReply = typeof reply !== 'string';
      if (isReply && !anonymous && noteLimit(reply, url)) continue;
      if (isReply && !transientStatuses.has(reply.status)) return readAnswer(reply, url);
      const why = isReply ? `it answered ${reply.status}` : reply;
      if (attempt >= attempts || anonymous) throw new ImportError(`no answer from ${url}: ${why}`);
      const named = isReply ? readSeconds(reply.headers.get('retry-after')) : undefined;
      const seconds = named === undefined ? (firstRetryMs / 1000) * 2 ** (attempt - 1) : checkWait(named, url);
      if (seconds > explainedSeconds) say(`no answer from ${url}: ${why}; trying again in ${seconds} s`);
      await sleep(seconds * 1000, undefined, { signal });
      attempt++;
    }
  }

  /** Takes the limit from each response, before a request would be refused. Returns whether this one was. */
  function noteLimit({ status, headers }: HttpReply, url: string): boolean {
    const isRefused = status === 429;
    refusalsInARow = isRefused ? refusalsInARow + 1 : 0;
    if (refusalsInARow > maxRefusals)
      throw new ImportError(
        `${url} answered 429 also after the time that the server named; ${maxRefusals} in a row are enough`,
      );
    if (!isRefused && headers.get('x-ratelimit-remaining') !== '0') return false;
    const seconds = readSeconds(headers.get('retry-after')) ?? readSeconds(headers.get('x-ratelimit-reset')) ?? 1;
    const untilMs = Date.now() + Math.max(checkWait(seconds, url) * 1000, isRefused ? firstRetryMs * 2 : 0);
    if (untilMs > closedUntilMs) {
      closedUntilMs = untilMs;
      if (refusalsInARow > 1)
        say(`refused by the rate limit ${refusalsInARow} times in a row; going on in ${seconds} s`);
      else if (seconds > explainedSeconds) say(`the server's rate limit is used up; going on in ${seconds} s`);
    }
    return isRefused;
  }

  async function send(url: string, as: string | undefined): Promise<HttpReply | string> {
    const headers = { accept: 'application/json', ...(as === undefined ? {} : { authorization: `Token ${as}` }) };
    try {
      const giveUp = AbortSignal.any([signal, AbortSignal.timeout(responseMs)]);
      const response = await fetch(url, { headers, redirect: 'manual', signal: giveUp });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      // fetch says "fetch failed", and why in its cause.
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause);
    }
  }

  return { get, resolve };
}

function checkWait(seconds: number, url: string): number {
  if (seconds <= maxWaitSeconds) return seconds;
  throw new ImportError(`${url}: the server wants to be asked again in ${seconds} s, more than a day`);
}

function readAnswer({ status, headers, text }: HttpReply, url: string): Answer {
  if (status >= 300 && status < 400)
    throw new ImportError(`${url} leads on to ${headers.get('location')}; give that server's URL instead`);
  try {
    return { status, body: JSON.parse(text) as unknown };
  } catch {
    return { status, body: undefined };
  }
}

function readSeconds(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/u.test(text)) return Number(text);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - Date.now()) / 1000));
}
