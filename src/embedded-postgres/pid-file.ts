// PostgreSQL's own account of itself: the file postmaster.pid of its data directory.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from './folder.ts';
import { asAccount } from './rights.ts';

export interface PidFile {
  readonly pid: number;
  readonly port: number;
  /** False while it starts or ends. */
  readonly isReady: boolean;
}

export const pidFile = ({ cluster }: Folder): string => join(cluster, 'postmaster.pid');

/** Undefined where there is none that can be read. It says nothing of whether the process still runs. */
export function readPidFile(folder: Folder): PidFile | undefined {
  try {
    return parsePidFile(readLines(folder));
  } catch {
    return undefined;
  }
}

export function parsePidFile(lines: readonly string[]): PidFile {
  // Process id, data directory, start, port, socket's folder, address, shared memory, state.
  const [pid, , , port, , , , state] = lines;
  return { pid: Number(pid), port: Number(port), isReady: state?.startsWith('ready') === true };
}

/**
 * Puts another number into the file of a server that has ended. The number may be some other process's by now, above all in a
 * container, where numbers are small, and PostgreSQL would refuse to start. It takes its parent's for a sign that the file is stale,
 * and still goes on to check the shared memory that the file names, which deleting the file would skip.
 */
export function markStale(folder: Folder, parent: number): void {
  const [, ...rest] = readLines(folder);
  asAccount(folder.account, () => writeFileSync(pidFile(folder), [parent, ...rest].join('\n')));
}

const readLines = (folder: Folder): string[] =>
  asAccount(folder.account, () => readFileSync(pidFile(folder), 'utf8')).split('\n');

/** True if this process is a PostgreSQL on this cluster, and not one that got the number of an ended one. */
export function runsOn({ cluster, account }: Folder, pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    // Each process of the server works in the data directory. The link can be read of an account's own processes only, so that root
    // ends no other one because a file names it.
    if (process.platform === 'linux')
      return asAccount(account, () => readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster));
    // Without /proc, its command line names it.
    const [uid, ...words] = execFileSync('ps', ['-o', 'uid=,command=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ');
    return (account === undefined || uid === String(account.uid)) && words.join(' ').includes(cluster);
  } catch {
    return false;
  }
}
