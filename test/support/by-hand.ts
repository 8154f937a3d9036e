// What programs that are run by hand have in place of a tap test.
import type { Owner } from './database.ts';

/** Alice's header in the documented sample. */
export const authorization = 'Token wlu_alice_public_sample_token_0000000000';

/** An owner for `await using`: its steps are taken at the end of the program, also where that fails. */
export function ownByHand(): Owner & AsyncDisposable {
  const undo = new AsyncDisposableStack();
  return {
    teardown: (step) => undo.defer(async () => void (await step())),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}
