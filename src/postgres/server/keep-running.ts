// Restarts a server that ends unexpectedly, on its socket, so that clients keep its URL; and its watchdog, without
// which nothing would end the server with the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { assertOwn } from '../folder.ts';
import { hastenEnd } from './postmaster.ts';
import { keepLog, renewWatchdog, type ServerContext, type StartedServer, startServer } from './start-server.ts';

const pauseMs = 200;
const lookMs = 3000;

/** @returns ends the server and waits for its end; may be called again */
export function keepRunning(context: ServerContext, first: StartedServer): () => Promise<void> {
  const { folder, note, temporary } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  let { watchdog } = first;

  async function keep(): Promise<void> {
    for (let server: StartedServer | undefined = first; server;) {
      await server.ended;
      if (signal.aborted) return;
      note(
        watchdog.failure
          ? `the watchdog of PostgreSQL (process ${watchdog.pid}) ended unasked; both are started again`
          : `PostgreSQL ended unasked and is started again; its log: ${folder.previousLog}`,
      );
      server = await startAgain();
    }
  }

  /** Tries until it succeeds or the service stops. Each reason is noted once, not every attempt. */
  async function startAgain(): Promise<StartedServer | undefined> {
    let isLogKept = false;
    for (let reported = ''; !signal.aborted;) {
      try {
        if (temporary !== undefined) assertOwn(temporary, folder.account);
        watchdog = await renewWatchdog(context, watchdog);
        watchdog.release();
        if (signal.aborted) break;
        // Once: the logs of the attempts don't explain why the server ended.
        if (!isLogKept) keepLog(folder);
        isLogKept = true;
        const server = await startServer(context, watchdog);
        await server.ready;
        return server;
      } catch (error) {
        const { message } = error as Error;
        if (message !== reported && !signal.aborted) note(message);
        reported = message;
        await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  let stoppingPid: number | undefined;
  const timer = setInterval(() => (stoppingPid = hastenEnd(folder, stoppingPid)), lookMs).unref();
  const loop = keep();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    await watchdog.end();
    await loop;
    // The one that took its place meanwhile.
    await watchdog.end();
  };
}
