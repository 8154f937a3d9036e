// Rate limits as the real system's: so many requests in a window that slides, for a user or for an address (transcripts
// ratelimit__*). Counted in this process: several services have a count each.
import { readDuration } from '../base/duration.ts';
import { apiError } from '../base/errors.ts';
import type { TimedCaller } from './permissions.ts';

type Headers = Readonly<Record<string, string>>;

export interface RateLimiter {
  /** Takes one request of `key`, or with 0 none: the headers to answer with, or 429 once there are too many. */
  (key: string, count?: 0 | 1, atMs?: number): Headers;
  /** Forgets the keys of a sandbox, those that begin with its name and a blank. */
  readonly forget: (sandbox: string) => void;
}

// A key takes memory for as long as its window lasts. Beyond this number the least recently used one is forgotten.
const maxKeys = 50_000;
// Bounds a key's memory whatever the limit: up to this number of requests the window is exact, beyond it is precise to
// this fraction.
const maxMoments = 60;

/** The requests of a key, oldest first: when, and how many then. */
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
    // A clock that goes back starts anew.
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

// So soon, counts follow a clock that SQL or another process has set.
const rememberedMs = 10_000;

interface Asked {
  readonly sandbox: string;
  readonly tokenHash: Buffer | null;
}

export type Limits = ReturnType<typeof createLimits>;

/** Each sandbox has counts of its own, of addresses and of users. */
export function createLimits(limits: { readonly anonymous: string; readonly user: string }) {
  // `100/day`, or `off`; the configuration has checked the form. A window begins with the letter of its duration.
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
     * Takes a request from one of the two, at the moment of the sandbox's clock. Caller and clock are remembered for a
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
    /** To be called when a sandbox is filled anew or dropped. */
    forget: (sandbox: string): void => {
      for (const all of [anonymous, user]) all?.forget(sandbox);
      forgetIn(callers, sandbox);
    },
  };
}
