// The database of a command: that of DATABASE_URL, or the embedded one, which may be running under a service or not.
import type { Kysely } from 'kysely';
import { DatabaseError } from 'pg';
import { ConfigurationError, readConfiguration } from '../process/config.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { EmbeddedError, findRunning } from '../embedded-postgres/embedded.ts';
import { MigrationError, migrateToLatest } from '../database/migrator.ts';
import { embeddedDirOf, type ProvidedServer, provideServer } from '../process/provide-database.ts';
import type { Tables } from '../database/tables.ts';
import { databaseSettings } from '../process/settings.ts';
import { type CommandIo, WrongUse } from './command.ts';

export interface CommandDatabase {
  readonly db: Kysely<Tables>;
  /** postgres://…, for what needs a connection of its own. */
  readonly url: string;
  readonly openConnection: Database['openConnection'];
  readonly close: () => Promise<void>;
}

/** Opens the database, migrated. Throws WrongUse with what people can do about it. */
export async function openForCommand(io: CommandIo): Promise<CommandDatabase> {
  try {
    return await open(io);
  } catch (error) {
    const isForPeople = [ConfigurationError, DatabaseError, EmbeddedError, MigrationError].some(
      (type) => error instanceof type,
    );
    throw isForPeople ? new WrongUse((error as Error).message, { showUsage: false }) : error;
  }
}

async function open(io: CommandIo): Promise<CommandDatabase> {
  const configuration = readConfiguration(io.env);
  await using undo = new AsyncDisposableStack();
  const dataDir = embeddedDirOf(configuration);
  let url = dataDir === undefined ? undefined : findRunning(dataDir);
  url ??= undo.use(await provide(configuration, io)).url;
  await migrateToLatest(url, dataDir);
  const database = openDatabase({
    ...databaseSettings(url, configuration),
    // A seed may take its time; Ctrl-C ends it.
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
    poolSize: 2,
  });
  undo.defer(() => database.close());
  const resources = undo.move();
  const { pool: db, openConnection } = database;
  return { db, url, openConnection, close: () => resources.disposeAsync() };
}

// A command doesn't wait for a database that is away: who typed it is there to be told.
async function provide(configuration: Parameters<typeof provideServer>[0], io: CommandIo): Promise<ProvidedServer> {
  const say = (line: string) => void io.stderr.write(`${line}\n`);
  const giveUp = AbortSignal.any([io.signal, AbortSignal.timeout(10_000)]);
  try {
    return await provideServer(configuration, giveUp, say);
  } catch (error) {
    if (giveUp.aborted && !io.signal.aborted) throw new WrongUse('the database did not answer', { showUsage: false });
    throw error;
  }
}
