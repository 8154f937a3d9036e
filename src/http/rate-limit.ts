// Rate limits as the real system's: so many requests in a window that slides, for a user or for an address (transcripts
// ratelimit__*). Counted in this process: several workers have a count each.
import { apiError } from './errors.ts';

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

export function createRateLimiter(
  { requests, windowMs }: RateLimit,
  now: () => number = () => performance.now(),
): TakeOne {
  // When each key asked within the window, oldest first.
  const asked = new Map<string, number[]>();

  return (key) => {
    const at = now();
    const times = asked.get(key) ?? [];
    while (times[0] !== undefined && times[0] <= at - windowMs) times.shift();
    const isOver = times.length >= requests;
    if (!isOver) times.push(at);
    asked.delete(key);
    asked.set(key, times);
    if (asked.size > maxKeys) asked.delete(asked.keys().next().value as string);
    const leftMs = windowMs - (at - (times[0] ?? at));
    const headers = {
      'x-ratelimit-limit': String(requests),
      'x-ratelimit-remaining': String(requests - times.length),
      'x-ratelimit-reset': String(Math.floor(leftMs / 1000)),
    };
    if (!isOver) return headers;
    const seconds = String(Math.ceil(leftMs / 1000));
    throw apiError('throttled', seconds, { ...headers, 'retry-after': seconds });
  };
}
