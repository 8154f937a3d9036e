// Templates: hidden, unchanging sandboxes, one for each seed. A seed is read, checked and loaded once; every sandbox of it is a copy of
// the template.
import { hash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { applySeed } from '../load/apply.ts';
import { addHidden, dropUnusedTemplate, findTemplate, nameTemplate, templateKey } from '../load/copy-queries.ts';
import { seedFile, shippedSeeds } from '../load/default-sandbox.ts';
import { seedDigest } from '../seed/digest.ts';
import { readSeedFile } from '../seed/read-files.ts';
import { readSeedText, type SeedText } from '../seed/read-text.ts';
import type { Db } from './queries.ts';
import type { Seed } from '../seed/seed-types.ts';

/** A seed whose content is known by its key. */
export interface KnownSeed {
  readonly key: string;
  /** Stored as the seed of its sandboxes. */
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

/** Remembers the keys of texts and files, so that each is parsed once. */
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
    /** One of the seeds that ship. */
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
  /** The id of the seed's template, which is made if there is none. Throws SeedError. */
  get(db: Db, seed: KnownSeed): Promise<number>;
  /** To be called when the template turns out to be dropped. */
  forget(seed: KnownSeed): void;
}

export function createTemplates(): Templates {
  // Concurrent calls for one seed share one promise.
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

async function findOrMake(db: Db, seed: KnownSeed): Promise<number> {
  return (await findTemplate(db, seed.key)) ?? (await make(db, seed));
}

// It gets its key when it is complete. Two services may make the same one at once: then the later one is dropped.
async function make(db: Db, { key, name, read }: KnownSeed): Promise<number> {
  const seed = await read();
  const id = await addHidden(db);
  try {
    await applySeed(db, { sandboxId: id, seed, mode: 'replace', seedName: name });
    const shared = await nameTemplate(db, id, key);
    if (shared !== id) await dropUnusedTemplate(db, id);
    return shared;
  } catch (error) {
    await dropUnusedTemplate(db, id);
    throw error;
  }
}
