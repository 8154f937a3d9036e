// One service a folder: takes the lock, waits for a predecessor that is on its way out, and names a holder that isn't.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { elsewhere, EmbeddedError } from './embedded-error.ts';
import type { Folder } from './folder.ts';
import { asAccount } from './rights.ts';
import type { Watchdog } from './watchdog.ts';

const pollMs = 25;
/** As long as the watchdog gives a server to end, and some more. */
const patienceMs = 30_000;
/** Between taking the lock and noting whose it is, a holder is nameless for a moment. */
const namelessMs = 1000;

interface Holder {
  readonly service: number;
  readonly ending: boolean;
}

export async function takeFolder(watchdog: Watchdog, folder: Folder, say: (line: string) => void): Promise<void> {
  const beganMs = Date.now();
  for (let said = false; ; await sleep(pollMs)) {
    const { busy } = await watchdog.ask('takeLock', {
      file: folder.lock,
      holderFile: folder.holder,
      service: process.pid,
    });
    if (busy === undefined) return;
    const waitedMs = Date.now() - beganMs;
    const holder = findHolder(folder);
    const leaving = holder !== undefined && (holder.ending || !isAlive(holder.service));
    if (waitedMs > (leaving ? patienceMs : holder ? 0 : namelessMs)) throw heldError(folder, holder);
    if (leaving && !said) say('waiting for the PostgreSQL of the service before to end');
    said ||= leaving;
  }
}

function findHolder(folder: Folder): Holder | undefined {
  try {
    const holder: Holder = JSON.parse(asAccount(folder.account, () => readFileSync(folder.holder, 'utf8')));
    return holder;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process that we have no right to signal is alive.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function heldError(folder: Folder, holder: Holder | undefined): EmbeddedError {
  const who = holder === undefined ? 'another service' : `another service (process ${holder.service})`;
  return new EmbeddedError(
    `The data folder ${folder.path} is in use by ${who}.\nStop that one first. Or: ${elsewhere}`,
  );
}
