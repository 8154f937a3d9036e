// The second half of a start: from a database server to an app that listens. It loads most of the program.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { migrateToLatest } from '../database/migrator.ts';
import { seedDefaultSandbox } from '../load/default-sandbox.ts';
import type { NamedSeed } from '../load/named-seed.ts';
import { listSamples, type Sample } from '../load/samples.ts';
import { Undo } from '../undo.ts';
import type { Configuration } from './config.ts';
import { explainListening, urlOf } from './port.ts';
import { readableLog } from './pretty-log.ts';
import { embeddedDirOf, type ProvidedServer } from './provide-database.ts';
import { appOptions, databaseOptions } from './service-options.ts';
import type { RunningService, StartOptions } from './running-service.ts';
import { untilAvailable } from './until-available.ts';

// Long enough for a balancer with open connections to notice that the port is closed.
const usualDrainMs = 1000;
// No statement runs beyond its time limit: a connection that is still open then belongs to a client that sends or reads
// too slowly.
const graceMs = 3000;

/** What a start makes while PostgreSQL starts: nothing of it waits for the database. */
export interface PreparedService extends AsyncDisposable {
  /** Of the database. */
  readonly url: string;
  readonly database: Database;
  readonly samples: readonly Sample[];
  readonly app: FastifyInstance;
}

export async function prepareService(options: StartOptions, url: string, named: NamedSeed): Promise<PreparedService> {
  const { configuration } = options;
  await using undo = new Undo();
  const database = undo.adopt(openDatabase(databaseOptions(url, configuration)), (opened) => opened.close());
  // The tokens of any other seed may be secret.
  const samples = named.name === 'documented' ? listSamples(named.seed) : [];
  const logTo =
    options.logTo ?? (process.stdout.isTTY && readableLog(process.stdout, process.env['NO_COLOR'] === undefined));
  const ofApp = { ...appOptions(configuration), database, ...(logTo ? { logTo } : {}) };
  const app = undo.adopt(await buildApp(ofApp), (built) => built.close());
  const resources = undo.move();
  return { url, database, samples, app, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/**
 * Ends the server and what was prepared where it fails.
 *
 * @param early is used if it was prepared for this server's URL
 */
export async function openService(
  options: StartOptions,
  provided: ProvidedServer,
  named: NamedSeed,
  early: PreparedService | undefined,
): Promise<RunningService> {
  const { configuration, signal, note, drainMs = usualDrainMs } = options;
  const { PORT: port, UNDERSTUDY_HOST: host } = configuration;
  await using undo = new Undo();
  undo.use(provided);
  if (early) undo.use(early);
  const { database, samples, app } =
    early?.url === provided.url ? early : undo.use(await prepareService(options, provided.url, named));
  const noteWait = (reason: string) => note(`waiting for ${provided.description}: ${reason}`);
  // It may become unavailable again before all is prepared.
  const whenAvailable = <T>(work: () => Promise<T>): Promise<T> => untilAvailable(signal, noteWait, work);
  // What a copy of a filled server holds is what it was looked up by.
  if (!provided.isFilled) await whenAvailable(() => migrateToLatest(provided.url, embeddedDirOf(configuration)));
  await whenAvailable(() => database.checkSettings());
  if (!provided.isFilled) await whenAvailable(() => seedDefaultSandbox(database.loads(), named, options));
  signal.throwIfAborted();
  await app.listen({ port, host }).catch((error: unknown) => explainListening(error, options));
  undo.defer(() => endApp(app, drainMs, configuration));
  const { port: listening } = app.server.address() as AddressInfo;
  const resources = undo.move();
  return {
    url: urlOf(host, listening),
    database: provided.description,
    samples,
    stop: () => resources.disposeAsync(),
  };
}

/** Migrates and seeds the database of a temporary server, before it is kept to be copied. */
export async function fillDatabase(
  url: string,
  seed: NamedSeed,
  options: Pick<StartOptions, 'configuration' | 'signal' | 'note' | 'onProgress'>,
): Promise<void> {
  const { configuration, signal, note } = options;
  // On a busy machine a connection may take longer than its limit.
  const whenAvailable = <T>(work: () => Promise<T>): Promise<T> => untilAvailable(signal, note, work);
  await whenAvailable(() => migrateToLatest(url));
  const database = openDatabase(databaseOptions(url, configuration));
  try {
    await whenAvailable(() => seedDefaultSandbox(database.loads(), seed, options));
  } finally {
    await database.close();
  }
}

async function endApp(app: FastifyInstance, drainMs: number, limits: Configuration): Promise<void> {
  await app.drain(drainMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), limits.UNDERSTUDY_STATEMENT_TIMEOUT + graceMs);
  await app.close();
  clearTimeout(cut);
}
