// Waits for a database that is unavailable.
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../base/errors.ts';
import { isUnavailable } from '../../database/sqlstates.ts';

const retryMs = 250;

/**
 * Retries the work while the database is unavailable, and reports each new reason once. A wrong password or a missing
 * database is no such reason: waiting doesn't help.
 * @throws any other error of the work, and `signal`'s reason
 */
export async function untilAvailable<T>(
  signal: AbortSignal,
  report: (reason: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  let reported = '';
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const reason = reasonOf(error);
      if (reason !== reported) report(reason);
      reported = reason;
    }
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
}
