// Rate limits like the real system's: a number of requests in a sliding window, per user or address (transcripts
// ratelimit__*). Each process counts for itself.
import { readDuration } from '../base/duration.ts';
import { apiError } from '../base/errors.ts';
import type { TimedCaller } from './permissions.ts';

type Headers = Readonly<Record<string, string>>;

export interface RateLimiter {
  /** Counts one request of `key`, or with 0 none. Returns the answer's headers; throws 429 for too many. */
  (key: string, count?: 0 | 1, atMs?: number): Headers;
  /** Forgets the keys of a sandbox, those that begin with its name and a blank. */
  readonly forget: (sandbox: string) => void;
}

// A key takes memory for as long as its window lasts. Beyond this number the least recently used one is forgotten.
const maxKeys = 50_000;
// Bounds a key's memory: a limit up to this is counted exactly, a higher one in this many parts of the window.
const maxMoments = 60;

/** A key's requests, oldest first: the time, and how many. */
interface Window {
  readonly times: number[];
  readonly counts: number[];
  total: number;
}

export function createRateLimiter(requests: number, windowMs: number): RateLimiter {
  const all = new Map<string, Window>();
  const apartMs = requests <= maxMoments ? 0 : windowMs / maxMoments;

  const take = (key: string, count: 0 | 1 = 1, at = performance.now()): Headers => {
    let window = all.get(key);
    // A clock that went back: counting restarts.
    if (window === undefined || (window.times.at(-1) ?? at) > at) window = { times: [], counts: [], total: 0 };
    const { times, counts } = window;
    while (times[0] !== undefined && times[0] <= at - windowMs) {
      times.shift();
      window.total -= counts.shift() as number;
    }
    const isOver = window.total >= requests;
    if (!isOver && count === 1) {
      const last = times.length - 1;
      if (at - (times[last] ?? -Infinity) < apartMs) counts[last] = (counts[last] as number) + 1;
      else {
        times.push(at);
        counts.push(1);
      }
      window.total++;
    }
    all.delete(key);
    all.set(key, window);
    if (all.size > maxKeys) all.delete(all.keys().next().value as string);
    const leftMs = windowMs - (at - (times[0] ?? at));
    const headers = {
      'x-ratelimit-limit': String(requests),
      'x-ratelimit-remaining': String(requests - window.total),
      'x-ratelimit-reset': String(Math.floor(leftMs / 1000)),
    };
    if (!isOver) return headers;
    const seconds = String(Math.ceil(leftMs / 1000));
    throw apiError('throttled', seconds, { ...headers, 'retry-after': seconds });
  };
  return Object.assign(take, { forget: (sandbox: string) => forgetIn(all, sandbox) });
}

function forgetIn(all: Map<string, unknown>, sandbox: string): void {
  for (const key of all.keys()) if (key.startsWith(`${sandbox} `)) all.delete(key);
}

// How soon counts follow a clock that SQL or another process has set.
const rememberedMs = 10_000;

interface Asked {
  readonly sandbox: string;
  readonly tokenHash: Buffer | null;
}

export type Limits = ReturnType<typeof createLimits>;

/** Each sandbox has counts of its own, of addresses and of users. */
export function createLimits(limits: { readonly anonymous: string; readonly user: string }) {
  // `100/day`, or `off`; the configuration has checked the form. The unit's first letter gives the window.
  const limiter = (text: string): RateLimiter | undefined => {
    const [requests, window = ''] = text.split('/');
    const windowMs = readDuration(`1${window.charAt(0)}`);
    return windowMs === undefined ? undefined : createRateLimiter(Number(requests), windowMs);
  };
  const [anonymous, user] = [limiter(limits.anonymous), limiter(limits.user)];
  const callers = new Map<string, Promise<TimedCaller>>();
  const remember = (token: string, caller: Promise<TimedCaller>): Promise<TimedCaller> => {
    callers.set(token, caller);
    caller.catch(() => callers.delete(token));
    setTimeout(() => callers.delete(token), rememberedMs).unref();
    return caller;
  };
  return {
    /** Undefined for no limit. */
    anonymous,
    /** Undefined for no limit. */
    user,
    /**
     * Counts a request of the user or the address, by the sandbox's clock. Caller and clock are remembered for a
     * token, so that a throttled request costs no round trip. Only the count depends on them; the request's own statement
     * checks the token.
     */
    async take(limit: RateLimiter, { sandbox, tokenHash }: Asked, address: string, find: () => Promise<TimedCaller>) {
      const token = `${sandbox} ${tokenHash?.toString('latin1')}`;
      const { principal_id, clock } = await (callers.get(token) ?? remember(token, find()));
      return limit(`${sandbox} ${principal_id ?? address}`, 1, clock === null ? Date.now() : Date.parse(clock));
    },
    /** To be called when the clock of a sandbox was set. */
    forgetClock: (sandbox: string): void => forgetIn(callers, sandbox),
    /** To be called when a sandbox is refilled or dropped. */
    forget: (sandbox: string): void => {
      for (const all of [anonymous, user]) all?.forget(sandbox);
      forgetIn(callers, sandbox);
    },
  };
}
