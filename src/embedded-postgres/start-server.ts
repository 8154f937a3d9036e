// Starts the server on the cluster under the watchdog, and waits until it takes connections.
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { asAccount } from './account.ts';
import { databaseUrl, type Place } from './cluster.ts';
import { EmbeddedError, otherPlaces } from './embedded-error.ts';
import type { Folder } from './folder.ts';
import { findReady } from './postmaster.ts';

const slowMs = 3000;
// For root each look takes a millisecond, to become the server's account and itself again.
const readyPollMs = 10;
const portAttempts = 5;

const defaults = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  scram_iterations: '1',
  // Room for a few services, the tests and a person with psql.
  max_connections: '100',
  // PostgreSQL takes memory as it uses pages, so a small database stays small.
  shared_buffers: '128MB',
  // The statements here take less time than their compilation would.
  jit: 'off',
  // One server without replicas writes less, and needs two processes fewer.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // Three processes fewer; the data fits into memory.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Problems of the server, not each refused statement of a client: nothing rotates the log while the server runs.
  log_min_messages: 'log',
  log_checkpoints: 'off',
} as const;

export interface StartedServer {
  readonly port: number;
  /** Resolves when the server or its watchdog has ended. */
  readonly ended: Promise<void>;
}

/** Keeps the log of the run before, which the next one would overwrite. */
export function keepLog({ account, log, previousLog }: Folder): void {
  asAccount(account, () => existsSync(log) && renameSync(log, previousLog));
}

/**
 * Waits as long as recovery takes. Throws EmbeddedError with PostgreSQL's own reason where the server ends instead.
 * @param givenPort a free one if left out
 */
export async function startServer(place: Place, givenPort?: number): Promise<StartedServer> {
  const { watchdog, folder, binaries, settings, say, copyFrom, password, onLaunched } = place;
  for (let attempt = 1; ; attempt++) {
    const port = givenPort ?? (await findFreePort());
    const options = Object.entries({ ...defaults, ...settings, port }).map(([key, value]) => `--${key}=${value}`);
    const args = ['-D', folder.cluster, ...options];
    const copy = copyFrom === undefined ? {} : { copy: { ...copyFrom, to: folder.cluster } };
    const command = { file: binaries.postgres, args, cwd: folder.path, log: folder.log, ...copy };
    const serving = watchdog.serve(command);
    onLaunched?.(password === undefined ? undefined : databaseUrl(port, password));
    const { pid, ended } = await serving;
    const recovering = `waiting for PostgreSQL, which may be recovering from a hard stop (${folder.log})`;
    const slow = setTimeout(say, slowMs, recovering);
    const isReady = await untilReady(folder, pid, ended).finally(() => clearTimeout(slow));
    if (isReady) return { port, ended };
    const log = asAccount(folder.account, () => readFileSync(folder.log, 'utf8'));
    // Another program can take the port between our look and the server's.
    const mayTryAnother = givenPort === undefined && attempt < portAttempts;
    if (!mayTryAnother || !log.includes('could not bind')) throw serverError(folder, log);
  }
}

/** False where the server ends instead. */
async function untilReady(folder: Folder, pid: number, ended: Promise<void>): Promise<boolean> {
  const end = ended.then(() => true);
  while (findReady(folder)?.pid !== pid) {
    const hasEnded = await Promise.race([end, sleep(readyPollMs, false, { ref: false })]);
    if (hasEnded) return false;
  }
  return true;
}

function serverError(folder: Folder, log: string): EmbeddedError {
  const reason = log
    .split('\n')
    .findLast((line) => /(FATAL|PANIC):/.test(line))
    ?.replace(/^.*?(FATAL|PANIC): */, '');
  return new EmbeddedError(
    `PostgreSQL did not start on ${folder.path}: ${reason ?? 'it ended without a message'}.\n` +
      `Its log: ${folder.log}. ${otherPlaces}`,
  );
}

async function findFreePort(): Promise<number> {
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
