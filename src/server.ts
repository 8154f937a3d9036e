// The process: the database it uses, the app on a port, and the end of both. Knows nothing of command lines.
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import type { Configuration } from './config.ts';
import { openDatabase } from './database/database.ts';
import { migrateToLatest } from './database/migrator.ts';
import { provideServer, untilAvailable } from './database/provide.ts';
import { hostAndPort } from './http/base-url.ts';
import { readableLog } from './readable-log.ts';
import { seedDefaultSandbox } from './seeding/default-sandbox.ts';
import { listSamples, type Sample } from './seeding/samples.ts';
import { appSettings, databaseSettings } from './settings.ts';

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
  await using undo = new AsyncDisposableStack();
  const provided = undo.use(await provideServer(configuration, signal, say));
  const wait = (reason: string) => say(`waiting for ${provided.description}: ${reason}`);
  // It may go away again before all is prepared.
  await untilAvailable(signal, wait, () => migrateToLatest(provided.url));
  const database = undo.adopt(openDatabase(databaseSettings(provided.url, configuration)), (opened) => opened.close());
  const seed = await untilAvailable(signal, wait, () =>
    seedDefaultSandbox(database.pool, configuration.UNDERSTUDY_SEED, say),
  );
  // Another seed's tokens may be somebody's secret.
  const samples = configuration.UNDERSTUDY_SEED === 'documented' ? listSamples(seed) : [];
  const app = undo.adopt(
    await buildApp({
      ...appSettings(configuration),
      database,
      samples,
      ...(process.stdout.isTTY ? { logTo: readableLog(process.stdout, process.env['NO_COLOR'] === undefined) } : {}),
    }),
    (built) => endApp(built, configuration.UNDERSTUDY_STATEMENT_TIMEOUT),
  );
  signal.throwIfAborted();
  await app.listen({ port, host }).catch((error: unknown) => {
    throw portFault(error, port, host);
  });
  const resources = undo.move();
  const address = app.server.address();
  // Who listens on every address is reached by the nearest.
  const reachedBy = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const listening = typeof address === 'object' && address !== null ? hostAndPort(reachedBy, address.port) : reachedBy;
  return { url: `http://${listening}`, database: provided.description, samples, stop: () => resources.disposeAsync() };
}

// As long as somebody who keeps connections open may take to notice that the port is closed.
const drainMs = 1000;
// Beyond the time limit of a statement nothing is being answered; who still holds a connection only reads or writes too slowly.
const graceMs = 3000;

async function endApp(app: FastifyInstance, statementTimeoutMs: number): Promise<void> {
  await app.drain(drainMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), statementTimeoutMs + graceMs);
  await app.close();
  clearTimeout(cut);
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
