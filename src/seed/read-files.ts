// Seeds from texts and files: every fault of all of them at once.
import { readFile } from 'node:fs/promises';
import { YamlText } from '../yaml/yaml-text.ts';
import { checkDocument } from './check.ts';
import { combineSeeds } from './combine.ts';
import { findContradictions } from './contradictions.ts';
import { normalise } from './normalise.ts';
import { inOrder, SeedError, type SeedFault } from './seed-faults.ts';
import { emptySeed, type Seed } from './seed-types.ts';

export interface ReadSeeds {
  /** As far as they could be understood; to be loaded only where there are no faults. */
  readonly seeds: readonly Seed[];
  /**
   * Those of each seed by itself. What contradicts in the whole is found once it is known what the seeds are added to.
   */
  readonly faults: readonly SeedFault[];
}

/** Reads YAML or JSON. `file` is the name that faults give. */
export function parseSeed(text: string, file: string): ReadSeeds {
  const { seed, faults } = readSource(new YamlText(text, file));
  return { seeds: [seed], faults };
}

/** The document as far as the schema allows it, what it means, and every fault of the rest. */
export function readSource(source: YamlText, most?: number) {
  const { value, faults: ofText } = source.read();
  const unreadable = ofText.map((fault) => ({ file: source.file, path: '', ...fault }));
  if (value === undefined && unreadable.length > 0) return { document: {}, seed: emptySeed, faults: unreadable };
  const { document, faults } = checkDocument(value, source);
  const { seed, faults: ofMeaning } = normalise(document, source, most);
  return { document, seed, faults: [...unreadable, ...faults, ...ofMeaning] };
}

/** Throws what the file system says where a file can't be read. */
export async function readSeedFiles(paths: readonly string[]): Promise<ReadSeeds> {
  const read = await Promise.all(paths.map(async (path) => parseSeed(await readFile(path, 'utf8'), path)));
  return { seeds: read.flatMap(({ seeds }) => seeds), faults: read.flatMap(({ faults }) => faults) };
}

/** Every fault of seeds that a new sandbox is made from, in the order of the text, and the seeds as one. */
export function checkAlone({ seeds, faults }: ReadSeeds): { seed: Seed; faults: SeedFault[] } {
  const { seed, faults: ofOrder } = combineSeeds(seeds);
  return { seed, faults: inOrder([...faults, ...ofOrder, ...findContradictions(seed)]) };
}

/** Reads a seed that a sandbox is made from. Throws SeedError with all its faults. */
export async function readSeedFile(path: string): Promise<Seed> {
  const { seed, faults } = checkAlone(await readSeedFiles([path]));
  if (faults.length > 0) throw new SeedError(faults);
  return seed;
}
