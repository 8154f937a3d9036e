// Requests that stay open for long: searches that wait, and delayed requests. They don't count as requests in
// progress, and use no database connection, so their number is bounded here.
import { addAbortListener } from 'node:events';
import { apiError } from '../../base/errors.ts';
import { Undo } from '../../base/undo.ts';
import type { KeptEntry } from '../entry.ts';
import type { Found, Journal } from './journal.ts';

/** Limits of searches that wait. Each new request is compared with all searches of its sandbox. */
export const maxWaiting = { ofSandbox: 50, inAll: 250 };

/** Returns a function that takes a place and returns a function to free it. @param what the error's noun */
export function createHolds(most: typeof maxWaiting, what: string) {
  const held: string[] = [];

  /** @throws ApiError 503 if no place is free */
  return (sandbox: string): (() => void) => {
    const ofSandbox = held.filter((name) => name === sandbox);
    if (held.length >= most.inAll || ofSandbox.length >= most.ofSandbox) throw apiError('at_once_limit', what);
    held.push(sandbox);
    return () => void held.splice(held.indexOf(sandbox), 1);
  };
}

export type Waits = ReturnType<typeof createWaits>;

/** @param ending aborted when the service ends */
export function createWaits(journal: Pick<Journal, 'watch'>, ending: AbortSignal) {
  const hold = createHolds(maxWaiting, 'searches that wait');

  /**
   * Calls `isCertain` with each request that arrives, until it returns true or the time is over.
   * @returns whether the journal was emptied, which also ends the wait
   */
  return async (
    { sandbox, withinMs, left }: { sandbox: string; withinMs: number; left?: AbortSignal | undefined },
    isCertain: (arrived: KeptEntry, found: Found) => boolean,
  ) => {
    const { promise, resolve: endBy } = Promise.withResolvers<'over' | 'emptied' | 'ending'>();
    await using undo = new Undo();
    undo.defer(hold(sandbox));
    using _timer = setTimeout(endBy, withinMs, 'over').unref();
    const unwatch = journal.watch(sandbox, (added, found) => {
      if (added === undefined || found === undefined) endBy('emptied');
      else if (isCertain(added, found)) endBy('over');
    });
    undo.defer(unwatch);
    using _ending = addAbortListener(ending, () => endBy('ending'));
    using _left = left && addAbortListener(left, () => endBy('over'));
    const end = await promise;
    // A keep-alive connection would delay the shutdown.
    if (end === 'ending') throw apiError('service_unavailable', 'the service is ending', { connection: 'close' });
    return end === 'emptied';
  };
}
