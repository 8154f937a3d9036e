// Seeds that come over HTTP: checked like any other, and bounded in what they stand for. A large one is read by a thread of its own,
// because to parse a mebibyte of YAML takes half a second, in which nobody else would be answered.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { noteDigest, seedDigest } from './digest.ts';
import { findDuplicates } from './duplicates.ts';
import { normalise } from './normalise.ts';
import { readDocument } from './read-files.ts';
import { findDangling, nothingKnown } from './references.ts';
import { type FirstFaults, firstFaults, type Path, type Seed, SeedError } from './seed-types.ts';
import type { SeedDocument } from './seed-schema.ts';
import { SeedSource } from './source.ts';

export interface SeedText {
  /** YAML or JSON. */
  readonly text: string;
  /** The name that faults give. */
  readonly file: string;
  /** Where in the text the seed stands, if not alone. */
  readonly at?: Path;
}

/** What a thread is asked to read: a seed, or any YAML for its value. */
export type Task = { readonly kind: 'seed' | 'value' } & SeedText;

/** A seed that is right, or what is wrong with it. */
export type CheckedSeed = { readonly document: SeedDocument; readonly digest: string } | FirstFaults;

// Read in some milliseconds. A thread takes a hundred to start.
const mostAtOnce = 16_384;
// Loading what a seed stands for takes time for each row.
const mostImplied = (text: string): number => Math.max(50_000, Math.floor(text.length / 20));

const sourceOf = ({ text, file, at }: SeedText): SeedSource => new SeedSource(text, file, at);

/** For a sandbox that is to hold exactly that. Throws SeedError. */
export async function readSeedText(text: SeedText): Promise<Seed> {
  const checked =
    text.text.length > mostAtOnce ? await inThread<CheckedSeed>({ kind: 'seed', ...text }) : checkSeed(text);
  if ('faults' in checked) throw new SeedError(checked.faults, checked.more);
  const { seed } = normalise(checked.document, sourceOf(text));
  noteDigest(seed, checked.digest);
  return seed;
}

/** The value of a YAML text. Throws SeedError. */
export async function readYaml(text: string): Promise<unknown> {
  const task: Task = { kind: 'value', text, file: 'body' };
  const { value, faults } =
    text.length > mostAtOnce ? await inThread<ReturnType<typeof readValue>>(task) : readValue(task);
  if (faults.length > 0) throw new SeedError(faults);
  return value;
}

export function checkSeed(text: SeedText): CheckedSeed {
  const source = sourceOf(text);
  const { document, faults } = readDocument(source);
  const { seed, faults: ofMeaning } = normalise(document, source, mostImplied(text.text));
  const all = [...faults, ...ofMeaning, ...findDuplicates(seed), ...findDangling(seed, nothingKnown)];
  return all.length > 0 ? firstFaults(all) : { document, digest: seedDigest(seed) };
}

export function readValue(text: SeedText) {
  const { value, faults } = sourceOf(text).read();
  return { value, faults: firstFaults(faults).faults };
}

// One at a time, so that several large seeds take the memory of one.
let last: Promise<unknown> = Promise.resolve();

function inThread<T>(task: Task): Promise<T> {
  const result = last.then(() => runThread<T>(task));
  last = result.catch(() => undefined);
  return result;
}

// Whoever raises the limit of bodies has a use for large ones.
const limitsFor = ({ length }: string) => ({
  seconds: 30 + Math.floor(length / 100_000),
  megabytes: 512 + Math.floor(length / 20_000),
});

async function runThread<T>(task: Task): Promise<T> {
  const { seconds, megabytes } = limitsFor(task.text);
  const worker = new Worker(new URL('read-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  try {
    const [result] = (await once(worker, 'message', { signal: AbortSignal.timeout(seconds * 1000) })) as [T];
    return result;
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    const why =
      name === 'AbortError'
        ? `takes more than ${seconds} seconds to read`
        : code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? `takes more than ${megabytes} MiB of memory to read`
          : undefined;
    if (why === undefined) throw error;
    throw new SeedError([{ file: task.file, line: 1, column: 1, path: '', message: why }]);
  } finally {
    await worker.terminate();
  }
}
