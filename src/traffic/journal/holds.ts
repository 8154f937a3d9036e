// Requests that stay open for long. They hold no slot, so their number is bounded here, and they end with the service.
import { apiError } from '../../base/errors.ts';

interface Bounds {
  /** How many one sandbox may have. */
  readonly ofSandbox: number;
  readonly inAll: number;
}

/** Calls `onEnd` when the service ends, at once if it does already. Returns what gives the place back. */
export type Hold = (sandbox: string, onEnd: () => void) => () => void;

/** @param ending aborted when the service ends */
export function createHolds(ending: AbortSignal, { ofSandbox, inAll }: Bounds): Hold {
  const held = new Map<string, number>();
  const ends = new Set<() => void>();
  ending.addEventListener('abort', () => {
    for (const end of ends) end();
  });

  function count(sandbox: string, by: 1 | -1): void {
    const left = (held.get(sandbox) ?? 0) + by;
    if (left === 0) held.delete(sandbox);
    else held.set(sandbox, left);
  }

  /** @throws ApiError 503 if there are too many already */
  return (sandbox, onEnd) => {
    if (ends.size >= inAll || (held.get(sandbox) ?? 0) >= ofSandbox) throw apiError('service_unavailable');
    // A function of its own: two holders may pass the same one.
    const end = () => onEnd();
    count(sandbox, 1);
    ends.add(end);
    if (ending.aborted) end();
    return () => {
      if (ends.delete(end)) count(sandbox, -1);
    };
  };
}
