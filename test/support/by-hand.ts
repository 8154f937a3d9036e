// For programs that are run by hand, and so have no tap test.
import type { Owner } from './database.ts';

/** The header of alice, a user of the seed `documented`. */
export const authorization = 'Token wlu_alice_public_sample_token_0000000000';

/** Stands in for a tap test: runs its teardown steps when the `await using` block ends, even by an error. */
export function ownByHand(): Owner & AsyncDisposable {
  const undo = new AsyncDisposableStack();
  return {
    teardown: (step) => undo.defer(async () => void (await step())),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}
