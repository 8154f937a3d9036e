/** Undefined where the work throws: for what may fail without anybody needing to know why. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
