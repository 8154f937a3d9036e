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
  /** A request for which this is false wakes nobody. */
  readonly mayCount: (entry: KeptEntry) => boolean;
  /** Aborts when the client disconnects. */
  readonly left?: AbortSignal | undefined;
}

/** Why a wait goes on. Only `added` doesn't end it. */
type Cause = 'added' | 'time' | 'emptied' | 'ending' | 'left';

export type Waits = ReturnType<typeof createWaits>;

/** @param ending aborted when the service ends */
export function createWaits(journal: Pick<Journal, 'watch'>, ending: AbortSignal) {
  const hold = createHolds(ending, { ofSandbox: maxWaiting, inAll: maxWaitingInAll });

  /**
   * Calls `isCertain` now and after each request that may count, until it resolves to true or the time is over.
   *
   * @throws ApiError 409 if the journal is emptied meanwhile; 503 if the service ends, or if too many wait already; what
   *   `isCertain` throws
   */
  return async ({ sandbox, withinMs, mayCount, left }: Wait, isCertain: () => Promise<boolean>): Promise<void> => {
    let cause: Cause | undefined;
    let resume = () => {};
    // The first cause that ends the wait counts.
    const wake = (why: Cause) => {
      if (cause === undefined || cause === 'added') cause = why;
      resume();
    };
    const onLeft = () => wake('left');
    const letGo = hold(sandbox, () => wake('ending'));
    const timer = setTimeout(wake, withinMs, 'time').unref();
    const stopWatching = journal.watch(sandbox, {
      added: (entry) => {
        if (mayCount(entry)) wake('added');
      },
      emptied: () => wake('emptied'),
    });
    left?.addEventListener('abort', onLeft);
    if (left?.aborted === true) onLeft();
    try {
      for (;;) {
        if (await isCertain()) return;
        if (cause === undefined) await new Promise<void>((resolve) => (resume = resolve));
        if (cause !== 'added') break;
        cause = undefined;
      }
      // Whether the sandbox is still there, too.
      if (cause !== 'left' && (await isCertain())) return;
      if (cause === 'emptied') throw apiError('journal_emptied');
      // A connection that is kept alive would hold up the end.
      if (cause === 'ending') throw apiError('service_unavailable', '', { connection: 'close' });
    } finally {
      clearTimeout(timer);
      stopWatching();
      letGo();
    }
  };
}
