// Rate limits as in Weblate: a number of requests in a sliding window, per user or address (transcripts
// ratelimit__*). Each service counts by itself.
import { readDuration } from '../base/duration.ts';
import { apiError } from '../base/errors.ts';

// The most keys that are kept. A key stands for a user or an address in a sandbox.
const maxKeys = 50_000;
// The most moments of a key, each with its number of requests. Limits up to this number are exact.
// With a higher limit, a moment stands for a sixtieth of the window.
const maxMoments = 60;

export function createRateLimiter(requests: number, windowMs: number) {
  // Least recently used first.
  const all = new Map<string, { readonly time: number; count: number }[]>();
  const apartMs = requests <= maxMoments ? 0 : windowMs / maxMoments;

  /** Counts requests of `key`. Returns response headers, or throws 429 above the limit. */
  return (key: string, count: 0 | 1 = 1, at = performance.now()) => {
    const former = all.get(key) ?? [];
    // If the clock went back, a new window starts.
    const window = (former.at(-1)?.time ?? at) > at ? [] : former.filter(({ time }) => time > at - windowMs);
    const before = window.reduce((sum, moment) => sum + moment.count, 0);
    const isOver = before >= requests;
    const total = isOver ? before : before + count;
    const last = window.at(-1);
    if (last !== undefined && at - last.time < apartMs) last.count += total - before;
    else if (total > before) window.push({ time: at, count });
    all.delete(key);
    all.set(key, window);
    if (all.size > maxKeys) all.delete(all.keys().next().value as string);
    const leftMs = windowMs - (at - (window[0]?.time ?? at));
    const headers = {
      'x-ratelimit-limit': String(requests),
      'x-ratelimit-remaining': String(requests - total),
      'x-ratelimit-reset': String(Math.floor(leftMs / 1000)),
    };
    if (!isOver) return headers;
    const seconds = String(Math.ceil(leftMs / 1000));
    throw apiError('throttled', seconds, { ...headers, 'retry-after': seconds });
  };
}

export type Limits = ReturnType<typeof createLimits>;

export function createLimits(limits: { readonly anonymous: string; readonly user: string }) {
  // A sandbox's keys contain its epoch: a new epoch voids all its counts. The oldest epoch is first.
  const epochs = new Map<string, number>();
  let epoch = 0;
  // `100/day` or `off`, checked by the configuration. The unit's first letter gives the window.
  const limiter = (text: string) => {
    const [requests, window = ''] = text.split('/');
    const windowMs = readDuration(`1${window.charAt(0)}`);
    if (windowMs === undefined) return undefined;
    const take = createRateLimiter(Number(requests), windowMs);
    return (sandbox: string, of: string | number, at: number) => take(`${sandbox} ${epochs.get(sandbox)} ${of}`, 1, at);
  };
  return {
    /** `anonymous` and `user` are undefined without a limit. */
    anonymous: limiter(limits.anonymous),
    user: limiter(limits.user),
    forget: (sandbox: string) => {
      epochs.delete(sandbox);
      epochs.set(sandbox, epoch++);
      if (epochs.size > maxKeys) epochs.delete(epochs.keys().next().value as string);
    },
  };
}
