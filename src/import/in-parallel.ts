// Several requests at once, but few.

// The real system serves some sixty lists a second; more requests at once would only wait there.
const atOnce = 4;

/** Some at a time; results in the order of the items. The first failure ends it. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T, done: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let begun = 0;
  let done = 0;
  let failed = false;
  async function worker(): Promise<void> {
    while (begun < items.length && !failed) {
      const i = begun++;
      try {
        results[i] = await work(items[i] as T, done);
      } catch (error) {
        failed = true;
        throw error;
      }
      done++;
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
