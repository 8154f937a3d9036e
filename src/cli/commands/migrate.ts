// The command `migrate`.
import { createDatabase, migrateToLatest } from '../../database/migrator.ts';
import { noSuchDatabase } from '../../database/sqlstates.ts';
import { codeOf } from '../../base/failure.ts';
import { provideServer, shortPatienceMs, untilAvailable } from '../../service/process/provide-database.ts';
import { defineCommand } from '../command.ts';
import { supervisedCodes } from '../usage.ts';
import { databaseFlags, readPlace } from '../setting-flags.ts';

export const command = defineCommand({
  name: 'migrate',
  summary: 'make the database, or bring it to the newest schema',
  about: `Makes the database if it is missing. Brings it to this version's schema in one
transaction, as a starting service does. A new database holds no users yet.`,
  exit: `Exit: 0 done; ${supervisedCodes}; 130 Ctrl-C.`,
  options: databaseFlags,
  isSupervised: true,
  async run(values, _operands, context) {
    await using server = await provideServer(readPlace(values, context.env), context.note, true);
    const { url, dataDir, description } = server;
    const waiting = { ...context, patienceMs: shortPatienceMs };
    const migrateOnce = () => untilAvailable(server, waiting, () => migrateToLatest(url, dataDir));
    const applied = await migrateOnce().catch(async (error: unknown) => {
      if (codeOf(error) !== noSuchDatabase) throw error;
      context.note(`made the database ${await createDatabase(url)}`);
      return migrateOnce();
    });
    const what = applied.length === 0 ? 'has the newest schema already' : `was migrated: ${applied.join(', ')}`;
    context.print(`${description} ${what}`, 'The database has the newest schema.');
  },
});
