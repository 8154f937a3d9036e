// Finds the server that postmaster.pid names. Ends a server that lost its watchdog.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, PassingError } from '../../base/failure.ts';
import { asAccount } from '../account.ts';
import type { Folder } from '../folder.ts';

const endTimeoutMs = 20_000;

const pidFile = ({ cluster }: Folder) => join(cluster, 'postmaster.pid');

const findPidFile = (folder: Folder) =>
  attempt(() => asAccount(folder.account, () => readFileSync(pidFile(folder), 'utf8')));

export const isRunning = (pid: number) => attempt(() => process.kill(pid, 0)) === true;

/** The server that runs on the cluster, if it has this state. */
export function findServer(folder: Folder, status: 'ready' | 'stopping') {
  // The lines: process id, data directory, start, port, socket's folder, address, shared memory, state.
  const [pid, , , , sockets = '', , , state] = findPidFile(folder)?.split('\n') ?? [];
  const isIn = state?.startsWith(status) === true && runsOn(folder, Number(pid));
  return isIn ? { pid: Number(pid), sockets } : undefined;
}

/**
 * A server that got SIGTERM waits until its clients leave, but the service keeps its connections. SIGINT makes
 * the server close them. The first call that finds the server stopping sends no SIGINT: the service may be
 * ending too.
 * @param former what the previous call returned @returns the process id, if the server is stopping
 */
export function hastenEnd(folder: Folder, former: number | undefined) {
  const pid = findServer(folder, 'stopping')?.pid;
  if (pid !== undefined && pid === former) interrupt(pid);
  return pid;
}

/** Whether the process is a PostgreSQL on this cluster. Another process may have the id of a killed server. */
function runsOn({ cluster, account }: Folder, pid: number) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  // Each process of the server works in the data directory. An account can read `cwd` only of its own
  // processes, so no pid file can make root end another account's process.
  if (process.platform === 'linux')
    return attempt(() => asAccount(account, () => readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster))) === true;
  // Without /proc, the command line names the directory.
  const found = attempt(() => execFileSync('ps', ['-o', 'uid=,command=', '-p', String(pid)], { encoding: 'utf8' }));
  const [uid, ...words] = found?.trim().split(' ') ?? [];
  return (account === undefined || uid === String(account.uid)) && words.join(' ').includes(cluster);
}

/** Ends a server that was left running, and waits for its end. The caller must hold the folder's lock. */
export async function endFormerServer(folder: Folder, note: (line: string) => void) {
  const pid = Number.parseInt(findPidFile(folder) ?? '');
  const beganMs = Date.now();
  if (runsOn(folder, pid)) note(`ending the PostgreSQL of a service that was killed (process ${pid})`);
  while (runsOn(folder, pid)) {
    if (Date.now() - beganMs > endTimeoutMs)
      throw new PassingError(
        `A PostgreSQL that was left running on ${folder.path} doesn't end: run kill -QUIT ${pid}, and start again.`,
      );
    // A server that is starting can lose the signal, so it is repeated.
    interrupt(pid);
    await sleep(100);
  }
  markStale(folder);
}

/** Starts PostgreSQL's fast shutdown, unless the server has ended. */
const interrupt = (pid: number) => attempt(() => process.kill(pid, 'SIGINT'));

// Linux and macOS give no process an id this large.
const noProcess = 2 ** 31 - 1;

/** PostgreSQL refuses to start if another process has the id in postmaster.pid. */
function markStale(folder: Folder) {
  const text = findPidFile(folder)?.replace(/^.*/, String(noProcess));
  if (text !== undefined) asAccount(folder.account, () => writeFileSync(pidFile(folder), text));
}
