// Measures jobs per second. A job is what a test or a build does in a sandbox of its own, beside a thousand other sandboxes. The same job
// runs without sandboxes too: with a schema or a process for each job.
import type { BenchServer } from './databases.ts';
import { doJob, type Way } from './jobs/job.ts';
import { Client, makeSandbox } from './jobs/over-http.ts';
import { openSchemas } from './jobs/schemas.ts';
import { launchService, launchTemporary } from './launch.ts';
import type { Options } from './options.ts';
import { peakMegabytes } from './processes.ts';
import { addFigure, print, printRows, say, whole } from './report.ts';
import { median } from './rounds.ts';

const others = 1000;
// A start takes a core or two, so more starts at once would only wait for each other.
const starts = { jobs: 12, at: 4 };

/** The results of one way with `at` jobs at once. */
interface Entry {
  readonly at: number;
  readonly way: Way;
  /** The milliseconds of each job. */
  readonly jobs: number[];
  /** The jobs per second of each turn. */
  readonly perSecond: number[];
}

export async function benchJobs(server: BenchServer, options: Options): Promise<void> {
  const counts = options.connections ?? [32];
  await using service = await launchService(await server.createDatabase('sandboxes_jobs'));
  using client = new Client(service.url);
  say(`jobs: making ${whole(others)} sandboxes`);
  await inParallel(
    8,
    (begun) => begun < others,
    (n) => makeSandbox(client, `other-${n}`),
  );
  const sandboxes: Way = {
    name: 'a sandbox of one service for each job',
    make: (job) => makeSandbox(client, `job-${job}`),
  };
  await using schemas = openSchemas(await server.createDatabase('sandboxes_schemas'), Math.max(...counts));
  // All rounds of the sandboxes come first: dropped schemas keep autovacuum busy for minutes, which would slow
  // the sandboxes.
  const entries: Entry[] = [];
  for (const way of [sandboxes, schemas]) for (const at of counts) entries.push(await doRounds(way, at, options));
  print(`\nThe service's process held at most ${peakMegabytes(service.pid)} MB.`);
  entries.push(await doStarts());
  printWays(entries, options);
}

const processes: Way = {
  name: 'a process for each job, `weblate-understudy serve --temporary`',
  make: async () => {
    const service = await launchTemporary();
    const client = new Client(service.url);
    const drop = async () => {
      client[Symbol.dispose]();
      await service[Symbol.asyncDispose]();
    };
    return { ...(await makeSandbox(client, 'job')), drop };
  },
};

/** The first start isn't counted: later starts find files and folders that the first start leaves. */
async function doStarts(): Promise<Entry> {
  const entry: Entry = { at: starts.at, way: processes, jobs: [], perSecond: [] };
  say(`jobs: ${starts.jobs} in ${processes.name}`);
  await doJob(processes, 0);
  await doTurn(entry, (begun) => begun < starts.jobs);
  return entry;
}

async function doRounds(way: Way, at: number, { warmUp, rounds, seconds }: Options): Promise<Entry> {
  const entry: Entry = { at, way, jobs: [], perSecond: [] };
  for (let round = 1 - warmUp; round <= rounds; round++) {
    say(`jobs: ${way.name}, ${at} at once, ${round < 1 ? 'warming up' : `round ${round} of ${rounds}`}`);
    const end = performance.now() + seconds * 1000;
    await doTurn(round < 1 ? { ...entry, jobs: [], perSecond: [] } : entry, () => performance.now() < end);
  }
  return entry;
}

// The number of the next job, which no other job of the run has.
let number = 1;

/** Does jobs as long as `goesOn` returns true. The time counts until the last job has ended. */
async function doTurn({ at, way, jobs, perSecond }: Entry, goesOn: (begun: number) => boolean): Promise<void> {
  const [done, start] = [jobs.length, performance.now()];
  await inParallel(at, goesOn, async () => {
    const begun = performance.now();
    await doJob(way, number++);
    jobs.push(performance.now() - begun);
  });
  perSecond.push(((jobs.length - done) / (performance.now() - start)) * 1000);
}

/** Calls `work` as long as `goesOn` returns true, with `at` calls running at once. */
async function inParallel(at: number, goesOn: (begun: number) => boolean, work: (n: number) => Promise<unknown>) {
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (goesOn(begun)) await work(begun++);
  };
  await Promise.all(Array.from({ length: at }, worker));
}

/** Prints each entry. Its ratio is to the sandboxes' entry with the same `at`, or else to their last entry. */
function printWays(entries: readonly Entry[], { rounds, seconds }: Options): void {
  const bases = entries.filter(({ way }) => way === entries[0]?.way);
  const rows = entries.map((entry) => {
    const base = bases.find(({ at }) => at === entry.at) ?? bases.at(-1) ?? entry;
    const rate = median(entry.perSecond);
    const ratio = base === entry ? '' : (rate / median(base.perSecond)).toPrecision(2);
    return [String(entry.at), entry.way.name, rate.toPrecision(3), median(entry.jobs).toFixed(1), ratio];
  });
  const [ours, ...rest] = rows.map(([at, way, rate]) => ({ way: `${way}, ${at} at once`, rate: rate ?? '' }));
  const said = rest.map(({ way, rate }) => `${way}: ${rate}`).join('; ');
  addFigure(`Jobs per second (each of 16 lists and 4 writes), ${ours?.way}`, ours?.rate ?? '', said);
  const counted = `for ${rounds} times ${seconds} s, or ${starts.jobs} jobs where each starts a service`;
  const head = ['at once', 'way', 'jobs per second', 'ms per job', 'ratio to sandboxes'];
  printRows(`The same job in several ways, ${counted}`, head, rows, 1);
}
