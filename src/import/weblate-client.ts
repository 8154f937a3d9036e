// A client of the API that reads JSON within the server's rate limits, retries after transient faults, and never
// follows a link to another server.
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
  readonly note: (line: string) => void;
  /** The wait before the first retry, doubled for each further one; after a 429 at least twice as long. */
  readonly firstRetryMs?: number;
}

export type ApiClient = ReturnType<typeof makeClient>;

const attempts = 6;
// Counted over all requests: those that run at once may take each other's turn.
const maxRefusals = 20;
const maxWaitSeconds = 24 * 60 * 60;
// Shorter waits need no explanation.
const explainedSeconds = 2;
const responseMs = 60_000;
/** Instead of a status: no response came, and the text says why. */
const lost = 0;
const transientStatuses = new Set([lost, 502, 503, 504]);

export function makeClient({ baseUrl, token, signal, note, firstRetryMs = 500 }: ClientOptions) {
  const base = new URL(`${baseUrl}/`);
  // The server's limit allows no request before.
  let closedUntilMs = 0;
  let refusalsInARow = 0;

  /**
   * Returns the status, and the body's JSON; undefined where it is none.
   * @param pathOrUrl below the base URL
   * @param options anonymous: without the token, and not retried
   */
  async function get(pathOrUrl: string, { anonymous = false } = {}): Promise<{ status: number; body: unknown }> {
    const { href: url, origin, pathname } = new URL(pathOrUrl.replace(/^\//u, ''), base);
    if (origin !== base.origin || !pathname.startsWith(base.pathname))
      throw new ImportError(`the server's answer leads away, to ${origin}${pathname}; it is not followed`);
    for (let attempt = 1; ;) {
      if (!anonymous) await sleep(Math.max(0, closedUntilMs - Date.now()), undefined, { signal });
      const { status, headers, text } = await send(url, anonymous ? undefined : token);
      if (!anonymous && noteLimit(status, headers, url)) continue;
      if (status >= 300 && status < 400)
        throw new ImportError(`${url} leads on to ${headers.get('location')}; give that server's URL instead`);
      if (!transientStatuses.has(status))
        return { status, body: await new Response(text).json().catch(() => undefined) };
      const why = status === lost ? text : `it answered ${status}`;
      if (attempt >= attempts || anonymous) throw new ImportError(`no answer from ${url}: ${why}`);
      const seconds = readWait(headers.get('retry-after'), url) ?? (firstRetryMs / 1000) * 2 ** (attempt - 1);
      if (seconds > explainedSeconds) note(`no answer from ${url}: ${why}; trying again in ${seconds} s`);
      await sleep(seconds * 1000, undefined, { signal });
      attempt++;
    }
  }

  /** Takes the limit from each response, before a request would be refused. Returns whether this one was. */
  function noteLimit(status: number, headers: Headers, url: string): boolean {
    const isRefused = status === 429;
    if (isRefused) refusalsInARow++;
    else if (status !== lost) refusalsInARow = 0;
    if (refusalsInARow > maxRefusals)
      throw new ImportError(
        `${url} answered 429 also after the time that the server named; ${maxRefusals} in a row are enough`,
      );
    if (!isRefused && headers.get('x-ratelimit-remaining') !== '0') return false;
    const seconds = readWait(headers.get('retry-after'), url) ?? readWait(headers.get('x-ratelimit-reset'), url) ?? 1;
    const untilMs = Date.now() + Math.max(seconds * 1000, isRefused ? firstRetryMs * 2 : 0);
    if (untilMs > closedUntilMs) {
      closedUntilMs = untilMs;
      if (refusalsInARow > 1)
        note(`refused by the rate limit ${refusalsInARow} times in a row; going on in ${seconds} s`);
      else if (seconds > explainedSeconds) note(`the server's rate limit is used up; going on in ${seconds} s`);
    }
    return isRefused;
  }

  async function send(url: string, as: string | undefined) {
    const headers = { accept: 'application/json', ...(as === undefined ? {} : { authorization: `Token ${as}` }) };
    try {
      const giveUp = AbortSignal.any([signal, AbortSignal.timeout(responseMs)]);
      const response = await fetch(url, { headers, redirect: 'manual', signal: giveUp });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      // fetch says "fetch failed", and why in its cause.
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const why = cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause);
      return { status: lost, headers: new Headers(), text: why };
    }
  }

  return { get };
}

/** Reads seconds, or a date. */
function readWait(text: string | null, url: string): number | undefined {
  if (text === null) return undefined;
  const seconds = /^\d+$/u.test(text) ? Number(text) : Math.max(0, Math.ceil((Date.parse(text) - Date.now()) / 1000));
  if (seconds > maxWaitSeconds)
    throw new ImportError(`${url}: the server wants to be asked again in ${seconds} s, more than a day`);
  return Number.isNaN(seconds) ? undefined : seconds;
}
