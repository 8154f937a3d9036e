// Rate limits as the real system's: so many requests in a window that slides, for a user or for an address (transcripts
// ratelimit__*). Counted in this process: several services have a count each.
import { apiError } from '../base/errors.ts';

export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

const windows: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** `100/day`, or `off`, which is undefined. The configuration has checked the form. */
function readRateLimit(text: string): RateLimit | undefined {
  const [requests, window = ''] = text.split('/');
  const seconds = windows[window];
  return seconds === undefined ? undefined : { requests: Number(requests), windowMs: seconds * 1000 };
}

type Headers = Readonly<Record<string, string>>;

export interface RateLimiter {
  /** Takes one request of `key`, or with 0 none: the headers to answer with, or 429 once there are too many. */
  (key: string, count?: 0 | 1): Headers;
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

export function createRateLimiter(
  { requests, windowMs }: RateLimit,
  now: () => number = () => performance.now(),
): RateLimiter {
  const all = new Map<string, Window>();
  const apartMs = requests <= maxMoments ? 0 : windowMs / maxMoments;

  const take = (key: string, count: 0 | 1 = 1): Headers => {
    const at = now();
    const window = all.get(key) ?? { times: [], counts: [], total: 0 };
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

// Tokens whose users are remembered at most.
const maxTokens = 10_000;

interface Caller {
  readonly sandbox: string;
  readonly tokenHash: Buffer | null;
}

export type Limits = ReturnType<typeof createLimits>;

/** Each sandbox has counts of its own, of addresses and of users. */
export function createLimits(limits: { readonly anonymous: string; readonly user: string }) {
  const limiter = (text: string): RateLimiter | undefined => {
    const limit = readRateLimit(text);
    return limit && createRateLimiter(limit);
  };
  const [anonymous, user] = [limiter(limits.anonymous), limiter(limits.user)];
  const users = new Map<string, number | null>();
  /** To be called when a sandbox is filled again or deleted. */
  const forget = (sandbox: string): void => {
    anonymous?.forget(sandbox);
    user?.forget(sandbox);
    forgetIn(users, sandbox);
  };
  return {
    /** Undefined for no limit. */
    anonymous,
    /** Undefined for no limit. */
    user,
    /**
     * The caller's user, looked up once for each token, so that a throttled request costs no round trip. Only the count
     * depends on it; the request's own statement checks the token.
     */
    async userOf<C extends Caller>(call: C, find: (call: C) => Promise<number | null>): Promise<number | null> {
      const token = `${call.sandbox} ${call.tokenHash?.toString('latin1')}`;
      const known = users.get(token);
      if (known !== undefined) return known;
      const found = await find(call);
      users.set(token, found);
      if (users.size > maxTokens) users.delete(users.keys().next().value as string);
      return found;
    },
    forget,
  };
}
