// Measures how soon the service is back after its database was unreachable. It is run by hand.
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

interface Asked {
  readonly status: number;
  readonly startMs: number;
  readonly endMs: number;
}

async function ask(path: string, change?: object): Promise<Asked> {
  const startMs = performance.now();
  const body = change === undefined ? {} : { method: 'PATCH', body: JSON.stringify(change) };
  const answer = await fetch(service.url + path, { headers, ...body });
  await answer.arrayBuffer();
  return { status: answer.status, startMs, endMs: performance.now() };
}

/** Sends requests one by one until the second success after `isBack`. */
async function keepAsking(one: () => Promise<Asked>, isBack: () => boolean): Promise<Asked[]> {
  const all: Asked[] = [];
  let successes = 0;
  while (successes < 2) {
    const wasBack = isBack();
    const asked = await one();
    all.push(asked);
    if (wasBack && asked.status === 200) successes++;
    await sleep(pauseMs);
  }
  return all;
}

interface Recovery {
  readonly readMs: number;
  readonly writeMs: number;
  readonly longest: Asked;
}

const durationMs = ({ startMs, endMs }: Asked) => endMs - startMs;
const { results } = (await (await fetch(service.url + list, { headers })).json()) as { results: { id: number }[] };
const one = `${list}${results[0]?.id}/`;

async function measure(goAway: () => unknown, awayMs: number, comeBack: () => unknown): Promise<Recovery> {
  let backMs = Infinity;
  const isBack = () => performance.now() >= backMs;
  const reading = keepAsking(() => ask(list), isBack);
  const writing = keepAsking(() => ask(one, { frequency: 1 }), isBack);
  await sleep(300);
  await goAway();
  await sleep(awayMs);
  await comeBack();
  backMs = performance.now();
  const [reads, writes] = await Promise.all([reading, writing]);
  const untilMs = (all: Asked[]) =>
    (all.find(({ status, endMs }) => status === 200 && endMs > backMs)?.endMs ?? Infinity) - backMs;
  const longest = [...reads, ...writes].reduce((a, b) => (durationMs(a) > durationMs(b) ? a : b));
  return { readMs: untilMs(reads), writeMs: untilMs(writes), longest };
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

const span = (values: number[]) => `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))} ms`;
process.stdout.write(
  '| case | first read answered after | first write | longest that a request waited |\n|---|---|---|---|\n',
);
for (const [name, goAway, awayMs, comeBack] of cases) {
  const all: Recovery[] = [];
  for (let i = 0; i < times; i++) {
    all.push(await measure(goAway, awayMs, comeBack));
    await sleep(500);
  }
  const { longest } = all.reduce((a, b) => (durationMs(a.longest) > durationMs(b.longest) ? a : b));
  const waited = `${Math.round(durationMs(longest))} ms, then ${longest.status}`;
  const [reads, writes] = [all.map(({ readMs }) => readMs), all.map(({ writeMs }) => writeMs)];
  process.stdout.write(`| ${name} | ${span(reads)} | ${span(writes)} | ${waited} |\n`);
}
