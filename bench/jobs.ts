// Jobs: what a test or a build does in a sandbox of its own beside a thousand others, how many a second, and where their time goes. And
// what the same job costs without sandboxes: with a schema, a process or a container for each.
import type { BenchServer } from './databases.ts';
import type { Way } from './jobs/job.ts';
import { Client, makeSandbox } from './jobs/over-http.ts';
import { findPostmaster, peakMegabytes, restMegabytes } from './processes.ts';
import { openSchemas } from './jobs/schemas.ts';
import { findObstacleToContainers, openContainers, processWay } from './jobs/services.ts';
import { type Entry, printProcessors, printSteps, printWays } from './jobs/tables.ts';
import { doJobs, inParallel, Tally } from './jobs/tally.ts';
import { launchService } from './launch.ts';
import type { Options } from './options.ts';
import { print, say, whole } from './report.ts';

const others = 1000;
// A start takes a core or two: more at once would only wait for each other.
const starts = { jobs: 12, at: 4 };

export async function benchJobs(server: BenchServer, options: Options): Promise<void> {
  const counts = options.connections ?? [32];
  const database = await server.createDatabase('sandboxes_jobs');
  const postmaster = await findPostmaster(database);
  await using service = await launchService(database);
  const atRest = restMegabytes([service.pid]);
  using client = new Client(service.url);
  say(`jobs: making ${whole(others)} sandboxes`);
  const make = async (n: number) => void (await makeSandbox(client, `other-${n}`));
  await inParallel(8, (begun) => begun < others, make);
  const sandboxes: Way = {
    name: 'a sandbox of one service for each job',
    make: (job) => makeSandbox(client, `job-${job}`),
    processes: { service: service.pid, PostgreSQL: postmaster },
  };
  await using schemas = openSchemas(await server.createDatabase('sandboxes_schemas'), Math.max(...counts), postmaster);
  // One after the other and not in turns: dropped schemas leave autovacuum work for minutes, which the sandboxes would wait for.
  const inSandboxes: Entry[] = [];
  for (const at of counts) inSandboxes.push(await doRounds(sandboxes, at, options));
  const inSchemas: Entry[] = [];
  for (const at of counts) inSchemas.push(await doRounds(schemas, at, options));
  for (const [i, entry] of inSandboxes.entries()) {
    printSteps(`A job beside ${whole(others)} sandboxes, ${entry.at} at once`, entry);
    printProcessors([entry, inSchemas[i] as Entry]);
  }
  const entries = inSandboxes.flatMap((entry, i) => [entry, inSchemas[i] as Entry]);
  print(
    `\nThe service's process held ${atRest ?? '?'} MB after its start and at most ${peakMegabytes([service.pid]) ?? '?'} MB.`,
  );
  entries.push(await doStarts(processWay));
  const obstacle = await findObstacleToContainers();
  if (obstacle === false) {
    say('jobs: building the image');
    await using containers = await openContainers();
    entries.push(await doStarts(containers));
  }
  const counted = `for ${options.rounds} times ${options.seconds} s, or ${starts.jobs} jobs where each starts a service`;
  const missing = obstacle === false ? [] : [`a container for each job: ${obstacle}`];
  printWays(`The same job in other ways, ${counted}`, entries, sandboxes, missing);
}

/** The first start isn't counted: later ones find files and folders that it leaves. */
async function doStarts(way: Way): Promise<Entry> {
  const { jobs, at } = starts;
  say(`jobs: ${jobs} by ${way.name}`);
  await doJobs(way, 1, (begun) => begun < 1);
  const tally = new Tally();
  await doJobs(way, at, (begun) => begun < jobs, tally);
  return { at, way, tally };
}

async function doRounds(way: Way, at: number, { warmUp, rounds, seconds }: Options): Promise<Entry> {
  const tally = new Tally();
  for (let round = 1 - warmUp; round <= rounds; round++) {
    say(`jobs: ${way.name}, ${at} at once, ${round < 1 ? 'warming up' : `round ${round} of ${rounds}`}`);
    const end = performance.now() + seconds * 1000;
    await doJobs(way, at, () => performance.now() < end, round < 1 ? undefined : tally);
  }
  return { at, way, tally };
}
