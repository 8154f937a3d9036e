// The database of a command.
import { neverMs, openDatabase } from '../../database/database.ts';
import { findSchema } from '../../database/migrator.ts';
import { holdsData } from '../../postgres/embedded.ts';
import { UserError } from '../../base/failure.ts';
import { databaseOptions } from '../../service/config/config.ts';
import { embeddedDirOf } from '../../service/process/service-file.ts';
import { provideServer, shortPatienceMs, untilAvailable } from '../../service/process/provide-database.ts';
import { Undo } from '../../base/undo.ts';
import type { CommandContext } from '../command.ts';
import { readPlace, type SettingFlags } from '../setting-flags.ts';

/** Opens a database that a service or `migrate` has made. Throws UserError if there is none. */
export async function openForCommand(flags: SettingFlags, io: Pick<CommandContext, 'env' | 'signal' | 'note'>) {
  await using undo = new Undo();
  const configuration = readPlace(flags, io.env);
  const folder = embeddedDirOf(configuration);
  if (folder !== undefined && !holdsData(folder))
    throw new UserError(`no database found in ${folder}. ${makeOne}, or name another folder by --data-dir.`);
  const server = undo.use(await provideServer(configuration, io.note, true));
  const { url, description, dataDir } = server;
  const schema = await untilAvailable(server, { ...io, patienceMs: shortPatienceMs }, () => findSchema(url, dataDir));
  if (schema === 'missing') throw new UserError(`${description} holds no data of Understudy. ${makeOne}.`);
  if (schema === 'older')
    throw new UserError(`${description} is older than this program. Run \`weblate-understudy migrate\`.`);
  const database = openDatabase({
    ...databaseOptions(url, configuration),
    // A load takes as long as it needs; Ctrl-C ends it.
    statementTimeoutMs: neverMs,
    lockTimeoutMs: neverMs,
    poolSize: 2,
  });
  undo.defer(() => database.close());
  return { configuration, database, [Symbol.asyncDispose]: undo.move() };
}

const makeOne = 'Make the database with `weblate-understudy serve` or `weblate-understudy migrate`';
