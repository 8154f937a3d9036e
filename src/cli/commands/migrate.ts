// `migrate`: makes the database or brings it up to date, without a service.
import { createDatabase, migrateToLatest } from '../../database/migrator.ts';
import { codeOf } from '../../base/errors.ts';
import { embeddedDirOf } from '../../service/process/provide-database.ts';
import { defineCommand } from '../command.ts';
import { provideForCommand, whenAvailable } from '../sessions/open-database.ts';
import { databaseFlags, readSettings } from '../setting-flags.ts';

const noSuchDatabase = '3D000';

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'make the database, or bring it to the newest schema',
  usage: `Usage: weblate-understudy migrate [options]

Makes the database if it is missing, and brings it to this version's schema, in one transaction. A service does the same at its start;
this is for those who want it done before, or without one. The data stays; a new database holds no users yet.

{options}

{exit}`,
  options: databaseFlags,
  async run(values, _operands, context) {
    const { configuration } = readSettings(values, context.env);
    const dataDir = embeddedDirOf(configuration);
    await using server = await provideForCommand(configuration, context);
    const migrateOnce = () => whenAvailable(server, context, () => migrateToLatest(server.url, dataDir));
    const applied = await migrateOnce().catch(async (error: unknown) => {
      if (codeOf(error) !== noSuchDatabase) throw error;
      context.note(`made the database ${await createDatabase(server.url)}`);
      return migrateOnce();
    });
    const what = applied.length === 0 ? 'has the newest schema already' : `was migrated: ${applied.join(', ')}`;
    context.stdout.write(`${server.description} ${what}\n`);
  },
});
