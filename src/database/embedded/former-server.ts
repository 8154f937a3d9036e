// A server that an earlier service left in the folder: one whose watchdog was killed as well, or whose machine was.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedError } from './errors.ts';
import type { Folder } from './folder.ts';

const patienceMs = 20_000;

/**
 * Ends such a server, so that ours can start. Only for the holder of the folder's lock: then whatever still runs here
 * belongs to nobody.
 *
 * @param parent process id that the new server's parent will have
 */
export async function endFormerServer(folder: Folder, parent: number, say: (line: string) => void): Promise<void> {
  const pidFile = join(folder.cluster, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(pidFile, 'utf8').split('\n');
  } catch {
    return;
  }
  const pid = Number(lines[0]);
  if (runsOn(folder, pid)) {
    say(`ending the PostgreSQL that an earlier service left running (process ${pid})`);
    await end(folder, pid);
    return;
  }
  // The number may be some other process's by now, above all in a container, where numbers are small, and PostgreSQL
  // would refuse to start. It takes its parent's number for a sign that the file is stale, and still goes on to check
  // the shared memory that the file names, which deleting the file would skip.
  writeFileSync(pidFile, [parent, ...lines.slice(1)].join('\n'));
}

/** True if this process is a PostgreSQL on this cluster, and not one that got the number of an ended one. */
function runsOn(folder: Folder, pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    // Each process of the server works in the data directory. Without /proc, its command line names it.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder.cluster);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(folder.cluster);
  } catch {
    return false;
  }
}

/** Asks a server that still runs on this cluster to end at once; false if none does. */
export function interrupt(folder: Folder, pid: number): boolean {
  if (!runsOn(folder, pid)) return false;
  try {
    return process.kill(pid, 'SIGINT');
  } catch {
    // It ended between the two lines, or isn't ours to end; the next look tells.
    return true;
  }
}

async function end(folder: Folder, pid: number): Promise<void> {
  for (const beganMs = Date.now(); Date.now() - beganMs < patienceMs; await sleep(100)) {
    if (!interrupt(folder, pid)) return;
  }
  throw new EmbeddedError(
    `A PostgreSQL that an earlier service left on ${folder.path} doesn't end: process ${pid}.\nEnd it (kill -QUIT ${pid}) and start again.`,
  );
}
