// Processor time of processes, as Linux counts it in /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

// Of USER_HZ, which is 100 on all machines that Node runs on.
const msATick = 10;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** Its own, and that of children that have ended. */
  readonly ms: number;
}

/** Of the process and of all that it has started, in milliseconds; undefined if it isn't to be found. */
export function processorMs(pid: number | undefined): number | undefined {
  if (pid === undefined || readStat(pid) === undefined) return undefined;
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
  const sum = (of: number): number =>
    all.reduce((total, one) => total + (one.pid === of ? one.ms : one.parent === of ? sum(one.pid) : 0), 0);
  return sum(pid);
}

/** The first process of the PostgreSQL server; undefined if it runs elsewhere. */
export async function findPostmaster(url: string): Promise<number | undefined> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = readStat(rows[0]?.pid ?? 0);
    return backend?.name === 'postgres' ? backend.parent : undefined;
  } finally {
    await client.end();
  }
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets, and may hold any character.
    const end = text.lastIndexOf(')');
    const fields = text.slice(end + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return { pid, parent: Number(fields[1]), name: text.slice(text.indexOf('(') + 1, end), ms: ticks * msATick };
  } catch {
    return undefined;
  }
}
