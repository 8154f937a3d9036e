// Searches that wait for requests to arrive. The journal wakes them, they hold neither a slot nor a connection to the
// database, and their number is bounded.
import { apiError } from '../../errors.ts';
import { createHolds } from './holds.ts';
import type { Journal, KeptEntry } from './journal.ts';

/** Of one sandbox, and of all together. */
export const maxWaiting = 50;
const maxWaitingInAll = 250;

interface Wait {
  readonly sandbox: string;
  readonly withinMs: number;
  /** The number of the last request that is known already. */
  readonly after: number;
  /** A request for which this is false wakes nobody. */
  readonly mayCount: (entry: KeptEntry) => boolean;
  /** Aborts when the client disconnects. */
  readonly left?: AbortSignal | undefined;
}

export type Waits = ReturnType<typeof createWaits>;

/** @param ending aborted when the service ends */
export function createWaits(journal: Pick<Journal, 'watch' | 'list'>, ending: AbortSignal) {
  const hold = createHolds(ending, { ofSandbox: maxWaiting, inAll: maxWaitingInAll });

  /**
   * Calls `isCertain` with the requests that arrive and may count, until it resolves to true or the time is over.
   *
   * @returns whether the journal was emptied meanwhile, which ends the wait
   * @throws ApiError 503 if the service ends, or if too many wait already; what `isCertain` throws
   */
  return async (wait: Wait, isCertain: (arrived: readonly KeptEntry[]) => Promise<boolean>): Promise<boolean> => {
    const { sandbox, withinMs, after, mayCount, left } = wait;
    let end: 'time' | 'emptied' | 'ending' | 'left' | undefined;
    let resume = () => {};
    // The first cause counts.
    const endBy = (cause: NonNullable<typeof end>) => {
      end ??= cause;
      resume();
    };
    const onLeft = () => endBy('left');
    const letGo = hold(sandbox, () => endBy('ending'));
    const timer = setTimeout(endBy, withinMs, 'time').unref();
    const arrived = journal.list(sandbox).filter((entry) => entry.number > after && mayCount(entry));
    const stopWatching = journal.watch(sandbox, {
      added: (entry) => {
        if (mayCount(entry)) arrived.push(entry);
        if (arrived.length > 0) resume();
      },
      emptied: () => endBy('emptied'),
    });
    left?.addEventListener('abort', onLeft);
    if (left?.aborted === true) onLeft();
    try {
      for (;;) {
        if (end !== undefined) break;
        if (arrived.length === 0) await new Promise<void>((resolve) => (resume = resolve));
        else if (await isCertain(arrived.splice(0))) return false;
      }
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
