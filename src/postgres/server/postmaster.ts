// PostgreSQL's file postmaster.pid, and its server: one that a command joins, or one that lost its watchdog.
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

/** The server that runs on the cluster, if it is in that state. */
export function findServer(folder: Folder, status: 'ready' | 'stopping') {
  // Process id, data directory, start, port, socket's folder, address, shared memory, state.
  const [pid, , , , sockets = '', , , state] = findPidFile(folder)?.split('\n') ?? [];
  const isIn = state?.startsWith(status) === true && runsOn(folder, Number(pid));
  return isIn ? { pid: Number(pid), sockets } : undefined;
}

/**
 * A server that got SIGTERM takes no further connections, and waits until its clients close theirs. The service
 * keeps some open, so SIGINT closes them after the service had time to end too.
 * @returns the server that is to get the SIGINT next time
 */
export function hastenEnd(folder: Folder, former: number | undefined) {
  const pid = findServer(folder, 'stopping')?.pid;
  if (pid !== undefined && pid === former) interrupt(pid);
  return pid;
}

/** Whether the process is a PostgreSQL on this cluster: a killed server's id may get reused. */
function runsOn({ cluster, account }: Folder, pid: number) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  // Every process of the server works in the data directory. An account can read that link of its own processes
  // only, so root never ends another account's process because a file names it.
  if (process.platform === 'linux')
    return attempt(() => asAccount(account, () => readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster))) === true;
  // Without /proc, its command line names the directory.
  const found = attempt(() => execFileSync('ps', ['-o', 'uid=,command=', '-p', String(pid)], { encoding: 'utf8' }));
  const [uid, ...words] = found?.trim().split(' ') ?? [];
  return (account === undefined || uid === String(account.uid)) && words.join(' ').includes(cluster);
}

/** Ends a server that was left running, or is ending. Call it with the folder's lock held. */
export async function endFormerServer(folder: Folder, note: (line: string) => void) {
  const pid = Number.parseInt(findPidFile(folder) ?? '');
  const beganMs = Date.now();
  if (runsOn(folder, pid)) note(`ending the PostgreSQL of a service that was killed (process ${pid})`);
  while (runsOn(folder, pid)) {
    if (Date.now() - beganMs > endTimeoutMs)
      throw new PassingError(
        `A PostgreSQL that was left running on ${folder.path} doesn't end: process ${pid}.\nEnd it (kill -QUIT ${pid}) and start again.`,
      );
    // A signal that arrives while the server is starting can get lost, so it is repeated.
    interrupt(pid);
    await sleep(100);
  }
  markStale(folder);
}

/** PostgreSQL's fast shutdown, unless it has just ended. */
const interrupt = (pid: number) => attempt(() => process.kill(pid, 'SIGINT'));

// Above the largest that Linux or macOS gives to a process.
const noProcess = 2 ** 31 - 1;

/** PostgreSQL refuses to start if the file of an ended server names an id that another process has by now. */
function markStale(folder: Folder) {
  const text = findPidFile(folder)?.replace(/^.*/, String(noProcess));
  if (text !== undefined) asAccount(folder.account, () => writeFileSync(pidFile(folder), text));
}
