// Loading seed files into a sandbox, for `seed` and `sandbox seed`: one check, one load, one form of errors.
import { basename, extname } from 'node:path';
import { applySeed, type SeedSummary } from '../../seeds/load/apply.ts';
import { fromStdin, readNamedText } from '../../seeds/load/seed-name.ts';
import { hasChanges } from '../../seeds/load/summary.ts';
import { analyzeTables } from '../../seeds/load/write-queries.ts';
import { checkAlone, type NamedText, parseSeeds, type ReadSeeds } from '../../seeds/format/read-files.ts';
import { SeedError } from '../../seeds/format/seed-errors.ts';
import type { CommandContext } from '../command.ts';
import { showLoad } from '../progress.ts';
import type { CommandDatabase } from './open-database.ts';

/**
 * Reads seeds and their texts by name. Throws UserError for an unknown name, and SeedError with their errors.
 * @param isWhole false for a merge, whose files may name things of the sandbox: then loadSeed reports the semantic errors
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

export async function loadSeed(
  { db, getSandboxId }: CommandDatabase,
  files: readonly string[],
  load: ReadSeeds & { readonly sandbox: string; readonly mode: 'merge' | 'replace' },
  { signal, progress }: CommandContext,
): Promise<SeedSummary> {
  const summary = await applySeed(db, {
    ...load,
    sandboxId: await getSandboxId(load.sandbox),
    seedName: files.map((file) => (file === fromStdin ? 'seed' : basename(file, extname(file)))).join(', '),
    signal,
    onProgress: showLoad(progress),
  });
  if (hasChanges(summary)) await analyzeTables(db);
  progress.clear();
  return summary;
}
