// For programs that are run by hand, and so have no tap test.
import type { Owner } from './database.ts';

/** The header of alice, a user of the seed `documented`. */
export const authorization = 'Token wlu_alice_public_sample_token_0000000000';

/** An owner for `await using`: it runs its teardown steps when the program ends, even by an error. */
export function ownByHand(): Owner & AsyncDisposable {
  const undo = new AsyncDisposableStack();
  return {
    teardown: (step) => undo.defer(async () => void (await step())),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}
