// Fills the default sandbox once. A seed that changes later is reported, not applied: the data may have been used.
import { basename, extname } from 'node:path';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { type ApplyOptions, replaceBy } from './apply.ts';
import { getDefaultSandbox, lockSeeding, startClocks, transact } from './queries.ts';
import type { NamedSeed } from './named-seed.ts';
import { analyzeTables } from './write-queries.ts';

/** Throws SeedError. A database that ships holds a seed already, but was never used. */
export async function seedDefaultSandbox(
  db: Kysely<Tables>,
  { name, file, digest, getRows }: NamedSeed,
  { note, signal, onProgress }: Pick<ApplyOptions, 'signal' | 'onProgress'> & { note: (line: string) => void },
) {
  const seedName = basename(name, extname(name));
  if (await startClocks(db, seedName, digest)) return;
  // The lock lives in a transaction of its own, so that it also holds through a pooler.
  await transact(db, signal, async (locked) => {
    await lockSeeding(locked, () => note('waiting for another service, which fills this database'));
    const sandbox = await getDefaultSandbox(db);
    if (sandbox.seeded_at === null) {
      await replaceBy(db, { sandboxId: sandbox.id, rows: getRows(), seedName, signal, onProgress });
      await analyzeTables(db);
    } else if (sandbox.seed_digest !== digest) {
      note(
        `the seed ${name} was not loaded: this database holds data already; to replace it: weblate-understudy seed --replace ${file}`,
      );
    }
  });
}
