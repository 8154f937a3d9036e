// For tests of the embedded server: temporary folders, services as processes, waits for the end of processes.
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Test } from 'tap';
import { findFastFolder } from './fast-folder.ts';

/** Makes a folder that is removed after the test. Any account can reach what the folder holds. */
export function makeScratch(t: Test): string {
  const path = mkdtempSync(join(findFastFolder(), 'understudy-embedded-'));
  chmodSync(path, 0o711);
  t.teardown(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** Gives this process a cache folder of its own during the test. */
export function useOwnCache(t: Test): string {
  const { XDG_CACHE_HOME } = process.env;
  t.teardown(() => Object.assign(process.env, { XDG_CACHE_HOME: XDG_CACHE_HOME ?? '' }));
  return (process.env['XDG_CACHE_HOME'] = makeScratch(t));
}

export interface Said {
  readonly url?: string;
  readonly fault?: string;
  readonly interrupted?: boolean;
}

/** Starts a service in a process of its own, and returns its first message. */
export async function startService(t: Test, dataDir: string): Promise<{ service: ChildProcess; said: Said }> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const script = new URL('../postgres/service.ts', import.meta.url);
  const service = fork(script, [dataDir], { detached: true, execArgv: [], env });
  t.teardown(() => service.kill('SIGKILL'));
  return { service, said: await hear(service) };
}

export async function hear(service: ChildProcess): Promise<Said> {
  const [said]: Said[] = await once(service, 'message');
  return said ?? {};
}

export interface Pids {
  readonly watchdog: number;
  readonly postgres: number;
}

export function readPids(dataDir: string): Pids {
  const postgres = Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { watchdog: findParent(postgres), postgres };
}

export const findParent = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));

/** True for a process that has ended, even for a zombie: a container's first process may not reap it. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform === 'linux' && /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

/** Sets no time limit: the test's limit applies. */
export async function untilGone(pid: number): Promise<void> {
  while (!isGone(pid)) await sleep(10);
}

/** A moment of a first start: the data folder has this file, and the file has this text. */
export type Moment = readonly [file: string, text?: string];

/** The moments of a first start, in order. */
export const firstMoments: readonly Moment[] = [
  [''],
  ['*.lock'],
  ['cluster.making'],
  // Some of the cluster's files are there, some are not.
  ['cluster/global/pg_control'],
  ['server.log'],
  ['cluster/postmaster.pid'],
  ['cluster/postmaster.pid', 'ready'],
];

/** @param folder a pattern, because the name of a temporary folder is random */
export async function untilMoment(folder: string, [file, text = '']: Moment): Promise<void> {
  const isThere = (path: string) => text === '' || readFileSync(path, 'utf8').includes(text);
  while (!globSync(join(folder, file)).some(isThere)) await sleep(1);
}

export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows.flatMap((row) => Object.values(row));
  } finally {
    await client.end();
  }
}
