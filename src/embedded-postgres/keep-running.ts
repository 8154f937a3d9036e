// A server that ends unasked, killed by somebody or by a kernel that is out of memory, is started again on its port: whoever has its
// URL goes on with it. So is one whose watchdog ended, for nothing would end it with the service any more.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './cluster.ts';
import { endFormerServer } from './former-server.ts';
import { takeFolder } from './holder.ts';
import { keepLog, type RunningServer, startServer } from './server.ts';
import { Watchdog } from './watchdog.ts';

const pauseMs = 200;

/**
 * What keeps the server from starting is told once and tried again.
 * @returns ends the server and waits for its end; may be called again
 */
export function keepRunning(
  first: Place,
  settings: Readonly<Record<string, string>>,
  firstServer: RunningServer,
): () => Promise<void> {
  const { folder, say } = first;
  const stopping = new AbortController();
  const { signal } = stopping;
  let place = first;

  async function keep(): Promise<void> {
    for (let server: RunningServer | undefined = firstServer; server;) {
      const { watchdog } = place;
      await Promise.race([watchdog.ended(server.pid), watchdog.gone]);
      if (signal.aborted) return;
      say(
        watchdog.isGone
          ? `the watchdog of PostgreSQL (process ${watchdog.pid}) ended unasked; both are started again`
          : `PostgreSQL ended unasked and is started again; what it said: ${folder.previousLog}`,
      );
      server = await startAgain(server.port);
    }
  }

  async function startAgain(port: number): Promise<RunningServer | undefined> {
    let isLogKept = false;
    for (let told = ''; !signal.aborted;) {
      try {
        if (place.watchdog.isGone) {
          place = { ...place, watchdog: new Watchdog(folder.path, folder.account) };
          place.watchdog.release();
        }
        const { watchdog } = place;
        await takeFolder(watchdog, folder, say);
        await endFormerServer(folder, watchdog.pid, say);
        // Once: what the attempts say isn't what the server ended of.
        if (!isLogKept) keepLog(folder);
        isLogKept = true;
        return await startServer(place, settings, port);
      } catch (error) {
        const { message } = error as Error;
        if (message !== told && !signal.aborted) say(message);
        told = message;
        await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  const kept = keep();
  return async () => {
    stopping.abort();
    await place.watchdog.end();
    await kept;
  };
}
