// Does jobs and counts: how many, how long they and their steps took, and the processor time of the processes that take part.
import { type Clock, doJob, steps, type Way } from './job.ts';
import { processorMs } from '../processes.ts';

/** Of all turns of one way, in milliseconds. */
export class Tally {
  readonly jobs: number[] = [];
  /** Jobs a second of each turn. */
  readonly perSecond: number[] = [];
  readonly steps = Object.fromEntries(steps.map((step) => [step, { count: 0, ms: 0 }])) as Record<
    (typeof steps)[number],
    { count: number; ms: number }
  >;
  /** Processor time by the process's name; NaN where it isn't known. */
  readonly processor: Record<string, number> = {};
  elapsed = 0;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

// Sandboxes and schemas are numbered throughout.
let jobs = 0;

/** Does jobs, `at` at a time, as long as `goesOn` returns true. The time counts until the last one has ended. */
export async function doJobs(
  way: Way,
  at: number,
  goesOn: (begun: number) => boolean,
  tally: Tally = new Tally(),
): Promise<void> {
  const clock: Clock = (step, ms) => {
    tally.steps[step].count++;
    tally.steps[step].ms += ms;
  };
  const before = readProcessors(way);
  const done = tally.jobs.length;
  const start = performance.now();
  await inParallel(at, goesOn, async () => {
    const begun = performance.now();
    await doJob(way, jobs++, clock);
    tally.jobs.push(performance.now() - begun);
  });
  const elapsed = performance.now() - start;
  tally.elapsed += elapsed;
  tally.perSecond.push(((tally.jobs.length - done) / elapsed) * 1000);
  for (const [name, ms] of Object.entries(readProcessors(way)))
    tally.processor[name] = (tally.processor[name] ?? 0) + ms - (before[name] ?? NaN);
}

/** This process is the client of every way. */
function readProcessors({ processes = {} }: Way): Record<string, number> {
  const { user, system } = process.cpuUsage();
  const others = Object.entries(processes).map(([name, pid]) => [name, processorMs(pid) ?? NaN]);
  return { client: (user + system) / 1000, ...Object.fromEntries(others) };
}

/**
 * Calls `work` again and again, `at` at a time. After a failure or Ctrl-C no other begins, and the error is thrown when those that
 * have begun have ended, and so have cleaned up.
 */
export async function inParallel(
  at: number,
  goesOn: (begun: number) => boolean,
  work: (n: number) => Promise<void>,
): Promise<void> {
  let begun = 0;
  const failures: unknown[] = [];
  const interrupt = (signal: NodeJS.Signals) => void failures.push(new Error(`interrupted by ${signal}`));
  const worker = async (): Promise<void> => {
    while (failures.length === 0 && goesOn(begun))
      await work(begun++).catch((error: unknown) => void failures.push(error));
  };
  for (const signal of signals) process.once(signal, interrupt);
  await Promise.all(Array.from({ length: at }, worker));
  for (const signal of signals) process.off(signal, interrupt);
  if (failures.length > 0) throw failures[0];
}
