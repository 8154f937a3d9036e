// Reads a seed file for a test.
import { readFile } from 'node:fs/promises';
import { parseWhole } from '../../src/seeds/format/read-seeds.ts';
import type { Seed } from '../../src/seeds/format/seed-types.ts';

/** Throws SeedError. */
export const readSeedFile = async (path: string): Promise<Seed> =>
  parseWhole({ text: await readFile(path, 'utf8'), file: path });
