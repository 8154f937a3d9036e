// Returns what a promise rejects with, for tests that check more of an error than `t.rejects` does.

/** Undefined if `work` resolves. */
export const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Throws if `work` resolves, or rejects with something that isn't of `type`. */
export async function errorOfType<E extends Error>(
  type: abstract new (...args: never[]) => E,
  work: Promise<unknown>,
): Promise<E> {
  const error = await errorOf(work);
  if (error instanceof type) return error;
  throw new Error(`expected an error of type ${type.name}`, { cause: error });
}
