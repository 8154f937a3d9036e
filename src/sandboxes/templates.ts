// Hidden, unchanging sandboxes, one for each seed, that others are copied from: a seed is read, checked and loaded once, and every
// further sandbox of it is a copy.
import { hash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { makeTemplate } from '../load/apply.ts';
import { findTemplate, templateKey } from '../load/copy-queries.ts';
import { seedFile, shippedSeeds } from '../load/default-sandbox.ts';
import { seedDigest } from '../seed/digest.ts';
import { readSeedFile } from '../seed/read-files.ts';
import { readSeedText, type SeedText } from '../seed/read-text.ts';
import type { Db } from './queries.ts';
import type { Seed } from '../seed/seed-types.ts';

/** A seed whose content is known by its key. */
export interface KnownSeed {
  readonly key: string;
  /** What sandboxes remember as their seed. */
  readonly name: string;
  /** @throws SeedError with all faults */
  readonly read: () => Promise<Seed>;
}

/** The names of the seeds that ship. */
export async function listShippedSeeds(): Promise<string[]> {
  const files = await readdir(shippedSeeds);
  return files.flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -'.yaml'.length)] : [])).toSorted();
}

const maxRemembered = 100;

/** Remembers what texts and files say, so that only what is new is parsed. */
export function createSeedReader() {
  const keys = new Map<string, string>();

  async function know(text: string, name: string, read: () => Promise<Seed>): Promise<KnownSeed> {
    let key = keys.get(text);
    if (key === undefined) {
      key = templateKey(seedDigest(await read()));
      if (keys.size >= maxRemembered) keys.delete(keys.keys().next().value as string);
      keys.set(text, key);
    }
    return { key, name, read };
  }

  return {
    /** One that ships. */
    async shipped(name: string): Promise<KnownSeed> {
      const file = seedFile(name);
      const { mtimeMs, size } = await stat(file);
      return know(`${file} ${mtimeMs} ${size}`, name, () => readSeedFile(file));
    },
    text: (seed: SeedText): Promise<KnownSeed> =>
      know(hash('sha256', JSON.stringify([seed.at, seed.text])), seed.file, () => readSeedText(seed)),
  };
}

export interface Templates {
  /** The id of the seed's template, made where there is none. Throws SeedError. */
  get(db: Db, seed: KnownSeed): Promise<number>;
  /** After it turned out to be gone. */
  forget(seed: KnownSeed): void;
}

export function createTemplates(): Templates {
  // Those who ask for one at the same moment wait for the same.
  const known = new Map<string, Promise<number>>();
  return {
    get(db, seed) {
      let id = known.get(seed.key);
      if (id === undefined) {
        id = findOrMake(db, seed);
        known.set(seed.key, id);
        if (known.size > maxRemembered) known.delete(known.keys().next().value as string);
        id.catch(() => known.delete(seed.key));
      }
      return id;
    },
    forget: (seed) => void known.delete(seed.key),
  };
}

async function findOrMake(db: Db, { key, name, read }: KnownSeed): Promise<number> {
  return (await findTemplate(db, key)) ?? makeTemplate(db, { seeds: [await read()], seedName: name });
}
