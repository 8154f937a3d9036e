// How the server is set up: initdb's options once, the server's settings at every start.
import type { Folder } from './folder.ts';

export const superuser = 'understudy';
export const database = 'understudy';

/**
 * TCP on the loopback address, with a password: a Unix socket's path may have 107 bytes, which a data folder in a deep
 * checkout exceeds, and a folder for temporary files is not always there (a read-only root file system). Anyone on the
 * machine can reach the port, hence a password of 192 random bits, which needs no stretching: one SCRAM iteration
 * instead of 4,096 makes each connection faster and the password no easier to guess.
 *
 * Not synchronising what initdb writes saves seconds on a slow disk. Should the machine lose power within the half
 * minute after the first start, that data folder may have to be removed; from then on durability is PostgreSQL's own.
 */
export function listInitdbOptions(folder: Folder): string[] {
  return [
    ['-D', folder.unfinished],
    ['--username', superuser],
    ['--pwfile', folder.password],
    ['--auth=scram-sha-256', '-c', 'scram_iterations=1'],
    ['--encoding=UTF8', '--no-locale', '--no-sync', '--no-instructions'],
  ].flat();
}

const fixed = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  scram_iterations: '1',
  // Room for a few services, the tests and a person with psql.
  max_connections: '100',
  // Memory is taken as pages are used, so a small database stays small.
  shared_buffers: '128MB',
  // The statements here take less time than their compilation would.
  jit: 'off',
  // One server, no replicas: less to write, and two processes fewer.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // Three processes fewer; the data fits into memory.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // What goes wrong with the server, not each refused statement of a client: the log isn't rotated while it runs.
  log_min_messages: 'log',
  log_checkpoints: 'off',
} as const;

export function listServerOptions(folder: Folder, port: number, settings: Readonly<Record<string, string>>): string[] {
  const all = { ...fixed, ...settings, port: String(port) };
  return ['-D', folder.cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
