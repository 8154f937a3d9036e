// What one sandbox costs the others: the longest waits beside one that is being filled, and writes to fifty beside writes to one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchServer } from './databases.ts';
import { launchService, type Running } from './launch.ts';
import type { LoadRequest } from './load.ts';
import type { Options } from './options.ts';
import { print, printTable, say, whole } from './report.ts';
import { takeTurns } from './rounds.ts';

const generated = 400_000;
const waitingClients = 16;
const sandboxes = 50;
// Between two requests of a client that only measures its waits.
const pauseMs = 5;

export async function benchIsolation(server: BenchServer, options: Options): Promise<void> {
  await benchLongLoad(server);
  await using service = await launchService(await server.createDatabase('isolation_writes'));
  const names = Array.from({ length: sandboxes }, (_, n) => `box-${n}`);
  for (const name of names) await make(service, name);
  const writes = (among: readonly string[]) => () => ({
    requests: Array.from({ length: sandboxes }, (_, n) => changeIn(among[n % among.length] as string, n)),
    once: false,
  });
  const subjects = [
    { name: 'one sandbox', url: service.url, next: writes(names.slice(0, 1)) },
    { name: 'fifty sandboxes', url: service.url, next: writes(names) },
  ];
  const turns = { ...options, connections: options.connections ?? [1, 8, 50] };
  printTable('Changes of subscriptions', await takeTurns('isolation', subjects, turns), subjects.slice(0, 1));
}

/** One sandbox is filled in a long transaction, and clients write to it all the while. */
async function benchLongLoad(server: BenchServer): Promise<void> {
  const database = await server.createDatabase('isolation_load');
  await using service = await launchService(database);
  for (const name of ['filled', 'other']) await make(service, name);
  const over = new AbortController();
  say(`isolation: generating ${whole(generated)} users`);
  const startedAt = performance.now();
  const generate = spawn(
    process.execPath,
    [join(import.meta.dirname, '../src/cli/main.ts'), 'generate', `--users=${generated}`, '--sandbox=filled'],
    { env: { ...process.env, DATABASE_URL: database }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = endOf(generate).finally(() => over.abort());
  const waiting = Array.from({ length: waitingClients }, (_, n) =>
    watch(service, changeIn('filled', n), over.signal, [200, 503]),
  );
  const rows: readonly [what: string, ms: Promise<number[]>][] = [
    ['writes to another sandbox', watch(service, changeIn('other', 1), over.signal, [200])],
    ['lists of another sandbox', watch(service, listOf('other'), over.signal, [200])],
    ['ready', watch(service, plain('/_understudy/health/ready'), over.signal, [200])],
    ['admin: a sandbox', watch(service, plain('/_understudy/sandboxes/other'), over.signal, [200])],
    [
      'admin: reset of another sandbox',
      watch(service, plain('/_understudy/sandboxes/other/reset', 'POST'), over.signal, [204]),
    ],
  ];
  await ended;
  const seconds = (performance.now() - startedAt) / 1000;
  print(
    `\n**While ${whole(generated)} users are generated into one sandbox (${seconds.toFixed(0)} s) and ${waitingClients} clients write to it**\n`,
  );
  print('| | requests | p50 ms | p99 ms | most ms |\n|---|---:|---:|---:|---:|');
  const all: typeof rows = [
    ...rows,
    ['writes to the filled sandbox itself', Promise.all(waiting).then((of) => of.flat())],
  ];
  for (const [what, measured] of all) {
    const ms = (await measured).toSorted((a, b) => a - b);
    const at = (share: number) => (ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0).toFixed(0);
    print(`| ${what} | ${whole(ms.length)} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`);
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`generate ended with ${code}`);
}

/** Milliseconds of one request after the other. Throws where an answer has none of the statuses. */
async function watch(
  { url }: Running,
  { method, path, headers, body }: LoadRequest,
  signal: AbortSignal,
  statuses: readonly number[],
): Promise<number[]> {
  const ms: number[] = [];
  while (!signal.aborted) {
    const start = performance.now();
    const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    await answer.arrayBuffer();
    ms.push(performance.now() - start);
    if (!statuses.includes(answer.status)) throw new Error(`${method} ${path} was answered ${answer.status}`);
    await sleep(pauseMs);
  }
  return ms;
}

const path = (sandbox: string) => `/sandboxes/${sandbox}/api/users/alice/notifications/`;
const authorization = 'Token wlu_alice_public_sample_token_0000000000';

const plain = (of: string, method = 'GET'): LoadRequest => ({ method, path: of, headers: {} });
const listOf = (sandbox: string): LoadRequest => ({ method: 'GET', path: path(sandbox), headers: { authorization } });
const changeIn = (sandbox: string, n: number): LoadRequest => ({
  method: 'PATCH',
  path: `${path(sandbox)}${1 + (n % 10)}/`,
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ frequency: n % 5 }),
});

async function make({ url }: Running, name: string): Promise<void> {
  const answer = await fetch(`${url}/_understudy/sandboxes/${name}`, { method: 'PUT' });
  if (answer.status !== 201) throw new Error(`a sandbox was answered ${answer.status}: ${await answer.text()}`);
}
