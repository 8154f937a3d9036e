// Templates: hidden, unchanging sandboxes, one for each seed, which is loaded once. Its sandboxes are copies.
import { hash } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { makeTemplate } from '../seeds/load/apply.ts';
import { findTemplate, templateKey } from '../seeds/load/write-queries.ts';
import { seedDigest } from '../seeds/format/seed-types.ts';
import { readSeedText } from '../seeds/format/read-seeds.ts';
import type { NamedText } from '../seeds/yaml/yaml-text.ts';

const maxRemembered = 100;

export function createTemplates(db: Database['load']) {
  // Concurrent calls for one seed share one promise.
  const known = new Map<string, Promise<number>>();
  return {
    /** Makes the template if there is none, and returns its id. Throws SeedError. */
    get(text: NamedText): Promise<number> {
      const key = keyOf(text);
      const id = known.get(key) ?? findOrMake(db, text);
      known.set(key, id);
      if (known.size > maxRemembered) known.delete(known.keys().next().value as string);
      id.catch(() => known.delete(key));
      return id;
    },
    /** To be called for a deleted template. */
    forget: (text: NamedText) => void known.delete(keyOf(text)),
  };
}

const keyOf = ({ text, file, at }: NamedText): string => hash('sha256', JSON.stringify([file, at, text]));

async function findOrMake(db: Database['load'], text: NamedText) {
  const seed = await readSeedText(text);
  const template = await findTemplate(db, templateKey(seedDigest(seed)));
  return template ?? makeTemplate(db, { seeds: [seed], seedName: text.file });
}
