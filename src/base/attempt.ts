/** Returns undefined if `work` throws: for work whose failure needs no explanation. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
