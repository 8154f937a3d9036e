// Users whose tokens are public: those of the seeds that ship.
import { readSeedFile } from '../format/read-files.ts';
import type { Seed } from '../format/seed-types.ts';
import { listShippedSeeds, seedFile } from './seed-name.ts';

export interface Sample {
  readonly username: string;
  readonly token: string;
}

/** The users of a seed that have a token. Only for seeds whose tokens are no secret. */
export const listSamples = (seed: Seed): Sample[] =>
  seed.users.flatMap(({ username, tokens: [first] }) =>
    first?.text === undefined ? [] : [{ username, token: first.text }],
  );

/** Of every seed that ships. */
export async function readPublicSamples(): Promise<Sample[]> {
  const names = await listShippedSeeds();
  const seeds = await Promise.all(names.map((name) => readSeedFile(seedFile(name))));
  return seeds.flatMap(listSamples);
}
