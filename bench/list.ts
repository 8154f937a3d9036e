// Measures lists of the service, which checks tokens, and of plain programs, which check none. All read the
// same rows, in databases of several sizes.
import { assertSameAnswer } from './check.ts';
import type { BenchServer } from './databases.ts';
import { fillDatabase, requestOf } from './fill.ts';
import { launchPlain, launchService, type Running } from './launch.ts';
import type { Options } from './options.ts';
import { peakMegabytes } from './processes.ts';
import { print, printTable, say, whole } from './report.ts';
import { type Subject, takeTurns } from './rounds.ts';

const requestsATurn = 20_000;

interface Size {
  readonly users: number;
  readonly service: Running;
  readonly plain: readonly Subject[];
  readonly subjects: readonly Subject[];
}

export async function benchList(server: BenchServer, options: Options): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const sizes: Size[] = [];
  for (const users of options.users) sizes.push(await prepareSize(server, users, undo));
  // The sizes take turns too, so that they can be compared.
  const everything = sizes.flatMap((size) => size.subjects);
  const results = await takeTurns('list', everything, options, [1, 8, 32, 128]);
  for (const { users, plain, subjects, service } of sizes) {
    const ours = results.filter((result) => subjects.includes(result.subject));
    printTable(`List, ${whole(users)} users of 10 subscriptions`, ours, plain);
    print(`\nThe service's process held at most ${peakMegabytes(service.pid)} MB.`);
  }
}

async function prepareSize(server: BenchServer, users: number, undo: AsyncDisposableStack): Promise<Size> {
  say(`list: filling a database with ${whole(users)} users`);
  const url = await server.createDatabase(`list_${users}`);
  await fillDatabase(url, users);
  const next = () => ({ requests: Array.from({ length: requestsATurn }, () => readOf(users)), once: false });
  const pool = undo.use(await launchPlain('pool', url));
  const pipelined = undo.use(await launchPlain('pipelined', url));
  const service = undo.use(await launchService(url));
  await assertSameAnswer([pool.url, pipelined.url, service.url], readOf(users), 200);
  const plain = [
    { name: 'pool of 8', url: pool.url, next },
    { name: 'pipelined', url: pipelined.url, next },
  ];
  return { users, service, plain, subjects: [...plain, { name: 'service', url: service.url, next }] };
}

const readOf = (users: number) => requestOf('GET', 1 + Math.floor(Math.random() * users));
