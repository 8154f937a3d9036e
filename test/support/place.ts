// Folders for the temporary files and the cache of a test's services, so that the test sees what they leave behind.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { makeScratch } from './postgres-folders.ts';

export interface Place {
  /** Any account may make folders in it. */
  readonly tmp: string;
  readonly cache: string;
  /** The variables that make a service use these folders. */
  readonly env: { readonly TMPDIR: string; readonly XDG_CACHE_HOME: string };
}

export function makePlace(t: Test): Place {
  const scratch = makeScratch(t);
  const [tmp, cache] = [join(scratch, 'tmp'), join(scratch, 'cache')];
  for (const folder of [tmp, cache]) mkdirSync(folder);
  chmodSync(tmp, 0o1777);
  chmodSync(cache, 0o755);
  return {
    tmp,
    cache,
    env: { TMPDIR: tmp, XDG_CACHE_HOME: cache },
  };
}

/** Files below the folder for temporary files, and processes whose command line names it. */
export function listRemains({ tmp }: Place): string[] {
  const processes = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  // Node writes its compile cache there, if it is on.
  return [
    ...list(tmp).filter((name) => name !== 'node-compile-cache'),
    ...processes.filter((line) => line.includes(tmp)),
  ];
}

/** Has no time limit of its own: the test's limit applies. */
export async function untilNothingRemains(place: Place): Promise<void> {
  while (listRemains(place).length > 0) await sleep(50);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
