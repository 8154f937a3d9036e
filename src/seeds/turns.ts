// Turns at a scarce resource: a sandbox that asks a lot waits behind the others.
import { addAbortListener } from 'node:events';
import { apiError, type ErrorName } from '../base/errors.ts';

/** `own…` limits each sandbox; the others limit all sandboxes together. */
type Most = Readonly<Record<'atOnce' | 'waiting' | 'ownAtOnce' | 'ownWaiting', number>>;

export function createTurns(most: Most, refusal: ErrorName) {
  const taken: string[] = [];
  let waiting: (PromiseWithResolvers<void> & { readonly sandbox: string })[] = [];
  const own = (sandbox: string) => waiting.filter((one) => one.sandbox === sandbox);
  const isFree = (sandbox: string) =>
    taken.length < most.atOnce && taken.filter((one) => one === sandbox).length < most.ownAtOnce;

  function admit() {
    const next = waiting.find(({ sandbox }) => isFree(sandbox));
    if (next === undefined) return;
    taken.push(next.sandbox);
    // The sandbox's other requests now wait behind those of other sandboxes.
    const later = own(next.sandbox).filter((one) => one !== next);
    waiting = [...waiting.filter(({ sandbox }) => sandbox !== next.sandbox), ...later];
    next.resolve();
  }

  return {
    areWanted: () => waiting.length > 0,
    /** Resolves with a turn, to be disposed. Throws the signal's reason, or ApiError if too many wait. */
    async take(sandbox: string, signal?: AbortSignal) {
      signal?.throwIfAborted();
      const isFull = waiting.length >= most.waiting || own(sandbox).length >= most.ownWaiting;
      if (isFull && !isFree(sandbox)) throw apiError(refusal);
      const one = { sandbox, ...Promise.withResolvers<void>() };
      waiting.push(one);
      admit();
      const leave = () => {
        waiting = waiting.filter((other) => other !== one);
        one.reject(signal?.reason);
      };
      using _leaving = signal && addAbortListener(signal, leave);
      await one.promise;
      return {
        [Symbol.dispose]() {
          taken.splice(taken.indexOf(sandbox), 1);
          admit();
        },
      };
    },
  };
}
