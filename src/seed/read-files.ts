// Seeds from texts and files: every fault of all of them at once.
import { readFile } from 'node:fs/promises';
import { checkDocument } from './check.ts';
import { combineSeeds } from './combine.ts';
import { findDuplicates } from './duplicates.ts';
import { normalise } from './normalise.ts';
import { formatFault, inOrder, type Seed, SeedError, type SeedFault } from './seed-types.ts';
import type { SeedDocument } from './seed-schema.ts';
import { SeedSource } from './source.ts';

export interface ReadSeed {
  /** What could be understood; to be used only where there are no faults. */
  readonly seed: Seed;
  /** In the order of the text. */
  readonly faults: readonly SeedFault[];
}

/** Reads YAML or JSON. `file` is the name that faults give. */
export function parseSeed(text: string, file: string): ReadSeed {
  const { seed, faults, duplicates } = parse(text, file);
  return { seed, faults: inOrder([...faults, ...duplicates]) };
}

function parse(text: string, file: string) {
  const source = new SeedSource(text, file);
  const { document, faults } = readDocument(source);
  const { seed, faults: ofMeaning } = normalise(document, source);
  return { seed, faults: [...faults, ...ofMeaning], duplicates: findDuplicates(seed) };
}

/** What a text says, as far as the schema allows it, and what is wrong with the rest. */
export function readDocument(source: SeedSource): { document: SeedDocument; faults: SeedFault[] } {
  const { value, faults: ofText } = source.read();
  const { document, faults: ofSchema } = checkDocument(value, source);
  return { document, faults: [...ofText, ...ofSchema] };
}

/** Reads files and combines them in order. Throws what the file system says where one can't be read. */
export async function readSeedFiles(paths: readonly string[]): Promise<ReadSeed> {
  const read = await Promise.all(paths.map(async (path) => parse(await readFile(path, 'utf8'), path)));
  const { seed, faults } = combineSeeds(read.map((one) => one.seed));
  const duplicates = unique([...read.flatMap((one) => one.duplicates), ...findDuplicates(seed)]);
  return { seed, faults: [...read.flatMap((one) => one.faults), ...faults, ...duplicates] };
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
