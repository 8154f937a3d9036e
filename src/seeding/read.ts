// Seeds from texts and files: every fault of all of them at once.
import { readFile } from 'node:fs/promises';
import { checkDocument } from './check.ts';
import { combineSeeds } from './combine.ts';
import { findDuplicates } from './duplicates.ts';
import { normalise } from './normalise.ts';
import { formatFault, inOrder, type Seed, SeedError, type SeedFault } from './seed.ts';
import { SeedSource } from './source.ts';

export interface ReadSeed {
  /** What could be understood; to be used only where there are no faults. */
  readonly seed: Seed;
  /** In the order of the text. */
  readonly faults: readonly SeedFault[];
}

/** Reads YAML or JSON. `file` is the name that faults give. */
export function parseSeed(text: string, file: string): ReadSeed {
  const source = new SeedSource(text, file);
  const { value, faults: ofText } = source.read();
  const { document, faults: ofSchema } = checkDocument(value, source);
  const { seed, faults: ofMeaning } = normalise(document, source);
  return { seed, faults: inOrder([...ofText, ...ofSchema, ...ofMeaning, ...findDuplicates(seed)]) };
}

/** Reads files and combines them in order. Throws what the file system says where one can't be read. */
export async function readSeedFiles(paths: readonly string[]): Promise<ReadSeed> {
  const read = await Promise.all(paths.map(async (path) => parseSeed(await readFile(path, 'utf8'), path)));
  const { seed, faults } = combineSeeds(read.map((one) => one.seed));
  return { seed, faults: unique([...read.flatMap((one) => one.faults), ...faults, ...findDuplicates(seed)]) };
}

/** Reads one file. Throws SeedError with all its faults. */
export async function readSeedFile(path: string): Promise<Seed> {
  const { seed, faults } = await readSeedFiles([path]);
  if (faults.length > 0) throw new SeedError(faults);
  return seed;
}

// What one file says twice is found in it and once more in the whole.
const unique = (faults: readonly SeedFault[]): SeedFault[] => [
  ...new Map(faults.map((fault) => [formatFault(fault), fault])).values(),
];
