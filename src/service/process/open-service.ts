// The second half of a start (start-service.ts has the first):
// from a database server to an app that listens.
import type { AddressInfo } from 'node:net';
import { buildApp } from '../app.ts';
import { openDatabase } from '../../database/database.ts';
import { migrateToLatest } from '../../database/migrator.ts';
import { type ApplyOptions, seedDefaultSandbox } from '../../seeds/load/apply.ts';
import type { LogStream } from '../../http/edge/log.ts';
import type { NamedSeed } from '../../seeds/load/named-seed.ts';
import { Undo } from '../../base/undo.ts';
import { type Configured, explainListening, urlOf } from './port.ts';
import { type ProvidedServer, untilAvailable } from './provide-database.ts';
import { publishService } from './service-file.ts';
import { appOptions, databaseOptions, statementTimeoutMs } from '../config/config.ts';

export interface StartOptions extends Configured {
  readonly logTo: LogStream;
  /** How long an ending service waits until balancers see that its port is closed. Default: a second. */
  readonly drainMs?: number;
  /** How long the start waits for an unavailable database. Default: without end. */
  readonly patienceMs?: number;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
  readonly onProgress?: ApplyOptions['onProgress'];
}

// At its end, the service waits for clients this much longer than a statement may take. Later, only
// slow clients are left.
const graceMs = 3000;

export type RunningService = Awaited<ReturnType<typeof openService>>;

/** Builds the app while the database starts. A failure closes all that was opened. */
export async function openService(options: StartOptions, provided: ProvidedServer, named: NamedSeed) {
  const { configuration, logTo, signal, drainMs = 1000 } = options;
  const { PORT: port, UNDERSTUDY_HOST: host } = configuration;
  await using undo = new Undo();
  undo.use(provided);
  const database = openDatabase(databaseOptions(provided.url, configuration));
  undo.defer(() => database.close());
  const app = await buildApp({ ...appOptions(configuration), database, logTo });
  undo.defer(() => app.close());
  // If the database becomes unavailable meanwhile, this starts over.
  await untilAvailable(provided, options, async (origin) => {
    // The cluster that ships has the newest schema.
    if (origin !== 'packed') await migrateToLatest(provided.url, provided.dataDir);
    await database.checkSettings();
    const grant = await database.findGrant();
    if (grant !== undefined) options.note(`New sandboxes take half as long once an administrator runs: ${grant}`);
    await seedDefaultSandbox(database.load, named, options);
  });
  signal.throwIfAborted();
  await app.listen({ port, host }).catch((error: unknown) => explainListening(error, options));
  undo.defer(async () => {
    await app.drain(drainMs);
    using _cut = setTimeout(() => app.server.closeAllConnections(), statementTimeoutMs + graceMs);
    await app.close();
  });
  const { port: listening } = app.server.address() as AddressInfo;
  const url = urlOf(host, listening);
  undo.defer(publishService(configuration, { url, pid: process.pid }));
  // The tokens of other seeds may be secret.
  const samples = named.name === 'documented' ? named.samples : [];
  const { description, lost } = provided;
  return { url, database: description, samples, lost, stop: undo.move() };
}
