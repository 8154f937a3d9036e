// The embedded server that a running service has started, for the commands that join it.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { databaseUrl } from './database.ts';
import { layOut } from './folder.ts';

/** The URL of the server that runs on the data folder, or undefined where none does. */
export function findRunning(dataDir: string): string | undefined {
  const folder = layOut(resolve(dataDir));
  try {
    // PostgreSQL's own account of itself: process id, data directory, start, port, …, state.
    const [pid, , , port, , , , state] = readFileSync(join(folder.cluster, 'postmaster.pid'), 'utf8').split('\n');
    if (pid === undefined || state?.startsWith('ready') !== true || !isAlive(Number(pid))) return undefined;
    return databaseUrl(Number(port), readFileSync(folder.password, 'utf8').trim());
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
