// A server that ends unasked, killed by somebody or by a kernel that is out of memory, is started again on its port: whoever has its
// URL goes on with it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './cluster.ts';
import { endFormerServer, interrupt } from './former-server.ts';
import { keepLog, type RunningServer, startServer } from './server.ts';

const pauseMs = 200;

/**
 * Resolves when the watchdog is gone, and the server with it. What keeps the server from starting is told once and tried again.
 */
export async function keepRunning(
  place: Place,
  settings: Readonly<Record<string, string>>,
  first: RunningServer,
): Promise<void> {
  const { watchdog, folder, say } = place;
  const over = watchdog.gone.then(() => true);
  for (let server = first; ;) {
    const isOver = await Promise.race([watchdog.ended(server.pid).then(() => false), over]);
    if (isOver) {
      // Without its watchdog the server would outlive us, and hold the folder without the lock.
      interrupt(folder, server.pid);
      return;
    }
    say(`PostgreSQL ended unasked and is started again; what it said: ${folder.previousLog}`);
    const next = await startAgain(place, settings, server.port, over);
    if (next === undefined) return;
    server = next;
  }
}

async function startAgain(
  place: Place,
  settings: Readonly<Record<string, string>>,
  port: number,
  over: Promise<boolean>,
): Promise<RunningServer | undefined> {
  const { watchdog, folder, say } = place;
  let isLogKept = false;
  for (let told = ''; ;) {
    try {
      // Once: what the attempts say isn't what the server ended of.
      if (!isLogKept) keepLog(folder);
      isLogKept = true;
      await endFormerServer(folder, watchdog.pid, say);
      return await startServer(place, settings, port);
    } catch (error) {
      const isOver = await Promise.race([over, sleep(pauseMs, false, { ref: false })]);
      if (isOver) return undefined;
      const { message } = error as Error;
      if (message !== told) say(message);
      told = message;
    }
  }
}
