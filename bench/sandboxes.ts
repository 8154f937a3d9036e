// Measures over HTTP how long it takes to create, reset, snapshot and delete a sandbox beside a thousand others,
// in a new database. Then measures jobs (jobs.ts): what a test or a build does in a sandbox of its own.
import type { BenchServer } from './databases.ts';
import { seed } from './jobs/job.ts';
import { Client } from './jobs/over-http.ts';
import { benchJobs } from './jobs.ts';
import { launchService } from './launch.ts';
import type { Options } from './options.ts';
import { addFigure, printRows, say, whole } from './report.ts';
import { notificationNames } from '../src/model/notifications.ts';

const others = 1000;
const times = 100;
const changes = 20;

const free = [0, 20].flatMap((scope) =>
  notificationNames.slice(0, changes / 2).map((notification) => ({ notification, scope, frequency: 1 })),
);

export async function benchSandboxes(server: BenchServer, options: Options): Promise<void> {
  await benchOneByOne(server);
  // Last, because the schemas that benchJobs drops keep the server busy for minutes.
  await benchJobs(server, options);
}

async function benchOneByOne(server: BenchServer): Promise<void> {
  await using service = await launchService(await server.createDatabase('sandboxes'));
  using client = new Client(service.url);
  const rows: [what: string, ms: number[]][] = [];
  say(`sandboxes: making ${whole(others)}`);
  const made = await measure(others, (n) => create(client, `other-${n}`));
  rows.push(
    [`creation, the first ${times}`, made.slice(0, times)],
    [`creation, the last ${times}`, made.slice(-times)],
  );
  rows.push(['reset without changes', await measure(times, (n) => reset(client, `other-${n}`))]);
  rows.push([
    `reset after ${changes} new entries`,
    await measure(times, (n) => reset(client, `other-${n}`), change(client)),
  ]);
  rows.push(['creation again under the same name', await measure(times, (n) => create(client, `other-${n}`))]);
  const keep = (n: number) => client.ask(204, 'PUT', `${own}/other-${n}/snapshots/one`);
  rows.push(['snapshot', await measure(times, keep)]);
  rows.push(['deletion', await measure(times, (n) => client.ask(204, 'DELETE', `${own}/other-${n}`))]);
  printRows(
    `Sandboxes of 10 users and 120 subscriptions, over HTTP, ${whole(others)} side by side`,
    ['', 'p50 ms', 'p95 ms', 'most ms'],
    rows.map(([what, ms]) => [what, at(ms, 0.5), at(ms, 0.95), at(ms, 1)]),
  );
  for (const [what, ms] of [rows[1], rows[2]] as typeof rows)
    addFigure(
      `Sandbox beside ${whole(others)} others, ${what}: median`,
      `${at(ms, 0.5)} ms`,
      `95 of 100 within ${at(ms, 0.95)} ms`,
    );
}

const own = '/_understudy/sandboxes';
const create = (client: Client, name: string) => client.ask(201, 'PUT', `${own}/${name}`, { body: { seed } });
const reset = (client: Client, name: string) => client.ask(204, 'POST', `${own}/${name}/reset`);

const change = (client: Client) => async (n: number) => {
  const path = `/sandboxes/other-${n}/api/users/user1/notifications/`;
  for (const body of free) await client.ask(201, 'POST', path, { token: 'bench_token_1', body });
};

/** Calls `work` `count` times in turn, each time after `before`. Returns the milliseconds of each `work`. */
async function measure(
  count: number,
  work: (n: number) => Promise<unknown>,
  before: (n: number) => Promise<void> = async () => {},
): Promise<number[]> {
  const ms: number[] = [];
  for (let n = 0; n < count; n++) {
    await before(n);
    const start = performance.now();
    await work(n);
    ms.push(performance.now() - start);
  }
  return ms;
}

const at = (ms: readonly number[], share: number): string => {
  const sorted = ms.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number).toFixed(1);
};
