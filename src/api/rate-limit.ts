// Rate limits as the real system's: so many requests in a window that slides, for a user or for an address (transcripts
// ratelimit__*). Counted in this process: several services have a count each.
import type { Call } from './call.ts';
import { apiError } from '../errors.ts';

export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

const windows: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** `100/day`, or `off`, which is undefined. The configuration has checked the form. */
export function readRateLimit(text: string): RateLimit | undefined {
  const [requests, window = ''] = text.split('/');
  const seconds = windows[window];
  return seconds === undefined ? undefined : { requests: Number(requests), windowMs: seconds * 1000 };
}

type Headers = Readonly<Record<string, string>>;

/** Takes one request of `key`: the headers to answer with, or 429. */
export type TakeOne = (key: string) => Headers;

// A key costs memory for as long as its window lasts. Beyond so many the one longest unseen is forgotten.
const maxKeys = 50_000;
// So much memory does a key take, whatever the limit: up to so many requests it is exact, beyond by that part of the window.
const maxMoments = 60;

/** The requests of a key within the window, oldest first: when, and how many then. */
interface Asked {
  readonly times: number[];
  readonly counts: number[];
  total: number;
}

export function createRateLimiter(
  { requests, windowMs }: RateLimit,
  now: () => number = () => performance.now(),
): TakeOne {
  const all = new Map<string, Asked>();
  const apartMs = requests <= maxMoments ? 0 : windowMs / maxMoments;

  return (key) => {
    const at = now();
    const asked = all.get(key) ?? { times: [], counts: [], total: 0 };
    const { times, counts } = asked;
    while (times[0] !== undefined && times[0] <= at - windowMs) {
      times.shift();
      asked.total -= counts.shift() as number;
    }
    const isOver = asked.total >= requests;
    if (!isOver) {
      const last = times.length - 1;
      if (at - (times[last] ?? -Infinity) < apartMs) counts[last] = (counts[last] as number) + 1;
      else {
        times.push(at);
        counts.push(1);
      }
      asked.total++;
    }
    all.delete(key);
    all.set(key, asked);
    if (all.size > maxKeys) all.delete(all.keys().next().value as string);
    const leftMs = windowMs - (at - (times[0] ?? at));
    const headers = {
      'x-ratelimit-limit': String(requests),
      'x-ratelimit-remaining': String(requests - asked.total),
      'x-ratelimit-reset': String(Math.floor(leftMs / 1000)),
    };
    if (!isOver) return headers;
    const seconds = String(Math.ceil(leftMs / 1000));
    throw apiError('throttled', seconds, { ...headers, 'retry-after': seconds });
  };
}

// Tokens whose users are remembered.
const maxTokens = 10_000;

/**
 * Whose count a request is of: asked for once for each token, so that a throttled one costs no round trip. Only the count depends on it;
 * whether the token is still good the request's own statement finds out.
 */
export function rememberUsers(find: (call: Call) => Promise<number | null>): (call: Call) => Promise<string> {
  const users = new Map<string, string>();
  return async (call) => {
    const token = `${call.sandbox} ${call.credentials?.tokenHash.toString('latin1')}`;
    let user = users.get(token);
    if (user === undefined) {
      // A sandbox's users have counts of their own, like all of a sandbox.
      user = `${call.sandbox} ${await find(call)}`;
      users.set(token, user);
      if (users.size > maxTokens) users.delete(users.keys().next().value as string);
    }
    return user;
  };
}
