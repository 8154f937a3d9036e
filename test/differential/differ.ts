// Sends generated episodes (sequences of requests) to two servers. Reports what occurred and the classes of
// differences.
import * as fc from 'fast-check';
import { classOf } from '../transcripts/engine/classes.ts';
import type { Mismatch } from '../transcripts/engine/compare-json.ts';
import { type Episode, episodes } from '../generator/steps.ts';
import { weighted } from '../generator/weighted.ts';
import type { World } from '../generator/world.ts';
import { worlds } from '../generator/worlds.ts';
import { runEpisode, type Sides, type StepResult } from './episode.ts';

/** The most steps of an episode; a reset costs as much as about ten steps. */
const longest = 25;

export interface Found {
  readonly run: number;
  readonly world: World;
  readonly result: StepResult;
  readonly mismatch: Mismatch;
  steps: number;
}

export interface Report {
  steps: number;
  /** The first step that showed each class of differences, by the name of the class. */
  readonly classes: Map<string, Found>;
  /** How many steps each row of docs/reference/differences.md explained, by the row. */
  readonly excused: Map<string, number>;
  /** How often each operation, caller, format, body, field and world occurred. A key: `caller alice`. */
  readonly seen: Map<string, number>;
}

interface DifferOptions {
  readonly sides: Sides;
  readonly seed: number;
  readonly steps: number;
  readonly signal?: AbortSignal;
  /** Whether the run has seen enough; by default, after `steps` steps. */
  readonly isOver?: (report: Report) => boolean;
  readonly onStep?: (report: Report) => void;
}

export async function differ(options: DifferOptions): Promise<Report> {
  const { sides, seed, steps, signal, onStep } = options;
  const report: Report = { steps: 0, classes: new Map(), excused: new Map(), seen: new Map() };
  const isOver = () => signal?.aborted === true || (options.isOver?.(report) ?? report.steps >= steps);
  const fromStart = startOver(sides);
  let run = -1;
  const { errorInstance } = await fc.check(
    fc.asyncProperty(arbitraryOf(sides), async (episode) => {
      run++;
      if (isOver()) return;
      for await (const result of fromStart(episode)) {
        note(report, run, episode.world, result);
        increment(report.seen, `world ${episode.world.isRecorded ? 'recorded' : 'generated'}`);
        onStep?.(report);
        if (isOver()) return;
      }
    }),
    // More runs than full episodes need, because many episodes are shorter or end early.
    { seed, numRuns: Math.ceil((steps / longest) * 6) + 10, endOnFailure: true },
  );
  // The error says, for example, that a server is gone.
  if (errorInstance !== null) throw errorInstance;
  return report;
}

/** One episode in ten starts from its own world, so that no result depends only on the recorded world. */
const arbitraryOf = ({ world }: Sides) => fc.noBias(episodes(weighted([9, fc.constant(world)], [1, worlds]), longest));

/** Runs episodes, each from its world. The servers make this world only if they no longer hold it. */
function startOver(sides: Sides) {
  let held: World | undefined;
  return async function* fromStart(episode: Episode): AsyncGenerator<StepResult> {
    const { world } = episode;
    if (held !== world) await Promise.all([sides.theirs.reset(world), sides.ours.reset(world)]);
    held = world;
    for await (const result of runEpisode(episode, sides)) {
      if (result.mayHaveWritten) held = undefined;
      yield result;
    }
  };
}

const increment = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

function note(report: Report, run: number, world: World, result: StepResult): void {
  const { seen, excused, classes } = report;
  report.steps++;
  const { operation, request } = result.step;
  const [method = ''] = operation.split(' ');
  const body = ['json', 'form', 'multipart', 'raw'].find((kind) => kind in request) ?? 'none';
  increment(seen, ['HEAD', 'OPTIONS'].includes(method) ? method : operation);
  increment(seen, `caller ${request.as ?? (request.headers?.['Authorization'] === undefined ? 'nobody' : 'odd')}`);
  increment(seen, `format ${result.contentType}`);
  increment(seen, `body ${body}`);
  const { json } = request;
  if (typeof json === 'object' && json !== null) for (const name of Object.keys(json)) increment(seen, `field ${name}`);
  const [mismatch] = result.mismatches;
  if (mismatch === undefined) return;
  if (result.rule !== undefined) return void increment(excused, result.rule.row);
  const name = classOf(request, mismatch);
  const found = classes.get(name) ?? { run, world, result, mismatch, steps: 0 };
  found.steps++;
  classes.set(name, found);
}

export async function shrink(
  { sides, seed, signal }: Pick<DifferOptions, 'sides' | 'seed' | 'signal'>,
  name: string,
  run: number,
  withinMs: number,
): Promise<Episode | undefined> {
  const fromStart = startOver(sides);
  // fast-check's own limit would end this while requests are in flight.
  const endsAt = performance.now() + withinMs;
  let shortest: Episode | undefined;
  await fc.check(
    fc.asyncProperty(arbitraryOf(sides), async (episode) => {
      if (signal?.aborted === true || performance.now() > endsAt) return true;
      for await (const { step, index, mismatches, rule } of fromStart(episode)) {
        if (rule !== undefined || mismatches[0] === undefined || classOf(step.request, mismatches[0]) !== name)
          continue;
        // Later steps are not needed for the difference.
        shortest = { ...episode, steps: episode.steps.slice(0, index + 1) };
        return false;
      }
      return true;
    }),
    { seed, path: String(run), numRuns: 1 },
  );
  return shortest;
}
