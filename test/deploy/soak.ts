// Prints the memory of a service under full load, for minutes, while sandboxes come and go. Run it by hand:
//   node test/deploy/soak.ts 300 postgres://…/empty-database
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { authorization, ownByHand } from '../support/by-hand.ts';
import { startServing } from '../support/process.ts';

const [seconds = '300', databaseUrl = ''] = process.argv.slice(2);
const sampleMs = 10_000;
await using owner = ownByHand();

const { NODE_OPTIONS = '' } = process.env;
const service = await startServing(owner, {
  NODE_OPTIONS,
  DATABASE_URL: databaseUrl,
  UNDERSTUDY_SEED: 'documented',
});
const pid = service.child.pid as number;
const load = spawn(
  'wrk',
  [
    '-t1',
    '-c32',
    `-d${seconds}`,
    '--latency',
    '-H',
    `Authorization: ${authorization}`,
    `${service.url}/api/users/alice/notifications/`,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
let report = '';
load.stdout.on('data', (chunk: Buffer) => (report += chunk.toString()));
const over = once(load, 'exit').then(() => true);

let rounds = 0;
const faults = new Map<number, number>();
async function ask(method: string, path: string, json?: unknown): Promise<void> {
  const body =
    json === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
  const answer = await fetch(service.url + path, { method, ...body });
  await answer.arrayBuffer();
  if (answer.status >= 400) faults.set(answer.status, (faults.get(answer.status) ?? 0) + 1);
}

async function churn(name: string): Promise<void> {
  while (load.exitCode === null) {
    await ask('PUT', `/_understudy/sandboxes/${name}`, {});
    await ask('GET', `/sandboxes/${name}/api/users/erin/notifications/?page_size=1000`);
    await ask('POST', `/_understudy/sandboxes/${name}/reset`);
    await ask('DELETE', `/_understudy/sandboxes/${name}`);
    rounds++;
  }
}
const churning = Promise.all(['soak-a', 'soak-b'].map((name) => churn(name)));

const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
for (let atMs = 0; !(await Promise.race([over, sleep(sampleMs, false)])); atMs += sampleMs)
  process.stdout.write(`${(atMs + sampleMs) / 1000} s\t${Math.round(residentMb())} MB\t${rounds} sandboxes\n`);
await churning;
process.stdout.write(`${report}\n${rounds} sandboxes came and went; faults: ${JSON.stringify([...faults])}\n`);
process.stdout.write(execFileSync('uptime').toString());
