// Measures how soon the service is back after its database was unreachable. Run it by hand:
//   node test/outages/recovery.ts 5
import { setTimeout as sleep } from 'node:timers/promises';
import { authorization, ownByHand } from '../support/by-hand.ts';
import { startServing } from '../support/process.ts';
import { startOwnServer } from './own-server.ts';
import { startProxy } from '../support/proxy.ts';
import { list, targetOf, throughPort } from '../support/setting.ts';

const times = Number(process.argv[2] ?? 5);
// A client's pause between an answer and its next request.
const pauseMs = 20;
const headers = { authorization, 'content-type': 'application/json' };

await using owner = ownByHand();
const server = await startOwnServer(owner);
const proxy = await startProxy(owner, targetOf(server.url));
const service = await startServing(owner, { DATABASE_URL: throughPort(server.url, proxy.port) });

interface Asking {
  /** Counted from the moment when the database was back. */
  readonly firstSuccessMs: number;
  readonly longest: { readonly ms: number; readonly status: number };
}

async function keepAsking(path: string, init: RequestInit, state: { readonly backMs: number }): Promise<Asking> {
  let firstSuccessMs = Infinity;
  let longest = { ms: 0, status: 0 };
  for (let successes = 0; successes < 2;) {
    const startMs = performance.now();
    const answer = await fetch(service.url + path, { headers, ...init });
    await answer.arrayBuffer();
    const endMs = performance.now();
    if (endMs - startMs > longest.ms) longest = { ms: endMs - startMs, status: answer.status };
    if (answer.ok && endMs > state.backMs) firstSuccessMs = Math.min(firstSuccessMs, endMs - state.backMs);
    if (answer.ok && startMs >= state.backMs) successes++;
    await sleep(pauseMs);
  }
  return { firstSuccessMs, longest };
}

const { results } = (await (await fetch(service.url + list, { headers })).json()) as { results: { id: number }[] };
const change = { method: 'PATCH', body: JSON.stringify({ frequency: 1 }) };

async function measure(goAway: () => unknown, awayMs: number, comeBack: () => unknown) {
  const state = { backMs: Infinity };
  const asking = [keepAsking(list, {}, state), keepAsking(`${list}${results[0]?.id}/`, change, state)];
  await sleep(300);
  await goAway();
  await sleep(awayMs);
  await comeBack();
  state.backMs = performance.now();
  return await Promise.all(asking);
}

async function startAgain(): Promise<void> {
  await server.start();
  proxy.aim(targetOf(server.url));
}

async function killServer(): Promise<void> {
  process.kill(server.pid(), 'SIGKILL');
  await server.stop();
}

const cases: [string, () => unknown, number, () => unknown][] = [
  ['refused for 1.5 s', () => proxy.refuse(), 1500, () => proxy.accept()],
  ['connections cut', () => proxy.cut(), 0, () => undefined],
  ['hanging for 1.5 s', () => proxy.stall(), 1500, () => proxy.resume()],
  ['hanging for 15 s', () => proxy.stall(), 15_000, () => proxy.resume()],
  ['stopped and started', () => server.stop(), 500, startAgain],
  ['killed and started', killServer, 500, startAgain],
];

const span = (all: readonly (Asking | undefined)[]) => {
  const values = all.map((one) => Math.round(one?.firstSuccessMs ?? Infinity));
  return `${Math.min(...values)} to ${Math.max(...values)} ms`;
};
const write = (line: string) => process.stdout.write(`${line}\n`);
write('| case | first read answered after | first write | longest that a request waited |\n|---|---|---|---|');
for (const [name, goAway, awayMs, comeBack] of cases) {
  const all: Asking[][] = [];
  for (let i = 0; i < times; i++) {
    all.push(await measure(goAway, awayMs, comeBack));
    await sleep(500);
  }
  const { ms, status } = all.flat().reduce((a, { longest }) => (a.ms > longest.ms ? a : longest), { ms: 0, status: 0 });
  const [reads, writes] = [0, 1].map((kind) => span(all.map((both) => both[kind])));
  write(`| ${name} | ${reads} | ${writes} | ${Math.round(ms)} ms, then ${status} |`);
}
