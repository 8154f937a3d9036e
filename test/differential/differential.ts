// npm run differential -- --real RELEASE [--seed N] [--steps N] [--into DIR] [--shrink-seconds N] [--planted]
//   [--rate-limit-anonymous 2/day --rate-limit-user 3/hour]
// Sends generated requests to a release of Weblate and to a service of our own, and compares the answers and the state
// that each leaves (docs/how-to/compare-with-the-real-system.md). The same seed makes the same requests. One episode of
// each class of differences is shrunk and written as a transcript. With --planted, finds ten faults planted in our
// answers instead.
// Progress goes to stderr, the report to stdout. Exit code 1: differences; 2: wrong usage; 130: interrupted.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatClasses } from '../transcripts/engine/classes.ts';
import { formatScenario, record } from '../transcripts/engine/record-exchanges.ts';
import { makeRedact } from '../transcripts/engine/placeholders.ts';
import { type Scenario, titleSteps } from '../transcripts/engine/transcript.ts';
import { declaredFields, declaredOperations } from '../generator/steps.ts';
import { readWorld } from '../generator/world.ts';
import { isRelease, openRelease } from '../follow/weblate/open-release.ts';
import { readTable } from '../support/tables.ts';
import { differ, type Found, type Report, shrink } from './differ.ts';
import type { Sides } from './episode.ts';
import { plantable } from './faults.ts';
import { countedSide, sandboxSide, startOwn } from './sides.ts';

const { values } = parseArgs({
  options: {
    real: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    steps: { type: 'string', default: '4000' },
    into: { type: 'string', default: 'differential' },
    'shrink-seconds': { type: 'string', default: '20' },
    planted: { type: 'boolean', default: false },
    'rate-limit-anonymous': { type: 'string' },
    'rate-limit-user': { type: 'string' },
  },
});
const { real, into, planted } = values;
const [seed, steps, shrinkSeconds] = [values.seed, values.steps, values['shrink-seconds']].map(Number) as [
  number,
  number,
  number,
];
if (!isRelease(real) || ![seed, steps, shrinkSeconds].every((number) => Number.isInteger(number) && number >= 0)) {
  process.stderr.write('usage: npm run differential -- --real RELEASE [--seed N] [--steps N] [--shrink-seconds N]\n');
  process.exit(2);
}

const write = (line: string) => process.stdout.write(`${line}\n`);
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());
const { signal } = interrupt;

await using owned = new AsyncDisposableStack();
const world = await readWorld();
// The real system's own, which it was started with.
const limits = {
  UNDERSTUDY_RATE_LIMIT_ANONYMOUS: values['rate-limit-anonymous'] ?? 'off',
  UNDERSTUDY_RATE_LIMIT_USER: values['rate-limit-user'] ?? 'off',
};
const isCounted = Object.values(limits).some((limit) => limit !== 'off');
const own = await startOwn(owned, limits);

const note = (line: string) => process.stderr.write(`${line}\n`);
const release = await openRelease({ release: real, world }, owned, { env: process.env, note, signal });
await release.restart({ anonymous: values['rate-limit-anonymous'], user: values['rate-limit-user'] });

const sides: Sides = {
  world,
  theirs: release.side,
  ours: isCounted ? await countedSide(own) : await sandboxSide(own.url(), 'subject'),
  isCounted,
};

/** What a run must have seen. */
const kinds: readonly string[] = [
  ...declaredOperations,
  'HEAD',
  'OPTIONS',
  ...[...world.callers, 'nobody', 'odd'].map((name) => `caller ${name}`),
  ...['application/json', 'text/csv', 'text/html'].map((type) => `format ${type}`),
  ...['json', 'form', 'multipart', 'raw', 'none'].map((kind) => `body ${kind}`),
  ...[...declaredFields, 'profile'].map((name) => `field ${name}`),
  'world recorded',
  'world generated',
];
/** A run this long must have seen everything that often. */
const [enoughSteps, leastTimes] = [4000, 50];

/** A line of progress every ten seconds. */
function startProgress() {
  const startedAt = performance.now();
  let report: Report | undefined;
  const timer = setInterval(() => {
    const { steps: done, classes } = report ?? { steps: 0, classes: new Map() };
    const rate = (done / ((performance.now() - startedAt) / 1000)).toFixed(1);
    process.stderr.write(`${done} of ${steps} steps, ${rate} a second, ${classes.size} classes of differences\n`);
  }, 10_000);
  return { onStep: (now: Report) => (report = now), [Symbol.dispose]: () => clearInterval(timer) };
}

process.exitCode = planted ? await findPlanted() : await findDifferences();
if (signal.aborted) process.exitCode = 130;

