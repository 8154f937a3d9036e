// Memory of processes, from /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** The process and all below it. */
export function listTree(pid: number): number[] {
  const children = listFolder(`/proc/${pid}/task`).flatMap((thread) =>
    (readProc(pid, `task/${thread}/children`)?.split(' ') ?? []).filter((child) => child !== '').map(Number),
  );
  return [pid, ...children.flatMap(listTree)];
}

/** What the processes hold now; undefined where /proc lacks them. */
export const restMegabytes = (pids: readonly number[]): number | undefined => sum(pids, 'VmRSS');

/** The most that the processes ever held. */
export const peakMegabytes = (pids: readonly number[]): number | undefined => sum(pids, 'VmHWM');

function sum(pids: readonly number[], field: 'VmRSS' | 'VmHWM'): number | undefined {
  const kilobytes = pids.map((pid) =>
    // PostgreSQL's processes share its buffers, of which each counts its part. Of that, Linux keeps no highest value.
    readProc(pid, 'comm')?.trim() === 'postgres'
      ? readField(pid, 'smaps_rollup', 'Pss')
      : readField(pid, 'status', field),
  );
  const total = kilobytes.reduce<number | undefined>(
    (all, one) => (one === undefined ? all : (all ?? 0) + one),
    undefined,
  );
  return total === undefined ? undefined : Math.round(total / 1024);
}

function readField(pid: number, file: string, field: string): number | undefined {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readProc(pid, file) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes);
}

// A process may have ended meanwhile, and other systems than Linux lack /proc.
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
