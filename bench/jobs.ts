// Jobs: what a test or a build does in a sandbox of its own beside a thousand others, how many a second, and where their time goes.
import { availableParallelism } from 'node:os';
import type { BenchServer } from './databases.ts';
import { type Way, steps } from './jobs/job.ts';
import { Client, makeSandbox } from './jobs/over-http.ts';
import { findPostmaster } from './jobs/processor.ts';
import { doJobs, inParallel, Tally } from './jobs/tally.ts';
import { launchService } from './launch.ts';
import type { Options } from './options.ts';
import { print, say, whole } from './report.ts';
import { median } from './rounds.ts';

const others = 1000;

export async function benchJobs(server: BenchServer, options: Options): Promise<void> {
  const database = await server.createDatabase('sandboxes_jobs');
  await using service = await launchService(database);
  const atRest = service.restMegabytes();
  using client = new Client(service.url);
  say(`jobs: making ${whole(others)} sandboxes`);
  await inParallel(
    8,
    (begun) => begun < others,
    async (n) => void (await makeSandbox(client, `other-${n}`)),
  );
  const ours: Way = {
    name: 'a sandbox of the service',
    make: (job) => makeSandbox(client, `job-${job}`),
    processes: { service: service.pid, PostgreSQL: await findPostmaster(database) },
  };
  for (const at of options.connections ?? [32]) {
    const tally = new Tally();
    for (let round = 1 - options.warmUp; round <= options.rounds; round++) {
      say(`jobs: ${at} at once, ${round < 1 ? 'warming up' : `round ${round} of ${options.rounds}`}`);
      const end = performance.now() + options.seconds * 1000;
      await doJobs(ours, at, () => performance.now() < end, round < 1 ? undefined : tally);
    }
    printSteps(at, tally);
    printProcessors(tally);
  }
  print(
    `\nThe service's process held ${atRest ?? '?'} MB at its start and at most ${service.peakMegabytes() ?? '?'} MB.`,
  );
}

/** Where the time of a job goes for its client. */
function printSteps(at: number, tally: Tally): void {
  const jobs = tally.jobs.length;
  const total = tally.jobs.reduce((sum, ms) => sum + ms, 0);
  print(
    `\n**A job beside ${whole(others)} sandboxes, ${at} at once: ${median(tally.perSecond).toFixed(1)} jobs a second**\n`,
  );
  print('| step | number | mean ms | ms a job | share |\n|---|---:|---:|---:|---:|');
  for (const step of steps) {
    const { count, ms } = tally.steps[step];
    const cells = [step, String(count / jobs), (ms / count).toFixed(2), (ms / jobs).toFixed(1), percent(ms / total)];
    print(`| ${cells.join(' | ')} |`);
  }
  print(`| job | | | ${(total / jobs).toFixed(1)} | |`);
}

/** How a job divides the machine's processors. */
function printProcessors(tally: Tally): void {
  const jobs = tally.jobs.length;
  const cores = availableParallelism();
  const all = tally.elapsed * cores;
  const used = Object.entries(tally.processor);
  const rest = all - used.reduce((sum, [, ms]) => sum + ms, 0);
  print(`\n| processor time | ms a job | of ${cores} cores |\n|---|---:|---:|`);
  for (const [name, ms] of [...used, ['idle and all else', rest] as const])
    print(`| ${name} | ${(ms / jobs).toFixed(2)} | ${percent(ms / all)} |`);
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
