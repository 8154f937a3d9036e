// `npm run differential` sends generated requests to a release of Weblate and to a service of our own.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from '../../src/cli/command.ts';
import { exits, readCount, UsageError, valued } from '../../src/cli/usage.ts';
import { formatClasses } from '../transcripts/engine/classes.ts';
import { formatScenario, record } from '../transcripts/engine/record-exchanges.ts';
import { makeRedact } from '../transcripts/engine/placeholders.ts';
import { type Scenario, titleSteps } from '../transcripts/engine/transcript.ts';
import { type Episode, declaredFields, declaredOperations } from '../generator/steps.ts';
import { readWorld } from '../generator/world.ts';
import { openRelease } from '../follow/weblate/open-release.ts';
import { differ, type Report, shrink } from './differ.ts';
import type { Sides } from './episode.ts';
import { sandboxSide, startOwn } from './sides.ts';

const options = {
  real: valued('RELEASE', 'the release of Weblate whose answers are right, such as 2026.10.1'),
  seed: valued('N', 'the same seed makes the same requests (default: from the clock)'),
  steps: { ...valued('N', 'how many requests to send (default: 4000)'), default: '4000' },
  into: { ...valued('DIR', 'where transcripts go (default: differential)'), default: 'differential' },
  'shrink-seconds': { ...valued('N', 'seconds for shrinking the episode of a class (default: 20)'), default: '20' },
};

const world = await readWorld();
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
/** A run of at least `enoughSteps` steps must have seen each of `kinds` at least `leastTimes` times. */
const [enoughSteps, leastTimes] = [4000, 50];
const listSeldom = ({ seen }: Report) => kinds.filter((kind) => (seen.get(kind) ?? 0) < leastTimes);

export const differential = defineCommand({
  name: 'differential',
  summary: 'find where a release of Weblate answers differently from Understudy',
  forms: ['npm run differential -- --real RELEASE [options]'],
  about: `Sends generated requests to the release and to a service of our own, and compares the answers and the state that each
request leaves. One episode of each class of differences is shrunk and written as a transcript.`,
  exit: 'Exit: 0 no difference, 1 differences, 2 wrong usage or the machine lacks something, 130 Ctrl-C.',
  options,
  async run({ real, into, ...values }, _operands, context) {
    if (real === undefined) throw new UsageError('missing --real RELEASE');
    const { print, progress, signal } = context;
    const { undo: owned } = context;
    const seed = values.seed === undefined ? Date.now() % 1_000_000 : readCount('--seed', values.seed, 0);
    const steps = readCount('--steps', values.steps, 1);
    const shrinkMs = 1000 * readCount('--shrink-seconds', values['shrink-seconds'], 0);
    const release = await openRelease({ release: real, world }, owned, context);
    await release.restart();
    const own = await startOwn(owned, { UNDERSTUDY_ANONYMOUS: 'strict' });
    const sides: Sides = { world, theirs: release.side, ours: await sandboxSide(own.url, 'subject') };

    const mustSeeAll = steps >= enoughSteps;
    const isOver = (now: Report) => now.steps >= steps && !(mustSeeAll && listSeldom(now).length > 0);
    const onStep = ({ steps: done, classes }: Report) =>
      progress.show(
        `${classes.size} classes of differences, ${Math.floor((10 * done) / steps)}0 %`,
        `${done}/${steps}`,
      );
    const report = await differ({ sides, seed, steps, signal, isOver, onStep });
    const redact = makeRedact(world.tokens);
    const differences = [];
    for (const [number, [name, found]] of [...report.classes].entries()) {
      signal.throwIfAborted();
      const { world: from, result, mismatch, run } = found;
      const shortest = shrinkMs > 0 ? await shrink({ sides, seed, signal }, name, run, shrinkMs) : undefined;
      const title = `seed-${seed}/${String(number + 1).padStart(3, '0')}`;
      const file = await writeTranscript(shortest ?? { world: from, steps: [result.step] }, title, sides, into);
      const { request } = result.step;
      const shown = { ...mismatch, expected: redact(mismatch.expected), received: redact(mismatch.received) };
      differences.push({ request, mismatch: shown, step: file, times: found.steps });
    }
    signal.throwIfAborted();
    if (differences.length > 0) print(formatClasses(differences));
    const seldom = mustSeeAll ? listSeldom(report) : [];
    const excused = describeExcused(report);
    const least = Math.min(...kinds.map((kind) => report.seen.get(kind) ?? 0));
    const what = 'operations, callers, formats, kinds of bodies, fields and worlds';
    print(excused.text);
    print(`each of ${kinds.length} ${what} occurred at least ${least} times`);
    if (seldom.length > 0) print(`TOO SELDOM: ${seldom.join(', ')}`);
    print(`seed ${seed}: ${report.steps} steps, ${report.classes.size} classes of differences`);
    return differences.length > 0 || excused.areTooMany || seldom.length > 0 ? exits.no : exits.done;
  },
});

async function writeTranscript({ world: from, steps }: Episode, title: string, { theirs }: Sides, into: string) {
  const response = { status: 200, headers: {}, body: null };
  const scenario: Scenario = {
    file: `${title.replace('/', '__')}.json`,
    name: title,
    steps: titleSteps(steps.map(({ request }) => ({ request, response }))),
  };
  const [recorded] = await record({
    baseUrl: theirs.baseUrl,
    tokens: from.tokens,
    scenarios: [scenario],
    reset: () => theirs.reset(from),
    onStep: () => {},
  });
  await mkdir(into, { recursive: true });
  const path = join(into, scenario.file);
  await writeFile(path, formatScenario(recorded as Scenario));
  if (!from.isRecorded) await writeFile(path.replace(/json$/u, 'seed.json'), `${JSON.stringify(from.seed, null, 1)}\n`);
  return scenario.file;
}

/** How many steps the listed differences explain, and whether these steps are too many. */
function describeExcused({ excused, steps: done }: Report) {
  const total = [...excused.values()].reduce((sum, count) => sum + count, 0);
  const areTooMany = total > done / 100;
  const share = ((100 * total) / Math.max(1, done)).toFixed(2);
  const text = [
    '| listed difference | steps |\n|---|---|',
    ...[...excused].map(([what, count]) => `| ${what} | ${count} |`),
    `listed differences explain ${total} steps, ${share} %${areTooMany ? ': MORE THAN 1 %' : ''}`,
  ].join('\n');
  return { text, areTooMany };
}
