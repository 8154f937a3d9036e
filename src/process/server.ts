// The process: the database it uses, the app on a port, and the end of both. Knows nothing of command lines.
import { type AddressInfo, createServer } from 'node:net';
import type { Configuration } from './config.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { migrateToLatest } from '../database/migrator.ts';
import { embeddedDirOf, provideServer, untilAvailable } from './provide-database.ts';
import { checkSettings } from '../database/session-settings.ts';
import { seedDefaultSandbox } from '../load/default-sandbox.ts';
import { listSamples, type Sample } from '../load/samples.ts';
import { findSeedNameFault } from '../sandboxes/seed-name.ts';
import { endApp, openApp, urlOf } from './serving.ts';
import { databaseSettings } from './settings.ts';
import { startWorkers } from './workers.ts';
import type { Work } from './workers-messages.ts';

/** What the person who starts the service can do something about; the message says what. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export interface RunningServer {
  /** `http://127.0.0.1:8000` */
  readonly url: string;
  /** Where the data lies, without a password. */
  readonly database: string;
  /** Users with public tokens: those of the documented sample, or none. */
  readonly samples: readonly Sample[];
  /** Stops listening, answers what has come, and ends the database if it is ours. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly configuration: Configuration;
  /** Aborted while starting: the start is given up. */
  readonly signal: AbortSignal;
  /** Is told in a line what takes time. */
  readonly say: (line: string) => void;
}

/** @throws StartError, EmbeddedError, MigrationError or SeedError, each with a message for people */
export async function startServer({ configuration, signal, say }: ServerOptions): Promise<RunningServer> {
  const { PORT: port, UNDERSTUDY_HOST: host } = configuration;
  // Before the database is started, which would keep whoever took the port waiting for nothing.
  await assertPortIsFree(port, host);
  const seedFault = await findSeedNameFault(configuration.UNDERSTUDY_SEED);
  if (seedFault !== undefined) throw new StartError(`UNDERSTUDY_SEED: ${seedFault}`);
  await using undo = new AsyncDisposableStack();
  const provided = undo.use(await provideServer(configuration, signal, say));
  const wait = (reason: string) => say(`waiting for ${provided.description}: ${reason}`);
  // It may go away again before all is prepared.
  await untilAvailable(signal, wait, () => migrateToLatest(provided.url, embeddedDirOf(configuration)));
  const database = undo.adopt(openDatabase(databaseSettings(provided.url, configuration)), (opened) => opened.close());
  await untilAvailable(signal, wait, () => checkSettings(database.ways));
  const seed = await untilAvailable(signal, wait, () =>
    seedDefaultSandbox(database.pool, configuration.UNDERSTUDY_SEED, say),
  );
  // Another seed's tokens may be somebody's secret.
  const samples = configuration.UNDERSTUDY_SEED === 'documented' ? listSamples(seed) : [];
  signal.throwIfAborted();
  const listening = await listen({ configuration, url: provided.url, samples }, database, undo, say);
  const resources = undo.move();
  return {
    url: urlOf(host, listening),
    database: provided.description,
    samples,
    stop: () => resources.disposeAsync(),
  };
}

/** Serves in this process or in workers; answers the port. */
async function listen(
  work: Work,
  database: Database,
  undo: AsyncDisposableStack,
  say: (line: string) => void,
): Promise<number> {
  const { configuration, samples } = work;
  const { PORT: port, UNDERSTUDY_HOST: host, UNDERSTUDY_WORKERS: count } = configuration;
  if (count > 1) {
    const workers = await startWorkers(count, work, say).catch((error: unknown) => {
      throw new StartError(error instanceof Error ? error.message : String(error));
    });
    undo.defer(() => workers.stop());
    return workers.port;
  }
  const app = undo.adopt(await openApp(configuration, database, { samples }), (built) => endApp(built, configuration));
  await app.listen({ port, host }).catch((error: unknown) => {
    throw portFault(error, port, host);
  });
  return (app.server.address() as AddressInfo).port;
}

async function assertPortIsFree(port: number, host: string): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  }).catch((error: unknown) => {
    throw portFault(error, port, host);
  });
}

function portFault(error: unknown, port: number, host: string): unknown {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} is taken. Try another one: PORT=${port + 1} npm start`);
  if (code === 'EACCES') return new StartError(`Port ${port} needs more rights. Try another one: PORT=8000 npm start`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`UNDERSTUDY_HOST: ${host} is no address of this machine.`);
  return error;
}
