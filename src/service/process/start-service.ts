// Starts the service: its database, and the app on a port. At first, little is imported. The rest is
// imported while PostgreSQL's files are unpacked, which takes as long.
import { readNamedText } from '../../seeds/load/seed-name.ts';
import { UserError } from '../../base/failure.ts';
import { assertPortIsFree } from './port.ts';
import { provideServer } from './provide-database.ts';
import type { StartOptions } from './open-service.ts';

export async function startService(options: StartOptions) {
  const { configuration, note, aliases: { UNDERSTUDY_SEED: seedSetting = 'UNDERSTUDY_SEED' } = {} } = options;
  const { UNDERSTUDY_SEED: seedName } = configuration;
  // With a taken port, starting the database would be in vain.
  await assertPortIsFree(options);
  const text = await readNamedText(seedName).catch((error: Error) => {
    throw new UserError(`${seedSetting}: ${error.message}`);
  });
  const loading = Promise.all([import('./open-service.ts'), import('../../seeds/load/named-seed.ts')]);
  const provided = await provideServer(configuration, note);
  try {
    const [{ openService }, { parseNamed }] = await loading;
    return await openService(options, provided, parseNamed(seedName, text));
  } catch (error) {
    await provided[Symbol.asyncDispose]();
    const { SeedError } = await import('../../seeds/format/seed-errors.ts');
    throw error instanceof SeedError ? new UserError(`${seedSetting}:\n${error.message}`) : error;
  }
}
