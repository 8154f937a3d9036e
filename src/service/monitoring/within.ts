import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves to the fallback if the work fails or takes longer. */
export const within = <T, F>(timeoutMs: number, work: Promise<T>, fallback: F): Promise<T | F> =>
  Promise.race([work.catch(() => fallback), sleep(timeoutMs, fallback, { ref: false })]);
