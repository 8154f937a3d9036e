// Seeds by their names: one that ships, a file, or standard input.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type NamedText, parseWhole } from '../seed/read-files.ts';
import type { Seed } from '../seed/seed-types.ts';
import { fromStdin, isPath, seedFile } from './seed-name.ts';

export interface NamedSeed {
  /** What the sandbox remembers: a shipped seed's name, or a path. */
  readonly name: string;
  /** How a command names it. */
  readonly file: string;
  readonly seed: Seed;
}

/** Throws what the system says where it can't be read: `findSeedNameFault` explains it before. */
export async function readNamedText(name: string): Promise<NamedText> {
  if (name === fromStdin) return { text: await text(process.stdin), file: 'seed' };
  const file = seedFile(name);
  return { text: await readFile(file, 'utf8'), file: isPath(name) ? name : file };
}

/** Throws SeedError with all its faults. */
export async function readNamedSeed(name: string): Promise<NamedSeed> {
  const seed = parseWhole(await readNamedText(name));
  return name === fromStdin
    ? { name: 'seed', file: 'FILE', seed }
    : { name, file: isPath(name) ? seedFile(name) : name, seed };
}
