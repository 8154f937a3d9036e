// Starts the server on the cluster under a watchdog, and waits until it takes connections.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asAccount } from '../account.ts';
import { type Binaries, findReason } from '../binaries.ts';
import { attempt, PassingError } from '../../base/failure.ts';
import { type Folder, otherPlaces } from '../folder.ts';
import { findServer } from './postmaster.ts';
import { serve } from './watchdog.ts';

export interface ServerContext {
  readonly folder: Folder;
  readonly binaries: Binaries;
  readonly sockets: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly note: (line: string) => void;
}

const slowMs = 3000;
// For root, each look takes a millisecond, to switch to the server's account and back.
const readyPollMs = 10;

const defaults = {
  listen_addresses: '',
  // Enough for a few services, the tests and a person with psql.
  max_connections: '100',
  // PostgreSQL takes memory as it uses pages, so a small database stays small.
  shared_buffers: '128MB',
  // To compile a statement would take longer than to run it.
  jit: 'off',
  // Without replicas, the server writes less, and has two processes fewer.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // This saves three processes. The data fits into memory.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements aren't logged: nothing rotates the log while the server runs.
  log_min_messages: 'log',
  log_checkpoints: 'off',
} as const;

/** For a server whose data is removed at its end. */
const throwaway = {
  // To set up 128 MB would take a quarter of the time until the first session.
  shared_buffers: '16MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // New segments aren't zeroed, and old segments aren't kept.
  wal_init_zero: 'off',
  wal_recycle: 'off',
  min_wal_size: '2MB',
  max_wal_size: '64MB',
} as const;

/** Keeps the log of the last run, which the next run would overwrite. */
export const keepLog = ({ account, log, previousLog }: Folder) =>
  asAccount(account, () => existsSync(log) && renameSync(log, previousLog));

/**
 * Starts the server; a former server must have ended. `ready` resolves when PostgreSQL takes connections, or
 * throws UserError with PostgreSQL's reason. `ended` resolves when the server or its watchdog has ended.
 */
export function startServer({ folder, binaries, sockets, settings, note }: ServerContext) {
  // If another process has the id in this file, PostgreSQL refuses to start.
  asAccount(folder.account, () => rmSync(join(sockets, '.s.PGSQL.5432.lock'), { force: true }));
  const all = {
    ...defaults,
    ...(folder.isTemporary && throwaway),
    ...settings,
    port: '5432',
    // The setting is a list: without quotes, a comma would begin another folder.
    unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`,
  };
  const args = Object.entries(all).map(([key, value]) => `--${key}=${value}`);
  const command = [binaries.postgres, '-D', folder.cluster, ...args];
  const { watchdog, ended } = serve(folder.account, command, folder.log, folder.isTemporary);
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  async function untilReady() {
    const why = `waiting for PostgreSQL, which may be recovering from a hard stop (${folder.log})`;
    using _slow = setTimeout(note, slowMs, why);
    while (findServer(folder, 'ready') === undefined) {
      await sleep(readyPollMs, undefined, { ref: false });
      // The log doesn't explain why a watchdog ended, and may not exist yet.
      if (hasEnded) throw watchdog.failure ?? serverError(folder);
    }
  }
  const ready = untilReady();
  // `ready` may fail before anybody waits for it.
  ready.catch(() => undefined);
  return { watchdog, ended, ready };
}

function serverError(folder: Folder) {
  const log = attempt(() => asAccount(folder.account, () => readFileSync(folder.log, 'utf8')));
  return new PassingError(
    `PostgreSQL did not start on ${folder.path}: ${findReason(log) ?? 'it ended without a message'}.\n` +
      `Its log: ${folder.log}. ${otherPlaces}`,
  );
}
