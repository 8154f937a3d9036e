// Folders for temporary files and the cache of a test's services: the test sees what services leave there.
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

/** What the folder for temporary files holds, and the processes whose command line names this folder. */
export function listRemains({ tmp }: Place): string[] {
  const processes = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  // Node may write its compile cache into this folder.
  return [
    ...list(tmp).filter((name) => name !== 'node-compile-cache'),
    ...processes.filter((line) => line.includes(tmp)),
  ];
}

/** Sets no time limit: the test's limit applies. */
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
