// Memory and processor time of processes, as Linux counts them in /proc. On other systems all figures are NaN.
import { readFileSync } from 'node:fs';
import { Client } from 'pg';

// The milliseconds of a tick. USER_HZ is 100 on all machines that Node runs on.
const msATick = 10;

/** The highest resident memory that the process ever had. */
export const peakMegabytes = (pid: number): number =>
  Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1]) / 1024);

/** Processor time of the process and its children, including children that have ended, in milliseconds. */
export function processorMs(pid: number): number {
  const children = readProc(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  // Fields 14 to 17 of /proc/PID/stat: user and system time of the process, and of its ended children.
  const ticks = [pid, ...children].flatMap((one) => readStat(one).slice(11, 15));
  return ticks.length === 0 ? NaN : ticks.reduce((total, field) => total + Number(field), 0) * msATick;
}

/** The id of the PostgreSQL server's first process; NaN if the server runs on another machine. */
export async function findPostmaster(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = rows[0]?.pid ?? NaN;
    return readProc(backend, 'comm') === 'postgres\n' ? Number(readStat(backend)[1]) : NaN;
  } finally {
    await client.end();
  }
}

// The fields after the name, which stands in brackets and may hold any character.
function readStat(pid: number): string[] {
  const text = readProc(pid, 'stat');
  return text === '' ? [] : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

// The process may have ended, and systems other than Linux have no /proc.
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
