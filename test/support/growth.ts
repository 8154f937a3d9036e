// How the time of an operation grows with inputs that are crafted to take long.

/**
 * Returns how many times as long the work takes on an input of size 2n as on size n: about 2 if it grows
 * linearly, 4 if quadratically. Takes the least CPU time of several runs: other load hardly counts.
 */
export async function growth(
  n: number,
  input: (size: number) => unknown,
  work: (input: never) => unknown,
): Promise<number> {
  const [small, large] = [input(n), input(2 * n)] as [never, never];
  const times = { small: Infinity, large: Infinity };
  for (let run = 0; run < 7; run++) {
    times.small = Math.min(times.small, await measure(() => work(small)));
    times.large = Math.min(times.large, await measure(() => work(large)));
    if (run >= enoughRuns && times.large / times.small < clearlyLinear) break;
  }
  return times.large / times.small;
}

async function measure(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(user + system, 1);
}

/** The limit of the tests, between linear and quadratic growth. */
export const mostGrowth = 3.5;
const clearlyLinear = 2.5;
const enoughRuns = 2;
