// Asks a server for JSON, as gently as it wants to be asked: within its rate limits, again after a passing fault, and never
// another server than the one that was named.
import { setTimeout as sleep } from 'node:timers/promises';

/** The message says what is wrong with the server's answers or the way to it. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  constructor(message: string) {
    // Some of it is the server's words, which must not steer the terminal.
    super(message.replaceAll(/\p{Cc}/gu, '?'));
  }
}

export interface ClientOptions {
  /** As readBaseUrl gives it; it may carry a path. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  /** Told before a wait that people would wonder about. */
  readonly say: (line: string) => void;
  /** How long a passing fault is waited for at first, twice as long each further time; a refusal is given twice as long at least. */
  readonly firstRetryMs?: number;
}

export interface Answer {
  readonly status: number;
  /** Undefined where the body is no JSON. */
  readonly body: unknown;
}

export interface GetOptions {
  /** Without the token, and given up rather than waited for. */
  readonly anonymous?: boolean;
}

export interface ApiClient {
  /** @param url below the base URL, absolute */
  get(url: string, options?: GetOptions): Promise<Answer>;
  /** Absolute, of a path below the base URL. @throws ImportError where it is another server's */
  resolve(pathOrUrl: string): string;
}

interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}
interface Unheard {
  readonly reason: string;
}

const attempts = 6;
// Several requests are under way at once and may take each other's turn, so these are counted over all of them.
const maxRefusals = 20;
const maxWaitSeconds = 24 * 60 * 60;
// Shorter waits need no explanation.
const worthTellingSeconds = 2;
const answerMs = 60_000;
const passing = new Set([502, 503, 504]);

export function makeClient(options: ClientOptions): ApiClient {
  const { baseUrl, token, signal, say, firstRetryMs = 500 } = options;
  const base = new URL(`${baseUrl}/`);
  // Until then the server has said that it takes no request.
  let closedUntilMs = 0;
  let refusalsInARow = 0;

  function resolve(pathOrUrl: string): string {
    const url = new URL(pathOrUrl.replace(/^\//u, ''), base);
    if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname))
      throw new ImportError(`the server's answer leads away, to ${url.origin}${url.pathname}; it is not followed`);
    return url.href;
  }

  async function get(url: string, { anonymous = false }: GetOptions = {}): Promise<Answer> {
    const target = resolve(url);
    for (let attempt = 1; ;) {
      if (!anonymous) await waitForLimit();
      const heard = await send(target, anonymous ? undefined : token);
      if ('headers' in heard && !anonymous && noteLimit(heard, url)) continue;
      if ('headers' in heard && !passing.has(heard.status)) return readAnswer(heard, url);
      const why = 'headers' in heard ? `it answered ${heard.status}` : heard.reason;
      if (attempt >= attempts || anonymous) throw new ImportError(`no answer from ${url}: ${why}`);
      const named = 'headers' in heard ? secondsOf(heard.headers.get('retry-after')) : undefined;
      const seconds = named === undefined ? (firstRetryMs / 1000) * 2 ** (attempt - 1) : checkWait(named, url);
      if (seconds > worthTellingSeconds) say(`no answer from ${url}: ${why}; trying again in ${seconds} s`);
      await sleep(seconds * 1000, undefined, { signal });
      attempt++;
    }
  }

  async function waitForLimit(): Promise<void> {
    const waitMs = closedUntilMs - Date.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal });
  }

  /**
   * Whoever has used up the limit is told so before the next request would be refused.
   * @returns whether this one was
   */
  function noteLimit({ status, headers }: Heard, url: string): boolean {
    const isRefused = status === 429;
    refusalsInARow = isRefused ? refusalsInARow + 1 : 0;
    if (refusalsInARow > maxRefusals)
      throw new ImportError(
        `${url} answered 429 also after the time that the server named; ${maxRefusals} in a row are enough`,
      );
    if (!isRefused && headers.get('x-ratelimit-remaining') !== '0') return false;
    const seconds = secondsOf(headers.get('retry-after')) ?? secondsOf(headers.get('x-ratelimit-reset')) ?? 1;
    const untilMs = Date.now() + Math.max(checkWait(seconds, url) * 1000, isRefused ? firstRetryMs * 2 : 0);
    if (untilMs > closedUntilMs) {
      closedUntilMs = untilMs;
      if (refusalsInARow > 1)
        say(`refused by the rate limit ${refusalsInARow} times in a row; going on in ${seconds} s`);
      else if (seconds > worthTellingSeconds) say(`the server's rate limit is used up; going on in ${seconds} s`);
    }
    return isRefused;
  }

  async function send(url: string, as: string | undefined): Promise<Heard | Unheard> {
    const headers = { accept: 'application/json', ...(as === undefined ? {} : { authorization: `Token ${as}` }) };
    try {
      const giveUp = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
      const response = await fetch(url, { headers, redirect: 'manual', signal: giveUp });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      return { reason: reasonOf(error) };
    }
  }

  return { get, resolve };
}

function checkWait(seconds: number, url: string): number {
  if (seconds <= maxWaitSeconds) return seconds;
  throw new ImportError(`${url}: the server wants to be asked again in ${seconds} s, more than a day`);
}

function readAnswer({ status, headers, text }: Heard, url: string): Answer {
  if (status >= 300 && status < 400)
    throw new ImportError(`${url} leads on to ${headers.get('location')}; give that server's URL instead`);
  try {
    return { status, body: JSON.parse(text) as unknown };
  } catch {
    return { status, body: undefined };
  }
}

// fetch says "fetch failed", and why in its cause.
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || String(Reflect.get(cause, 'code'));
}

const secondsOf = (text: string | null): number | undefined => {
  if (text === null) return undefined;
  if (/^\d+$/u.test(text)) return Number(text);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - Date.now()) / 1000));
};
