// Sends batches of generated requests, several requests at a time, and shrinks a batch that shows a fault.
import * as fc from 'fast-check';
import { readWorld } from '../generator/world.ts';
import { batches, type FuzzRequest } from './requests.ts';
import { createGround, type Ground } from './sandboxes.ts';
import { count as countOutcome, createTally, type Found, type Tally } from './tally.ts';
import { findFault } from './verdict.ts';
import { ask } from './wire.ts';

interface FuzzOptions {
  readonly url: string;
  readonly seed: number;
  readonly count: number;
  readonly atOnce?: number;
  readonly longest?: number;
  /** The tally to add to: that of an earlier call, or one that the caller watches. */
  readonly tally?: Tally;
  readonly signal?: AbortSignal;
  readonly onBatch?: () => void;
}

/** Settings of the service: a few sandboxes reach the limit, and the log has the cause of a 500. */
export const settings = { LOG_LEVEL: 'error', UNDERSTUDY_MAX_SANDBOXES: '5' };

const maxKinds = 20;
const world = await readWorld();

export async function fuzz(options: FuzzOptions): Promise<Tally> {
  const { url, seed, count, atOnce = 32, longest = 800, tally = createTally(), signal, onBatch } = options;
  const ground = await createGround(url, world);
  let left = count;
  const isOver = () => left <= 0 || signal?.aborted === true || tally.faults.size >= maxKinds;
  const work = async (run: number, batch: Iterator<readonly [number, FuzzRequest]>) => {
    for (let next = batch.next(); !next.done; next = batch.next()) {
      if (isOver()) return;
      left--;
      const [index, asked] = next.value;
      const id = `fuzz-${run}-${index}`;
      const outcome = await askAndLearn(ground, asked, id);
      // Ctrl-C stops the service too: a missing answer is then no fault.
      if (signal?.aborted === true) return;
      countOutcome(tally, asked, outcome);
      const fault = findFault(asked, outcome);
      if (fault === undefined) continue;
      const found = tally.faults.get(kindOf(fault)) ?? { fault, asked, url, seed, run, longest, id, times: 0 };
      tally.faults.set(kindOf(fault), { ...found, times: found.times + 1 });
    }
  };
  for (let run = 0; !isOver(); run++) {
    const [batch = []] = fc.sample(batches(world, longest), { seed: seedOf(seed, run), numRuns: 1 });
    await ground.restore();
    const entries = batch.entries();
    await Promise.all(Array.from({ length: atOnce }, () => work(run, entries)));
    onBatch?.();
  }
  return tally;
}

const seedOf = (seed: number, run: number): number => seed ^ Math.imul(run, 0x9e3779b1);

async function askAndLearn(ground: Ground, planned: FuzzRequest, id: string) {
  const asked = { ...planned, request: ground.fill(planned.request) };
  const outcome = await ask(asked, ground.targetOf(asked.place), id);
  if (!('missing' in outcome)) ground.learn(asked.request, outcome);
  return outcome;
}

/** Faults of one kind differ only in their numbers and in what they quote. */
const kindOf = (fault: string): string => fault.replaceAll(/["'].*/gs, '').replaceAll(/\d+/g, 'N');

/** The shortest batch that fast-check finds in time; empty if only simultaneous requests show the fault. */
async function shrink(found: Found, withinMs: number): Promise<readonly FuzzRequest[]> {
  const { url, seed, run, longest } = found;
  const ground = await createGround(url, world);
  const endsAt = performance.now() + withinMs;
  let shortest: readonly FuzzRequest[] = [];
  const property = fc.asyncProperty(batches(world, longest), async (batch) => {
    if (performance.now() > endsAt) return true;
    await ground.restore();
    for (const [index, asked] of batch.entries()) {
      const fault = findFault(asked, await askAndLearn(ground, asked, `shrink-${index}`));
      if (fault === undefined || kindOf(fault) !== kindOf(found.fault)) continue;
      // Later requests are not needed for the fault.
      shortest = batch.slice(0, index + 1);
      return false;
    }
    return true;
  });
  await fc.check(property, { seed: seedOf(seed, run), numRuns: 1 });
  return shortest;
}

/** @param log the service's log, in lines of JSON */
export async function describeFault(found: Found, log = '', shrinkMs = 20_000): Promise<string> {
  const { fault, asked, id, times } = found;
  const cause = log.split('\n').find((line) => line.includes(`"${id}"`));
  const shortest = await shrink(found, shrinkMs).catch(() => []);
  const shown =
    shortest.length === 0
      ? ['the fault did not recur when the requests were sent one by one; the request was', show(asked)]
      : [`${shortest.length} requests repeat it:`, ...shortest.map(show)];
  return [`${fault} (${times} times)`, ...shown, ...(cause === undefined ? [] : [`log: ${cause}`])].join('\n');
}

const show = ({ request, raw }: FuzzRequest) => JSON.stringify({ ...request, ...(raw && { raw }) }).slice(0, 1500);
