// Templates: hidden, unchanging sandboxes, one for each seed. A seed is read, checked and loaded once; every sandbox of
// it is a copy of the template.
import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { makeTemplate } from '../seeds/load/apply.ts';
import { findTemplate, templateKey } from '../seeds/load/copy-queries.ts';
import { seedFile } from '../seeds/load/seed-name.ts';
import { seedDigest } from '../seeds/format/digest.ts';
import { readSeedFile } from '../seeds/format/read-files.ts';
import { readSeedText, type SeedText } from '../seeds/format/read-text.ts';
import type { Db } from './queries.ts';
import type { Seed } from '../seeds/format/seed-types.ts';

/** Where a template comes from. */
export interface SeedOrigin {
  /** Differs whenever the content does. */
  readonly key: string;
  /** Stored as the seed of its sandboxes. */
  readonly name: string;
  /** @throws SeedError with all faults */
  readonly read: () => Promise<Seed>;
}

export async function shippedSeed(name: string): Promise<SeedOrigin> {
  const file = seedFile(name);
  const { mtimeMs, size } = await stat(file);
  return { key: `${file} ${mtimeMs} ${size}`, name, read: () => readSeedFile(file) };
}

export const seedOfText = (seed: SeedText): SeedOrigin => ({
  key: hash('sha256', JSON.stringify([seed.at, seed.text])),
  name: seed.file,
  read: () => readSeedText(seed),
});

const maxRemembered = 100;

/** Remembers the ids of templates, so that each seed is read once. */
export function createTemplates() {
  // Concurrent calls for one seed share one promise.
  const known = new Map<string, Promise<number>>();
  return {
    /** The id of the seed's template, which is made if there is none. Throws SeedError. */
    get(db: Db, seed: SeedOrigin): Promise<number> {
      let id = known.get(seed.key);
      if (id === undefined) {
        id = findOrMake(db, seed);
        known.set(seed.key, id);
        if (known.size > maxRemembered) known.delete(known.keys().next().value as string);
        id.catch(() => known.delete(seed.key));
      }
      return id;
    },
    /** To be called when the template turns out to be dropped. */
    forget: (seed: SeedOrigin) => void known.delete(seed.key),
  };
}

async function findOrMake(db: Db, { name, read }: SeedOrigin): Promise<number> {
  const seed = await read();
  return (await findTemplate(db, templateKey(seedDigest(seed)))) ?? makeTemplate(db, { seeds: [seed], seedName: name });
}