async function findPlanted(): Promise<number> {
  let missed = 0;
  for (const { name, change } of plantable) {
    if (signal.aborted) break;
    const ours = { ...sides.ours, change };
    const found = await differ({ sides: { ...sides, ours }, seed, steps, signal, isFirstEnough: true });
    const [first] = found.classes.keys();
    if (first === undefined) missed++;
    write(`${name}: ${first === undefined ? 'NOT FOUND' : `found, ${first}`} after ${found.steps} steps`);
  }
  return missed === 0 ? 0 : 1;
}

async function findDifferences(): Promise<number> {
  using progress = startProgress();
  const isEnough = (now: Report) => steps < enoughSteps || isCounted || listSeldom(now).length === 0;
  const report = await differ({ sides, seed, steps, signal, isEnough, onStep: progress.onStep });
  const names = new Map<string, string>();
  for (const [name, found] of report.classes) {
    if (signal.aborted) break;
    names.set(name, await writeTranscript(name, found, names.size));
  }
  const redact = makeRedact(world.tokens);
  const differences = [...report.classes].flatMap(([name, { result, mismatch, steps: times }]) =>
    Array.from({ length: times }, (_step, number) => ({
      request: result.step.request,
      mismatch: { ...mismatch, expected: redact(mismatch.expected), received: redact(mismatch.received) },
      step: number === 0 ? (names.get(name) ?? '') : `${name} ${number}`,
    })),
  );
  if (differences.length > 0) write(formatClasses(differences));
  const faults = [...describeExcused(report), ...describeSeen(report)];
  write(`seed ${seed}: ${report.steps} steps, ${report.classes.size} classes of differences`);
  return report.classes.size === 0 && faults.length === 0 && report.steps >= steps ? 0 : 1;
}

/** Shrinks the episode and records it on the real system, with a seed of its world; returns the file's name. */
async function writeTranscript(name: string, found: Found, number: number): Promise<string> {
  const shortest =
    shrinkSeconds === 0 ? undefined : await shrink({ sides, seed, signal }, name, found.run, shrinkSeconds * 1000);
  const episode = shortest ?? { world: found.world, steps: [found.result.step] };
  const requests = episode.steps.map(({ request }) => request);
  const title = `seed-${seed}/${String(number + 1).padStart(3, '0')}`;
  const scenario: Scenario = {
    file: `${title.replace('/', '__')}.json`,
    name: title,
    steps: titleSteps(requests.map((request) => ({ request, response: { status: 200, headers: {}, body: null } }))),
  };
  const { baseUrl, reset } = sides.theirs;
  const [recorded] = await record({
    baseUrl,
    tokens: episode.world.tokens,
    scenarios: [scenario],
    reset: () => reset(episode.world),
    onStep: () => {},
  });
  await mkdir(into, { recursive: true });
  const path = join(into, scenario.file);
  await writeFile(path, formatScenario(recorded as Scenario));
  if (!episode.world.isRecorded)
    await writeFile(path.replace(/json$/u, 'seed.json'), `${JSON.stringify(episode.world.seed, null, 1)}\n`);
  return scenario.file;
}

/** Prints the shares of the listed differences; returns what is wrong with them. */
function describeExcused({ excused, steps: done }: Report): string[] {
  const total = [...excused.values()].reduce((sum, count) => sum + count, 0);
  const share = ((100 * total) / Math.max(1, done)).toFixed(2);
  const rows = ['steps', 'beyond'].flatMap((table) => readTable('reference/differences.md', table));
  write(`| listed difference | why | steps |\n|---|---|---|`);
  for (const [what, count] of excused)
    write(`| ${what} | ${rows.find((row) => row['what'] === what)?.['why'] ?? 'NOT LISTED'} | ${count} |`);
  const isTooMuch = total > done / 100;
  write(`listed differences explain ${total} steps, ${share} %${isTooMuch ? ': MORE THAN 1 %' : ''}`);
  return isTooMuch ? ['excused'] : [];
}

function listSeldom({ seen }: Report): string[] {
  return kinds.filter((kind) => (seen.get(kind) ?? 0) < leastTimes);
}

/** Prints how often the rarest kind occurred; returns those that a long run saw too seldom. */
function describeSeen(report: Report): string[] {
  const least = kinds.map((kind) => report.seen.get(kind) ?? 0).reduce((a, b) => Math.min(a, b));
  write(
    `each of ${kinds.length} operations, callers, formats, kinds of bodies, fields and worlds occurred at least ${least} times`,
  );
  const seldom = report.steps < enoughSteps || isCounted ? [] : listSeldom(report);
  if (seldom.length > 0) write(`TOO SELDOM: ${seldom.join(', ')}`);
  return seldom;
}
