// Searches that wait for requests to arrive. The journal wakes them, they hold neither a slot nor a connection to the
// database, and their number is bounded.
import { apiError } from '../../base/errors.ts';
import type { KeptEntry } from './entry-bytes.ts';
import { createHolds } from './holds.ts';
import type { Journal } from './journal.ts';

/** Of one sandbox, and of all together. */
export const maxWaiting = 50;
const maxWaitingInAll = 250;

interface Wait {
  readonly sandbox: string;
  readonly withinMs: number;
  /** Aborts when the client disconnects. */
  readonly left?: AbortSignal | undefined;
}

export type Waits = ReturnType<typeof createWaits>;

/** @param ending aborted when the service ends */
export function createWaits(journal: Pick<Journal, 'watch'>, ending: AbortSignal) {
  const hold = createHolds(ending, { ofSandbox: maxWaiting, inAll: maxWaitingInAll });

  /**
   * Calls `isCertain` with each request that arrives from now on, until it returns true or the time is over.
   *
   * @returns whether the journal was emptied meanwhile, which ends the wait
   * @throws ApiError 503 if the service ends, or if too many wait already
   */
  return async ({ sandbox, withinMs, left }: Wait, isCertain: (arrived: KeptEntry) => boolean): Promise<boolean> => {
    // The first cause counts.
    const { promise, resolve: endBy } = Promise.withResolvers<'time' | 'certain' | 'emptied' | 'ending' | 'left'>();
    const onLeft = () => endBy('left');
    const letGo = hold(sandbox, () => endBy('ending'));
    const timer = setTimeout(endBy, withinMs, 'time').unref();
    const stopWatching = journal.watch(sandbox, {
      added: (entry) => {
        if (isCertain(entry)) endBy('certain');
      },
      emptied: () => endBy('emptied'),
    });
    left?.addEventListener('abort', onLeft);
    if (left?.aborted === true) onLeft();
    try {
      const end = await promise;
      // A connection that is kept alive would hold up the end.
      if (end === 'ending') throw apiError('service_unavailable', '', { connection: 'close' });
      return end === 'emptied';
    } finally {
      clearTimeout(timer);
      stopWatching();
      letGo();
    }
  };
}
