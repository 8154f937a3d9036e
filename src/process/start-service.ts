// Starts the service: its database, the app on a port, and the end of both in reverse order. Knows no command line.
// Only what the start begins with is imported at once. The rest is loaded while PostgreSQL starts, which takes as long.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { seedingCode } from '../files.ts';
import type { PreparedService } from './open-service.ts';
import type { NamedSeed } from '../load/named-seed.ts';
import { findSeedNameFault } from '../load/seed-name.ts';
import { assertPortIsFree, StartError } from './port.ts';
import { provideServer } from './provide-database.ts';
import type { RunningService, StartOptions } from './running-service.ts';

/** Throws StartError, EmbeddedError, MigrationError or SettingsError, each with a message for the user. */
export async function startService(options: StartOptions): Promise<RunningService> {
  const { configuration, note, aliases: { UNDERSTUDY_SEED: seedSetting = 'UNDERSTUDY_SEED' } = {} } = options;
  const { UNDERSTUDY_SEED: seedName } = configuration;
  // Before the database is started: a taken port would make that wait pointless.
  await assertPortIsFree(options);
  const seedFault = await findSeedNameFault(seedName);
  if (seedFault !== undefined) throw new StartError(`${seedSetting}: ${seedFault}`);
  const reading = readSeed(seedName);
  let preparing: Promise<PreparedService> | undefined;
  // Not before PostgreSQL has something to do: to load modules keeps this thread busy.
  async function prepare(url: string | undefined): Promise<void> {
    const former = preparing;
    const loading = import('./open-service.ts');
    if (url !== undefined)
      preparing = Promise.all([loading, reading]).then(([{ prepareService }, named]) =>
        prepareService(options, url, named),
      );
    // What it failed with shows where it is used.
    await Promise.allSettled([loading, preparing]);
    // The server got another port, because another program took the first one.
    if (former !== preparing) await (await former)?.[Symbol.asyncDispose]();
  }
  const providing = provideServer(configuration, note, {
    key: reading.then(describeContents),
    fill: async (url) => (await import('./open-service.ts')).fillDatabase(url, await reading, options),
    onLaunched: (url) => void prepare(url),
  });
  try {
    const [named, provided, { openService }] = await Promise.all([
      reading,
      providing,
      providing.then(() => import('./open-service.ts')),
    ]);
    return await openService(options, provided, named, await preparing);
  } catch (error) {
    // Whichever failed, the server may be about to run.
    await using _server = await providing.catch(() => undefined);
    await using _service = await preparing?.catch(() => undefined);
    const { SeedError } = await import('../seed/seed-faults.ts');
    throw error instanceof SeedError ? new StartError(`${seedSetting}:\n${error.message}`) : error;
  }
}

async function readSeed(name: string): Promise<NamedSeed> {
  const { readNamedSeed } = await import('../load/named-seed.ts');
  return readNamedSeed(name);
}

/** What a database holds that was migrated and seeded: by the text of both, and by the code that did it. */
async function describeContents({ name, seed }: NamedSeed): Promise<string> {
  const [{ listMigrations }, { seedDigest }] = await Promise.all([
    import('../database/migrator.ts'),
    import('../seed/digest.ts'),
  ]);
  const code = hash('sha256', Buffer.concat(seedingCode().map((file) => readFileSync(file))));
  return [code, name, seedDigest(seed), ...listMigrations().map(({ checksum }) => checksum)].join();
}
