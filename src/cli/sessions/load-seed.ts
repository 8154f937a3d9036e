// Loading seed files into a sandbox, for `seed` and `sandbox seed`: one check, one load, one form of faults.
import { basename, extname } from 'node:path';
import { applySeed, type SeedSummary } from '../../load/apply.ts';
import { hasChanges } from '../../load/summary.ts';
import { analyzeTables } from '../../load/write-queries.ts';
import { readSeedFiles } from '../../seed/read-files.ts';
import { findDangling, nothingKnown } from '../../seed/references.ts';
import { type Seed, SeedError } from '../../seed/seed-types.ts';
import type { CommandContext } from '../command.ts';
import type { CommandDatabase } from './open-database.ts';

/**
 * Reads the files and combines them in order. Throws SeedError with all faults.
 * @param isWhole whether the files have to stand by themselves: merged into a sandbox, they may name what it holds
 */
export async function readSeed(files: readonly string[], isWhole: boolean): Promise<Seed> {
  const { seed, faults } = await readSeedFiles(files);
  const all = [...faults, ...(isWhole ? findDangling(seed, nothingKnown) : [])];
  if (all.length > 0) throw new SeedError(all);
  return seed;
}

interface Load {
  readonly files: readonly string[];
  readonly seed: Seed;
  readonly sandbox: string;
  readonly mode: 'merge' | 'replace';
}

export async function loadSeed(
  { db, getSandboxId }: CommandDatabase,
  { files, seed, sandbox, mode }: Load,
  { signal, progress }: CommandContext,
): Promise<SeedSummary> {
  const summary = await applySeed(db, {
    sandboxId: await getSandboxId(sandbox),
    seed,
    mode,
    seedName: files.map((file) => basename(file, extname(file))).join(', '),
    signal,
    onProgress: (what, done, total) => progress.show(`loading ${what}`, `${done}/${total}`),
  });
  if (hasChanges(summary)) await analyzeTables(db);
  progress.clear();
  return summary;
}
