// Memory and processor time of processes, as Linux counts them in /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

// Of USER_HZ, which is 100 on all machines that Node runs on.
const msATick = 10;

/** The process and all below it. */
export function listTree(pid: number): number[] {
  const children = (attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []).flatMap((thread) =>
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
  const known = kilobytes.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.round(known.reduce((all, one) => all + one) / 1024);
}

/**
 * Processor time of the process and all below it, with those of its children that have ended, in milliseconds; undefined
 * where /proc lacks it.
 */
export function processorMs(pid: number | undefined): number | undefined {
  if (pid === undefined || readStat(pid) === undefined) return undefined;
  // Fields 14 to 17 of proc(5).
  const ticks = listTree(pid).flatMap((one) => readStat(one)?.slice(11, 15) ?? []);
  return ticks.reduce((total, field) => total + Number(field), 0) * msATick;
}

/** The first process of the PostgreSQL server; undefined if it runs elsewhere. */
export async function findPostmaster(url: string): Promise<number | undefined> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = rows[0]?.pid ?? 0;
    return readProc(backend, 'comm')?.trim() === 'postgres' ? Number(readStat(backend)?.[1]) : undefined;
  } finally {
    await client.end();
  }
}

// The fields after the name, which stands in brackets and may hold any character.
function readStat(pid: number): string[] | undefined {
  const text = readProc(pid, 'stat');
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function readField(pid: number, file: string, field: string): number | undefined {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readProc(pid, file) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes);
}

const readProc = (pid: number, file: string) => attempt(() => readFileSync(`/proc/${pid}/${file}`, 'utf8'));

// A process may have ended meanwhile, and other systems than Linux lack /proc.
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
