// Seed files for `seed` and `sandbox`.
import { readNamedText } from '../../seeds/load/seed-name.ts';
import { checkAlone, type NamedText, parseSeeds, type ReadSeeds } from '../../seeds/format/read-files.ts';
import { SeedError } from '../../seeds/format/seed-errors.ts';

/**
 * Reads seeds by their names, with their texts. Throws UserError where there is none of a name, and SeedError with
 * their errors.
 * @param isWhole false for a merge, whose files may name what the sandbox holds: the load reports the errors of meaning
 */
export async function readSeed(
  names: readonly string[],
  isWhole: boolean,
): Promise<ReadSeeds & { texts: readonly string[] }> {
  const named: NamedText[] = [];
  for (const name of names) named.push(await readNamedText(name));
  const read = parseSeeds(named);
  const errors = isWhole || read.seeds.length === 0 ? checkAlone(read).errors : [];
  if (errors.length > 0) throw new SeedError(errors);
  return { ...read, texts: named.map(({ text }) => text) };
}
