// Seeds by their names: one that ships, a file, or standard input.
import { type NamedText, parseWhole } from '../format/read-files.ts';
import type { Seed } from '../format/seed-types.ts';
import { fromStdin, isPath, readNamedText, seedFile } from './seed-name.ts';

export interface NamedSeed {
  /** What the sandbox remembers: a shipped seed's name, or a path. */
  readonly name: string;
  /** How a command names it. */
  readonly file: string;
  readonly seed: Seed;
}

/** Throws SeedError with all its faults. */
export function parseNamed(name: string, text: NamedText): NamedSeed {
  const seed = parseWhole(text);
  return name === fromStdin
    ? { name: 'seed', file: 'FILE', seed }
    : { name, file: isPath(name) ? seedFile(name) : name, seed };
}

export const readNamedSeed = async (name: string): Promise<NamedSeed> => parseNamed(name, await readNamedText(name));
