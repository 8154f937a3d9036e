// Cells: what nginx costs a list, in front of one service and of three with a database each, and how much one core of it passes on.
import { findNginx, type Nginx, startShippedNginx } from '../test/deploy/nginx.ts';
import type { BenchServer } from './databases.ts';
import { seed } from './jobs/job.ts';
import { Client, listOf, makeSandbox } from './jobs/over-http.ts';
import { processorMs } from './processes.ts';
import { launchService, type Running } from './launch.ts';
import type { Options } from './options.ts';
import { print, printTable, say, whole } from './report.ts';
import { type Subject, takeTurns } from './rounds.ts';

const sandboxes = 30;

export async function benchCells(server: BenchServer, options: Options): Promise<void> {
  if (findNginx() === undefined) throw new Error('cells: nginx is not installed');
  await using undo = new AsyncDisposableStack();
  const cells: Running[] = [];
  for (const n of [1, 2, 3]) cells.push(undo.use(await launchCell(await server.createDatabase(`cells_${n}`))));
  const [first] = cells as [Running, ...Running[]];
  const owner = { teardown: (end: () => unknown) => undo.defer(async () => void (await end())) };
  const urls = cells.map(({ url }) => url);
  const [one, three] = [await startShippedNginx(owner, [first.url]), await startShippedNginx(owner, urls)];
  await makeSandboxes(one.url, 'one');
  await makeSandboxes(three.url, 'three');
  const spent = { ms: 0, requests: 0 };
  const subjects: Subject[] = [
    { name: 'one service', url: first.url, next: listsOf('one') },
    { name: 'nginx and one service', url: one.url, next: () => ({ ...listsOf('one')(), ...clock(one, spent) }) },
    { name: 'nginx and three cells', url: three.url, next: listsOf('three') },
  ];
  printTable('Lists through nginx', await takeTurns('cells', subjects, options, [1, 32, 128]), subjects.slice(0, 1));
  const micros = (spent.ms / spent.requests) * 1000;
  // Other systems than Linux don't tell.
  if (!Number.isNaN(micros))
    print(
      `\nnginx used ${micros.toFixed(1)} µs of processor time a list: a core of it passes on ${whole(1e6 / micros)} a second.`,
    );
}

const launchCell = (database: string) =>
  launchService(database, { UNDERSTUDY_ADMIN: 'on', UNDERSTUDY_TRUST_PROXY: '1' });

async function makeSandboxes(url: string, prefix: string): Promise<void> {
  say(`cells: making ${sandboxes} sandboxes`);
  using client = new Client(url);
  for (let n = 0; n < sandboxes; n++) await makeSandbox(client, `${prefix}-${n}`);
}

const listsOf = (prefix: string) => () => ({
  requests: Array.from({ length: sandboxes * seed.users.length }, (_, n) =>
    listOf(`${prefix}-${n % sandboxes}`, n % seed.users.length),
  ),
  once: false,
});

/** Adds up what the balancer's process spends on the turns that follow. */
function clock({ pid }: Nginx, spent: { ms: number; requests: number }) {
  const beganMs = processorMs(pid) ?? NaN;
  return {
    sent: (used: number) => {
      spent.ms += (processorMs(pid) ?? NaN) - beganMs;
      spent.requests += used;
    },
  };
}
