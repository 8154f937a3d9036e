// The database of a command: the one of DATABASE_URL, or the embedded one, which a running service may have started.
import { openDatabase } from '../../database/database.ts';
import { findSchema } from '../../database/migrator.ts';
import { findRunning, holdsData } from '../../postgres/embedded.ts';
import { apiError, UserError } from '../../base/errors.ts';
import { findSandboxId } from '../../access/queries.ts';
import type { Configuration } from '../../service/config/config.ts';
import { databaseOptions } from '../../service/config/service-options.ts';
import { embeddedDirOf, type ProvidedServer, provideServer } from '../../service/process/provide-database.ts';
import { untilAvailable } from '../../service/process/until-available.ts';
import { Undo } from '../../base/undo.ts';
import type { CommandContext } from '../command.ts';

export type CommandDatabase = Awaited<ReturnType<typeof openForCommand>>;

type Io = Pick<CommandContext, 'signal' | 'note'>;

/** Opens a database that a service or `migrate` has made. Throws UserError if there is none, and makes nothing. */
export async function openForCommand(configuration: Configuration, io: Io) {
  await using undo = new Undo();
  const dataDir = dataDirOf(configuration);
  if (dataDir !== undefined && !holdsData(dataDir))
    throw new UserError(`no database found in ${dataDir}. ${makeOne}, or name another folder by --data-dir.`);
  const server = undo.use(await provideForCommand(configuration, io));
  const { url, description } = server;
  const schema = await whenAvailable(server, io, () => findSchema(url, dataDir));
  if (schema === 'missing') throw new UserError(`${description} holds no data of Understudy. ${makeOne}.`);
  if (schema === 'older')
    throw new UserError(
      `${description} is older than this program. Bring it up to date with \`weblate-understudy migrate\`.`,
    );
  const database = openDatabase({
    ...databaseOptions(url, configuration),
    // A load takes as long as it needs; Ctrl-C ends it.
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
    poolSize: 2,
  });
  undo.defer(() => database.close());
  const { pool: db } = database;
  return {
    db,
    openConnection: database.openConnection,
    /** Throws ApiError for an unknown sandbox. */
    getSandboxId: async (name: string) => {
      const id = await findSandboxId(db, name);
      if (id === undefined) throw apiError('sandbox_not_found', name);
      return id;
    },
    [Symbol.asyncDispose]: undo.move(),
  };
}

const makeOne = 'Make it with `weblate-understudy serve` or `weblate-understudy migrate`';

/** Undefined where DATABASE_URL names the database. */
function dataDirOf(configuration: Configuration): string | undefined {
  if (configuration.UNDERSTUDY_TEMPORARY)
    throw new UserError(
      'UNDERSTUDY_TEMPORARY is set, and only a service can have a temporary database. Name another place by --data-dir or --database-url,\n' +
        'or load a seed into the running service: weblate-understudy sandbox seed NAME FILE --url URL',
    );
  return embeddedDirOf(configuration);
}

/** For other programs: the URL of a database that runs without this command. Throws UserError if it doesn't. */
export function findUrl(configuration: Configuration): string {
  const dataDir = dataDirOf(configuration);
  const url = dataDir === undefined ? configuration.DATABASE_URL : findRunning(dataDir);
  if (url !== undefined) return url;
  throw new UserError(
    `no service runs on ${dataDir}, and its PostgreSQL runs only with one. Start it with \`weblate-understudy serve\`.`,
  );
}

/** The server, which a running service may have started. A new one is empty. */
export async function provideForCommand(configuration: Configuration, { note }: Io): Promise<ProvidedServer> {
  const dataDir = dataDirOf(configuration);
  const url = dataDir === undefined ? undefined : findRunning(dataDir);
  if (url === undefined) return provideServer(configuration, note, false);
  const description = `embedded PostgreSQL in ${dataDir}`;
  return { url, description, ready: Promise.resolve('kept'), [Symbol.asyncDispose]: async () => {} };
}

/** Unlike the service, a command doesn't wait long for a database that is unavailable: its user is there to read why. */
export async function whenAvailable<T>(
  { description, ready }: ProvidedServer,
  { signal, note }: Io,
  work: () => Promise<T>,
): Promise<T> {
  await ready;
  const timeout = AbortSignal.timeout(10_000);
  const report = (reason: string) => note(`waiting for ${description}: ${reason}`);
  try {
    return await untilAvailable(AbortSignal.any([signal, timeout]), report, work);
  } catch (error) {
    throw error === timeout.reason ? new UserError('the database did not answer within 10 seconds') : error;
  }
}
