// The stand-in for a tap test in programs that are run by hand.
import type { Owner } from './database.ts';

/** Alice's header in the documented sample. */
export const authorization = 'Token wlu_alice_public_sample_token_0000000000';

/** An owner for `await using`: it runs its teardown steps when the program ends, even by an error. */
export function ownByHand(): Owner & AsyncDisposable {
  const undo = new AsyncDisposableStack();
  return {
    teardown: (step) => undo.defer(async () => void (await step())),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}
