// npm run fuzz -- [--requests N] [--seed S] [--against URL]
// Starts a service on an embedded PostgreSQL, or uses a running one: its sandboxes default, one and two are overwritten.
// The same seed makes the same requests. Of each kind of fault, the shortest sequence that repeats it is printed. Before
// that, up to a thousand operations in each of three further sandboxes must do what a model in memory says.
// Progress goes to stderr, the summary to stdout. Exit code 1: faults; 130: interrupted.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runModel } from '../sandboxes/model-run.ts';
import { startServing } from '../support/process.ts';
import { describeFault, fuzz, settings } from './fuzz.ts';
import { createTally, unseenErrors, unseenOperations } from './tally.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    against: { type: 'string' },
  },
});

const write = (line: string) => process.stdout.write(`${line}\n`);
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());

await using owned = new AsyncDisposableStack();
const own = values.against === undefined ? await startOwn() : undefined;
const url = values.against ?? own?.url ?? '';

async function startOwn() {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-fuzz-'));
  owned.defer(() => rm(folder, { recursive: true, force: true }));
  const owner = { teardown: (step: () => unknown) => owned.defer(async () => void (await step())) };
  const serving = await startServing(owner, { UNDERSTUDY_DATA_DIR: folder, ...settings });
  // Before the service is killed, so that its PostgreSQL stops too.
  owned.defer(async () => void (await serving.end()));
  return serving;
}

/** The memory of the service's process. */
async function residentMiB(): Promise<string> {
  const text = await fetch(`${url}/_understudy/metrics`).then((answer) => answer.text());
  const bytes = /^process_resident_memory_bytes(?:\{.*?\})? (\S+)$/m.exec(text)?.[1];
  return bytes === undefined ? 'unknown' : `${Math.round(Number(bytes) / 1_048_576)} MiB`;
}

const [seed, count] = [values.seed, values.requests].map(Number) as [number, number];
const { signal } = interrupt;
const ofModel = await runModel({ url, seed, operations: Math.min(1000, count / 20), signal });
process.stderr.write(
  `${Math.round(ofModel.operations)} operations in each of three sandboxes compared with the model\n`,
);

const tally = createTally();
const before = await residentMiB();
const startedAt = performance.now();
const rate = () => `${Math.round(tally.requests / ((performance.now() - startedAt) / 1000))} a second`;
const report = async () => {
  const held = await residentMiB().catch(() => 'nothing');
  process.stderr.write(
    `${tally.requests} of ${count} requests, ${rate()}, ${tally.faults.size} kinds of faults; the service holds ${held}\n`,
  );
};
const progress = setInterval(() => void report(), 10_000);
await fuzz({ url, seed, count, tally, signal });
clearInterval(progress);
const speed = rate();

if (ofModel.fault !== undefined && !signal.aborted) write(`the model says otherwise: ${ofModel.fault}\n`);
if (!signal.aborted)
  for (const found of tally.faults.values()) write(`${await describeFault(found, own?.said.stdout)}\n`);
write('| seen | times |\n| --- | --- |');
for (const [name, times] of [...tally.seen].toSorted(([a], [b]) => a.localeCompare(b))) write(`| ${name} | ${times} |`);
write(`\nerrors not seen: ${unseenErrors(tally).join(', ')}`);
const unseen = await unseenOperations(tally, url).catch(() => ['(the service is gone)']);
write(`operations without a success: ${unseen.join(', ')}`);
write(
  `seed ${seed}: ${tally.requests} requests, ${speed}; ${tally.faults.size} kinds of faults; the service held ${before}, ` +
    `then ${await residentMiB().catch(() => 'nothing')}`,
);
const hasFaults = tally.faults.size > 0 || (ofModel.fault !== undefined && !signal.aborted);
process.exitCode = hasFaults ? 1 : signal.aborted ? 130 : 0;
